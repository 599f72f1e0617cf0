import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { MemoryTree } from '../../src/cli/probe/memory-tree.ts';
import { TreeCollector } from '../../src/cli/probe/tree-sink.ts';
import { crowfly } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'saved-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const text = (t: string): Uint8Array => new TextEncoder().encode(t);

describe('a saved tree in memory', () => {
  it('follows links inside itself and nowhere else', () => {
    const tree = new MemoryTree();
    tree.addFile('sys/devices/pci0000:10/a/infiniband/mlx5_0/node_guid', text('1\n2\n'));
    tree.addLink('sys/class/infiniband/mlx5_0', '../../devices/pci0000:10/a/infiniband/mlx5_0');
    tree.addLink('sys/class/infiniband/abs', '/sys/devices/pci0000:10/a/infiniband/mlx5_0');
    tree.addLink('sys/class/infiniband/out', '../../../../../etc');
    tree.addLink('sys/class/infiniband/self', 'self');
    tree.addLink('sys/devices/pci0000:10/a/driver', '../../../bus/pci/drivers/mlx5_core');
    expect(tree.list('sys/class/infiniband')).toEqual(['abs', 'mlx5_0', 'out', 'self']);
    for (const name of ['mlx5_0', 'abs']) expect(tree.line(`sys/class/infiniband/${name}/node_guid`)).toBe('1');
    for (const name of ['out', 'self']) expect(tree.list(`sys/class/infiniband/${name}`)).toEqual([]);
    expect(tree.link('sys/devices/pci0000:10/a/driver')).toBe('mlx5_core');
    expect(tree.bytes('sys/devices/pci0000:10/a/infiniband/mlx5_0/node_guid', 1)).toHaveLength(1);
  });

  it('answers whatever paths and targets are put in', () => {
    const path = fc
      .array(fc.constantFrom('sys', 'a', '..', '.', '', 'b', '__proto__'), { maxLength: 6 })
      .map((p) => p.join('/'));
    fc.assert(
      fc.property(fc.array(fc.tuple(path, path)), path, (links, asked) => {
        const tree = new MemoryTree();
        for (const [from, to] of links) tree.addLink(from, to);
        expect(Array.isArray(tree.list(asked))).toBe(true);
        tree.link(asked);
        tree.line(asked);
      }),
      { seed: 2025, numRuns: 500 },
    );
  });

  it('is one for each host of an archive; a few files alone stay files', () => {
    const all = new TreeCollector();
    const put = (path: string): void => {
      const sink = all.open('x.tar', path);
      sink.push(text('0'));
      sink.end();
    };
    for (const path of ['n1/sys/devices/pci0000:00/uevent', 'n2/sys/devices/pci0000:00/uevent', 'n3/proc/cmdline']) {
      expect(all.wants(path)).toBe(true);
      put(path);
    }
    for (const path of ['notes/mysys/devices/x', 'a/lspci.txt', 'myproc/cmdline']) expect(all.wants(path)).toBe(false);
    expect([...all.trees()].map((t) => [t.name, t.tree !== undefined, t.files.size])).toEqual([
      ['x.tar!n1/', true, 1],
      ['x.tar!n2/', true, 1],
      ['x.tar!n3/', false, 1],
    ]);
  });
});

const shared = join(process.env['CROWFLY_SHARED'] ?? '../shared', 'data', 'sysfs');
const archives = existsSync(shared) ? readdirSync(shared).filter((f) => f.endsWith('.tar.gz')) : [];

describe.skipIf(archives.length === 0)('an archive of a saved tree', () => {
  it.each(archives)('%s reads as probe reads it unpacked', (name) => {
    const root = mkdtempSync(join(folder, 'root-'));
    expect(spawnSync('tar', ['xzf', join(shared, name), '-C', root]).status).toBe(0);
    const bundle = join(folder, `${name}.bundle.tar.gz`);
    expect(crowfly(['probe', '--root', root, '--bundle', bundle, '--plain']).status).toBe(0);
    const findings = (file: string) =>
      (
        JSON.parse(crowfly(['doctor', file, '--json']).out) as { findings: { id: string; devices?: string[] }[] }
      ).findings.map((f) => [f.id, f.devices]);
    expect(findings(join(shared, name))).toEqual(findings(bundle));
  });
});

const soft = join(process.env['CROWFLY_SHARED'] ?? '../shared', 'data', 'rdma', 'sysclass');
const softTrees = existsSync(soft) ? readdirSync(soft).filter((f) => f.endsWith('.tgz')) : [];

describe.skipIf(softTrees.length === 0)('a saved tree with software RDMA and nothing else', () => {
  it.each(softTrees)('%s: probe reads it in 3 s, and the archive reads alike', (name) => {
    const root = mkdtempSync(join(folder, 'soft-'));
    expect(spawnSync('tar', ['xzf', join(soft, name), '-C', root]).status).toBe(0);
    const bundle = join(folder, `${name}.bundle.tar.gz`);
    const begun = performance.now();
    const made = crowfly(['probe', '--root', root, '--bundle', bundle, '--json']);
    expect(performance.now() - begun).toBeLessThan(3000);
    expect((JSON.parse(made.out) as { files: { name: string }[] }).files.map((f) => f.name)).toEqual([
      'ibstatus.txt',
      'show_gids.txt',
    ]);
    const formats = (file: string) =>
      (JSON.parse(crowfly(['doctor', file, '--json']).out) as { inputs: { formats?: string[] }[] }).inputs
        .flatMap((i) => i.formats ?? [])
        .sort();
    expect(formats(bundle)).toEqual(['ibstatus', 'show_gids']);
    expect(formats(join(soft, name))).toEqual(['ibstatus', 'show_gids']);
  });
});

it('names the packing that it does not undo, and the command that does', () => {
  const file = join(folder, 'report.tar.xz');
  const made = spawnSync('sh', ['-c', `printf '\\375\\067\\172\\130\\132\\000 and more' > '${file}'`]);
  expect(made.status).toBe(0);
  const { status, err } = crowfly(['doctor', file]);
  expect([status, /xz -d/.test(err)]).toEqual([2, true]);
});
