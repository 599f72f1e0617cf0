import { acsNames, type ConfigLink, functionsOf, type PciFunction, type PciTree } from '../machine/pci-tree.ts';

/** Names of classes that matter here (https://pci-ids.ucw.cz/read/PD); others stand by number. */
const classes: Readonly<Record<string, string>> = {
  '0108': 'Non-Volatile memory controller',
  '0200': 'Ethernet controller',
  '0207': 'Infiniband controller',
  '0280': 'Network controller',
  '0300': 'VGA compatible controller',
  '0302': '3D controller',
  '0380': 'Display controller',
  '0600': 'Host bridge',
  '0601': 'ISA bridge',
  '0604': 'PCI bridge',
  '0680': 'Bridge',
  '1200': 'Processing accelerators',
};

const vendors: Readonly<Record<string, string>> = {
  '0x10de': 'NVIDIA Corporation',
  '0x15b3': 'Mellanox Technologies',
  '0x8086': 'Intel Corporation',
  '0x1022': 'Advanced Micro Devices, Inc. [AMD]',
  '0x1002': 'Advanced Micro Devices, Inc. [AMD/ATI]',
  '0x14e4': 'Broadcom Inc. and subsidiaries',
  '0x1000': 'Broadcom / LSI',
  '0x11f8': 'PMC-Sierra Inc.',
  '0x1d0f': 'Amazon.com, Inc.',
  '0x1af4': 'Red Hat, Inc.',
  '0x1b36': 'Red Hat, Inc.',
};

/** A tree in the words of `lspci -D -nn -vvv`, as far as crowfly reads them: any tool that reads the one reads the other. */
export function lspciText(tree: PciTree): string {
  const all = [...functionsOf(tree)].sort((a, b) => (a.address < b.address ? -1 : 1));
  return `${all.map(block).join('\n')}`;
}

function block(f: PciFunction): string {
  const id = f.classCode.slice(2, 6);
  const name = `${vendors[f.vendor] ?? `Vendor ${f.vendor.slice(2)}`} Device`;
  const rev = f.revision === undefined ? '' : ` (rev ${f.revision.slice(2)})`;
  const out = [
    `${f.address} ${classes[id] ?? `Class ${id}`} [${id}]: ${name} [${f.vendor.slice(2)}:${f.device.slice(2)}]${rev}`,
  ];
  const c = f.config;
  if (f.numa !== undefined && f.numa >= 0) out.push(`\tNUMA node: ${f.numa}`);
  if (f.iommuGroup !== undefined) out.push(`\tIOMMU group: ${f.iommuGroup}`);
  if (c?.buses) {
    const { primary, secondary, subordinate } = c.buses;
    out.push(
      `\tBus: primary=${hex(primary)}, secondary=${hex(secondary)}, subordinate=${hex(subordinate)}, sec-latency=0`,
    );
  }
  if (c?.short) out.push('\tCapabilities: <access denied>');
  if (c?.portType && c.portType !== 'other') out.push(`\tCapabilities: Express (v2) ${c.portType}, MSI 00`);
  if (c?.linkCap) out.push(`\t\tLnkCap:\tPort #0, ${link(c.linkCap)}`);
  if (c?.linkSta) out.push(`\t\tLnkSta:\t${state(c.linkSta, c.linkCap)}`);
  if (c?.acs) {
    out.push('\tCapabilities: Access Control Services');
    out.push(`\t\tACSCap:\t${bits(c.acs.able)}`, `\t\tACSCtl:\t${bits(c.acs.inForce)}`);
  }
  if (f.driver !== undefined) out.push(`\tKernel driver in use: ${f.driver}`);
  return `${out.join('\n')}\n`;
}

const hex = (n: number): string => n.toString(16).padStart(2, '0');
const speed = (l: ConfigLink): string => (l.speed > 0 ? `${l.speed}GT/s` : 'unknown');
const link = (l: ConfigLink): string => `Speed ${speed(l)}, Width x${l.width}`;

function state(now: ConfigLink, able: ConfigLink | undefined): string {
  const less = (a: number, b: number | undefined): string => (b !== undefined && a < b ? ' (downgraded)' : '');
  return `Speed ${speed(now)}${less(now.speed, able?.speed)}, Width x${now.width}${less(now.width, able?.width)}`;
}

const bits = (value: number): string => acsNames.map((name, i) => `${name}${(value >> i) & 1 ? '+' : '-'}`).join(' ');
