import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { crowfly } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'probe-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A host with one switch, a GPU, a NIC and a soft RDMA device, as the kernel lays it out; ACS in force on the downstream ports. */
function tree(): string {
  const root = join(folder, 'root');
  const put = (path: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const config = (type: number, acs: number | undefined): Uint8Array => {
    const c = new Uint8Array(4096);
    const v = new DataView(c.buffer);
    v.setUint32(0, 0x12345678, true);
    v.setUint16(6, 0x10, true);
    c[0x34] = 0x40;
    v.setUint16(0x40, 0x10, true);
    v.setUint16(0x42, 2 | (type << 4), true);
    v.setUint32(0x4c, 5 | (16 << 4), true);
    v.setUint16(0x52, 5 | (16 << 4), true);
    if (type >= 4) {
      c[0x0e] = 1;
      c.set([0x10, 0x11, 0x1f], 0x18);
    }
    if (acs !== undefined) {
      v.setUint32(0x100, 0x0001000d, true);
      v.setUint16(0x104, 0x7f, true);
      v.setUint16(0x106, acs, true);
    }
    return c;
  };
  const device = (path: string, cls: string, ids: readonly [string, string], type: number, acs?: number): void => {
    const at = `sys/devices/pci0000:10/${path}`;
    put(`${at}/class`, `${cls}\n`);
    put(`${at}/vendor`, `${ids[0]}\n`);
    put(`${at}/device`, `${ids[1]}\n`);
    put(`${at}/numa_node`, '0\n');
    put(`${at}/max_link_speed`, '32.0 GT/s PCIe\n');
    put(`${at}/max_link_width`, '16\n');
    put(`${at}/config`, config(type, acs));
  };
  const up = '0000:10:01.0/0000:11:00.0';
  device('0000:10:01.0', '0x060400', ['0x8086', '0x352a'], 4, 0);
  device(up, '0x060400', ['0x1000', '0xc030'], 5);
  device(`${up}/0000:12:00.0`, '0x060400', ['0x1000', '0xc030'], 6, 0x1d);
  device(`${up}/0000:12:00.0/0000:13:00.0`, '0x030200', ['0x10de', '0x2330'], 0);
  device(`${up}/0000:12:01.0`, '0x060400', ['0x1000', '0xc030'], 6, 0x1d);
  device(`${up}/0000:12:01.0/0000:14:00.0`, '0x020700', ['0x15b3', '0x1021'], 0);
  put(`sys/devices/pci0000:10/${up}/0000:12:01.0/0000:14:00.0/infiniband/mlx5_0/uevent`, '');
  const port = 'sys/class/infiniband/mlx5_0/ports/1';
  put('sys/class/infiniband/mlx5_0/node_guid', 'b83f:d203:00aa:bb01\n');
  put(`${port}/rate`, '400 Gb/sec (4X NDR)\n');
  put(`${port}/state`, '4: ACTIVE\n');
  put(`${port}/phys_state`, '5: LinkUp\n');
  put(`${port}/link_layer`, 'InfiniBand\n');
  put(`${port}/lid`, '0x1a\n');
  put(`${port}/sm_lid`, '0x1\n');
  put(`${port}/gids/0`, 'fe80:0000:0000:0000:b83f:d203:00aa:bb01\n');
  put('sys/devices/system/node/node0/cpumap', 'ffffffff\n');
  put('proc/cpuinfo', 'processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\n');
  put('proc/cmdline', 'console=ttyS0 panic=1\n');
  put('proc/modules', 'mlx5_ib 450560 0 - Live 0x0\nnvidia 60000000 3 nvidia_uvm, Live 0x0\n');
  // A link that leads out of the tree shows nothing of this host.
  if (!existsSync(join(root, 'etc'))) symlinkSync('/etc', join(root, 'etc'));
  return root;
}

describe('probe', () => {
  it('gathers a saved tree into a bundle that the other verbs read', () => {
    const bundle = join(folder, 'saved.tar.gz');
    const made = crowfly(['probe', '--root', tree(), '--bundle', bundle, '--json']);
    expect(made.status).toBe(0);
    const answer = JSON.parse(made.out) as { gpus: number; files: { name: string }[] };
    expect(answer.gpus).toBe(1);
    expect(answer.files.map((f) => f.name)).toEqual([
      'cmdline.txt',
      'lsmod.txt',
      'lspci.txt',
      'topology.xml',
      'ibstatus.txt',
      'show_gids.txt',
    ]);
    const paths = JSON.parse(crowfly(['paths', bundle, '--assume', 'gdr=on', '--json']).out) as {
      devices: { id: string; name?: string }[];
      pairs: { from: string; to: string; type: string }[];
    };
    // Root port and downstream ports are gone, as in NCCL's own file: GPU and NIC hang on one switch.
    expect(paths.devices.find((d) => d.id === 'nic0')?.name).toBe('mlx5_0');
    expect(paths.pairs.find((p) => p.from === 'gpu0' && p.to === 'nic0')?.type).toBe('PIX');
    const found = JSON.parse(crowfly(['doctor', bundle, '--json']).out) as {
      inputs: { file: string; declined?: unknown }[];
      findings: { id: string; devices?: string[] }[];
    };
    expect(found.inputs.find((i) => i.file.endsWith('cmdline.txt'))?.declined).toBeUndefined();
    expect(found.findings.find((f) => f.id === 'acs-enabled')?.devices).toEqual(['0000:12:00.0', '0000:12:01.0']);
  });

  it('says of two GPUs what sysfs can tell and no more: NVLink, P2P and a file for NCCL are not in it', () => {
    const root = tree();
    const second = 'sys/devices/pci0000:10/0000:10:01.0/0000:11:00.0/0000:12:02.0';
    for (const [at, cls, ids] of [
      [second, '0x060400', ['0x1000', '0xc030']],
      [`${second}/0000:15:00.0`, '0x030200', ['0x10de', '0x2330']],
    ] as const) {
      mkdirSync(join(root, at), { recursive: true });
      for (const [name, text] of [
        ['class', cls],
        ['vendor', ids[0]],
        ['device', ids[1]],
        ['numa_node', '0'],
        ['max_link_speed', '2.5 GT/s PCIe'],
        ['max_link_width', '1'],
      ] as const) {
        writeFileSync(join(root, at, name), `${text}\n`);
      }
    }
    const bundle = join(folder, 'two.tar.gz');
    expect(crowfly(['probe', '--root', root, '--bundle', bundle]).status).toBe(0);
    const way = JSON.parse(crowfly(['explain', 'gpu0', 'gpu1', bundle, '--json']).out) as {
      direct: string;
      settle?: string;
      rule: string;
    };
    expect([way.direct, /driver reports/.test(way.rule)]).toEqual(['unknown', false]);
    const found = JSON.parse(crowfly(['doctor', bundle, '--json']).out) as {
      findings: { id: string }[];
      verdicts: { way?: string; verdict: string; settle?: { command: string } }[];
    };
    expect(found.findings.filter((f) => /^topo-|vm-flat/.test(f.id))).toEqual([]);
    expect(found.verdicts.find((v) => v.way === 'p2p')).toMatchObject({
      verdict: 'unknown',
      settle: { command: 'nvidia-smi topo -m' },
    });
  });

  it('keeps a GID table readable when addresses are taken out', () => {
    const root = tree();
    const port = join(root, 'sys/class/infiniband/mlx5_0/ports/1');
    mkdirSync(join(port, 'gid_attrs/types'), { recursive: true });
    writeFileSync(join(port, 'gids/3'), '0000:0000:0000:0000:0000:ffff:c000:0207\n');
    writeFileSync(join(port, 'gid_attrs/types/3'), 'RoCE v2\n');
    const bundle = join(folder, 'gids.tar.gz');
    crowfly(['probe', '--root', root, '--bundle', bundle]);
    const { inputs } = JSON.parse(crowfly(['doctor', bundle, '--json']).out) as {
      inputs: { file: string; formats?: string[]; facts?: number }[];
    };
    expect(inputs.find((i) => i.file.endsWith('show_gids.txt'))).toMatchObject({ formats: ['show_gids'], facts: 2 });
  });

  it('replaces names and numbers that tell who it is, unless asked not to', () => {
    const root = tree();
    const plain = join(folder, 'plain.tar.gz');
    const clean = join(folder, 'clean.tar.gz');
    crowfly(['probe', '--root', root, '--bundle', plain, '--plain']);
    crowfly(['probe', '--root', root, '--bundle', clean]);
    const shown = (file: string): string =>
      crowfly(['doctor', file, '--json']).out + crowfly(['show', file, '--as', 'json']).out;
    expect(shown(clean)).not.toContain('b83fd20300aabb01');
    expect(existsSync(plain)).toBe(true);
  });

  it('works on this host, and says what is missing', () => {
    const made = crowfly(['probe', '--bundle', join(folder, 'here.tar.gz')]);
    expect(made.status).toBe(0);
    expect(made.out).toContain('here.tar.gz');
    const narrow = crowfly(['probe', '--bundle', join(folder, 'here.tar.gz'), '--width', '80']).out.split('\n');
    expect(narrow.filter((l) => l.length > 80 && !l.includes(folder))).toEqual([]);
    expect(crowfly(['doctor', join(folder, 'here.tar.gz')]).status).toBeLessThan(2);
  });

  it('writes its bundle and nothing else', () => {
    const root = tree();
    const inside = (at: string): string[] =>
      readdirSync(at, { recursive: true, withFileTypes: true }).map((e) => {
        const path = join(e.parentPath, e.name);
        return `${path} ${lstatSync(path).mtimeMs}`;
      });
    const [home, temporary, work] = ['home', 'temporary', 'work'].map((n) => join(folder, n));
    for (const at of [home!, temporary!, work!]) mkdirSync(at);
    const before = inside(root);
    const env = { HOME: home!, TMPDIR: temporary!, XDG_CACHE_HOME: join(home!, 'cache') };
    const made = crowfly(['probe', '--root', root], { cwd: work!, env });
    expect(made.status).toBe(0);
    expect(inside(root)).toEqual(before);
    expect([readdirSync(home!), readdirSync(temporary!), readdirSync(work!)]).toEqual([
      [],
      [],
      ['crowfly-probe.tar.gz'],
    ]);
  });

  it('takes no inputs, and no root that is none', () => {
    expect(crowfly(['probe', 'file.txt']).status).toBe(2);
    expect(crowfly(['probe', '--root', join(folder, 'nowhere')]).status).toBe(2);
    const bare = join(folder, 'bare');
    mkdirSync(bare);
    const { status, err } = crowfly(['probe', '--root', bare, '--bundle', join(folder, 'bare.tar.gz')]);
    expect([status, err.includes('neither sys nor proc'), existsSync(join(folder, 'bare.tar.gz'))]).toEqual([
      2,
      true,
      false,
    ]);
  });
});
