import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Files } from '../../src/cli/probe/files.ts';
import { readPciTree } from '../../src/cli/probe/pci.ts';
import { functionsOf } from '../../src/machine/pci-tree.ts';
import { readConfigSpace } from '../../src/read/pci/config-space.ts';
import { readText } from '../../src/read/read-source.ts';
import { lspciText } from '../../src/tell/lspci-text.ts';
import { shared } from '../support/shared.ts';

const folder = shared === undefined ? '' : join(shared, 'data', 'sysfs');
const trees = existsSync(folder)
  ? readdirSync(folder).filter((f) => f.endsWith('.sysfs.tar.gz') && !f.startsWith('SYNTH'))
  : [];

/** What a device says of its links and its access control, whoever wrote it down. */
function told(text: string) {
  const doc = readText('lspci.txt', text).documents.find((d) => d.kind === 'lspci');
  if (doc?.kind !== 'lspci') throw new Error('no lspci');
  return doc.devices
    .map((d) => ({
      address: d.address,
      ids: d.ids,
      below: d.below && `${d.below.from}-${d.below.to}`,
      cap: d.linkCap && `${d.linkCap.speed} x${d.linkCap.width}`,
      sta: d.linkSta && `${d.linkSta.speed} x${d.linkSta.width}`,
      acs: d.acs && JSON.stringify({ ...d.acs, at: undefined }),
    }))
    .sort((a, b) => (a.address < b.address ? -1 : 1));
}

describe('configuration space', () => {
  it.skipIf(trees.length === 0).each(trees.length === 0 ? ['no ../shared'] : trees)(
    'of %s reads as lspci reads it',
    (name) => {
      const root = mkdtempSync(join(tmpdir(), 'sysfs-'));
      try {
        execFileSync('tar', ['xzf', join(folder, name), '-C', root]);
        const tree = readPciTree(new Files(root));
        const real = readFileSync(join(folder, name.replace('.sysfs.tar.gz', '.lspci-vvv-nn.txt')), 'utf8');
        expect([...functionsOf(tree)].length).toBeGreaterThan(5);
        expect(told(lspciText(tree))).toEqual(told(real));
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    },
  );

  it('of any bytes is read in bounded time, without a fault', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 0, maxLength: 4096 }), (bytes) => {
        const c = readConfigSpace(bytes);
        if (bytes.length < 64) expect(c).toBeUndefined();
        if (c?.acs) expect(c.acs.inForce).toBeLessThan(128);
      }),
      { numRuns: 1000 },
    );
    // Capabilities that point at themselves.
    const loop = new Uint8Array(4096);
    loop.set([0xde, 0x10, 0x30, 0x23, 0, 0, 0x10, 0]);
    loop[0x34] = 0x40;
    loop.set([0x05, 0x40], 0x40);
    loop.set([0x01, 0x00, 0x01, 0x10], 0x100);
    expect(readConfigSpace(loop)).toEqual({ short: false });
  });
});
