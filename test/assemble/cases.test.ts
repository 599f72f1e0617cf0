import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostFromSystem } from '../../src/assemble/from-log-system.ts';
import { hostFromMatrix } from '../../src/assemble/from-matrix.ts';
import { matrixCell } from '../../src/machine/letters.ts';
import { deviceAt, nameDevices } from '../../src/machine/names.ts';
import { decide } from '../../src/nccl/decide/pairs.ts';
import { pathTypes } from '../../src/nccl/path-type.ts';
import { newest, releaseFor } from '../../src/nccl/release.ts';
import type { Document } from '../../src/read/documents.ts';
import { readText } from '../../src/read/read-source.ts';
import { shared, whyNot } from '../support/shared.ts';

const dir = join(shared ?? '', 'data/cases');
const files = (name: RegExp): string[] =>
  shared
    ? readdirSync(dir).flatMap((c) =>
        readdirSync(join(dir, c))
          .filter((f) => name.test(f))
          .map((f) => join(c, f)),
      )
    : [];
const read = (file: string): readonly Document[] => readText(file, readFileSync(join(dir, file), 'utf8')).documents;

describe.skipIf(!shared)(`pasted cases (${shared ? 'scoring data' : whyNot})`, () => {
  for (const file of files(/^topo-m.*\.txt$/)) {
    it(`${file}: the machine gives the matrix's own letters`, () => {
      const matrices = read(file).filter((d) => d.kind === 'topo-matrix');
      expect(matrices.length).toBeGreaterThan(0);
      for (const matrix of matrices) {
        const { host, conflicts } = hostFromMatrix(matrix);
        expect(conflicts).toEqual([]);
        const named = nameDevices({
          hosts: [host],
          nodes: 1,
          fabric: {},
          software: { env: new Map() },
          conflicts: [],
          notes: [],
        });
        matrix.devices.forEach((a, i) => {
          matrix.devices.forEach((b, j) => {
            const cell = matrix.cells[i]?.[j];
            if (i === j || cell === undefined) return;
            const x = named.find((d) => d.kind === a.kind && d.local === `${a.kind}${a.index}`)!;
            const y = named.find((d) => d.kind === b.kind && d.local === `${b.kind}${b.index}`)!;
            expect(
              matrixCell(host, x, y, (p) => deviceAt(host, p)),
              `${a.label} ${b.label}`,
            ).toBe(cell === 'SOC' ? 'SYS' : cell);
          });
        });
      }
    });
  }

  for (const file of files(/^nccl\.log$/)) {
    it(`${file}: rings, trees and ways are those printed`, () => {
      const text = readFileSync(join(dir, file), 'utf8');
      const logs = read(file).filter((d) => d.kind === 'nccl-log');
      expect(logs.length).toBeGreaterThan(0);
      const count = (pattern: RegExp): number => new Set([...text.matchAll(pattern)].map((m) => m[0])).size;
      const rings = logs.flatMap((l) => l.rings);
      expect(rings.length).toBe(count(/Channel \d+\/\d+ :(?:\s+\d+){2,}/g));
      const gdr = logs.flatMap((l) => l.connections).filter((c) => c.gdr).length > 0;
      expect(gdr).toBe(/via NET\/\S*\/GDRDMA/.test(text));
      const net = logs.flatMap((l) => l.connections).filter((c) => c.kind === 'NET').length > 0;
      expect(net).toBe(/ via NET\//.test(text));
    });

    it(`${file}: a printed tree gives the path types that the log prints`, () => {
      for (const log of read(file).filter((d) => d.kind === 'nccl-log')) {
        const release = releaseFor(log.versions[0]?.text ?? newest)!;
        for (const system of log.systems.filter((s) => s.indented && s.paths.length > 0)) {
          const host = hostFromSystem(system, release, {
            devOf: () => undefined,
            rankOf: () => undefined,
            nicName: () => undefined,
          });
          const decided = decide({ host, nodes: 2, release, env: new Map(), p2pStatus: 'ok', gdrWhenUnknown: false });
          if (!decided.ok) throw new Error(decided.error.reason.code);
          const paths = decided.value.topology.domains[0]!.paths;
          const node = (id: string) =>
            paths.system.all.find(
              (n) =>
                n.id.replace(/\/0-/, '/') ===
                id
                  .replace(/\/0-/, '/')
                  .toLowerCase()
                  .replace(/^[a-z]+/, (t) => t.toUpperCase()),
            );
          for (const row of system.paths) {
            const a = node(row.from);
            const b = node(row.to);
            if (!a || !b || (b.type !== 'NET' && b.type !== 'GPU')) continue;
            expect(pathTypes[paths.typeOf(a, b)], `${row.from} ${row.to}`).toBe(row.type);
          }
        }
      }
    });
  }

  it('has cases at all', () => {
    expect(existsSync(dir)).toBe(true);
  });
});
