import type { Cpu, CpuVendor, Gpu, Host, NicPort, PciDevice } from '../machine/host.ts';

/**
 * A host as an NCCL topology file (`NCCL_TOPO_FILE`; version 1 as src/graph/xml.cc of https://github.com/NVIDIA/nccl reads it).
 * What is not known is left out, and NCCL fills it in at run time. `source`: who says so, where that is not NCCL itself.
 */
export function ncclXml(host: Host, source?: string): string {
  const out: string[] = [`${open('system', { version: 1, source })}>`];
  for (const cpu of host.cpus) writeCpu(out, cpu);
  out.push('</system>');
  return `${out.join('\n')}\n`;
}

const vendors: Partial<Record<CpuVendor, string>> = {
  Intel: 'GenuineIntel',
  AMD: 'AuthenticAMD',
  Zhaoxin: 'CentaurHauls',
};

type Value = string | number | boolean | undefined;

function open(name: string, attributes: Readonly<Record<string, Value>>): string {
  let text = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    text += ` ${key}="${escaped(typeof value === 'boolean' ? (value ? '1' : '0') : String(value))}"`;
  }
  return text;
}

const escaped = (text: string): string =>
  text.replace(/[&<>"\u0000-\u001f]/g, (c) =>
    c === '&' ? '&amp;' : c === '<' ? '&lt;' : c === '>' ? '&gt;' : c === '"' ? '&quot;' : ' ',
  );

function writeCpu(out: string[], cpu: Cpu): void {
  const head = open('cpu', {
    host_hash: cpu.hostHash,
    numaid: cpu.numa,
    affinity: cpu.affinity,
    arch: cpu.arch,
    vendor: cpu.arch === 'x86_64' && cpu.vendor ? vendors[cpu.vendor] : undefined,
    familyid: cpu.family,
    modelid: cpu.model,
  });
  out.push(`  ${head}>`);
  for (const device of cpu.devices) writeDevice(out, device, '    ');
  out.push('  </cpu>');
}

/** Recursion is safe: readers bound how deep a tree may be. */
function writeDevice(out: string[], device: PciDevice, indent: string): void {
  if (device.role === 'port') {
    writeNic(out, device.ports ?? [], indent);
    return;
  }
  const head = open('pci', {
    busid: device.standIn ? undefined : device.busId,
    class: device.classCode,
    vendor: device.vendor,
    device: device.device,
    subsystem_vendor: device.subsystemVendor,
    subsystem_device: device.subsystemDevice,
    link_speed: device.link.speed,
    link_width: device.link.widthTold ?? device.link.width,
  });
  const inside: string[] = [];
  for (const gpu of device.gpus ?? []) writeGpu(inside, gpu, `${indent}  `);
  if (device.ports) writeNic(inside, device.ports, `${indent}  `);
  for (const child of device.children) writeDevice(inside, child, `${indent}  `);
  for (const peer of device.peers ?? []) inside.push(`${indent}  ${open('pcilink', { target: peer })}/>`);
  if (inside.length === 0) out.push(`${indent}${head}/>`);
  else out.push(`${indent}${head}>`, ...inside, `${indent}</pci>`);
}

function writeGpu(out: string[], gpu: Gpu, indent: string): void {
  const head = open('gpu', { dev: gpu.dev, sm: gpu.sm, mlopart: gpu.mloPart, rank: gpu.rank, gdr: gpu.gdr });
  if (gpu.nvlinks.length === 0 && !gpu.c2c) {
    out.push(`${indent}${head}/>`);
    return;
  }
  out.push(`${indent}${head}>`);
  for (const l of gpu.nvlinks) {
    out.push(`${indent}  ${open('nvlink', { target: l.target, count: l.count, tclass: l.targetClass })}/>`);
  }
  if (gpu.c2c) out.push(`${indent}  ${open('c2c', { bw: gpu.c2c.mbps, count: gpu.c2c.count })}/>`);
  out.push(`${indent}</gpu>`);
}

function writeNic(out: string[], ports: readonly NicPort[], indent: string): void {
  if (ports.length === 0) {
    out.push(`${indent}<nic/>`);
    return;
  }
  out.push(`${indent}<nic>`);
  for (const p of ports) {
    const head = open('net', {
      name: p.name,
      dev: p.dev,
      speed: p.speedMbps,
      port: p.port,
      latency: p.latencyUs,
      guid: p.guid,
      maxconn: p.maxConnections,
      gdr: p.gdr,
      coll: p.collectives,
      net: p.net,
      gin: p.gin,
      rma: p.rma,
      rail: p.rail,
      plane: p.plane,
    });
    out.push(`${indent}  ${head}/>`);
  }
  out.push(`${indent}</nic>`);
}
