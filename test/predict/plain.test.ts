import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerPlain } from '../../src/answer/plain.ts';
import { textSource } from '../../src/input/source.ts';
import { plainCollectives } from '../../src/predict/plain/schedule.ts';
import { type PlainNetwork, plainShapes } from '../../src/read/plain-network.ts';
import { readSource } from '../../src/read/read-source.ts';
import { render } from '../../src/words/render.ts';

async function network(text: string): Promise<PlainNetwork | string> {
  const [read] = await readSource(textSource('plain.yaml', text));
  const found = read!.documents.find((d) => d.kind === 'plain-network');
  return found ?? read!.declined.map((d) => render(d.reason, 'en')).join('; ');
}

const eight = 'plain: {gpus: 8, shape: switch, rate: 2880Gb/s, latency: 25ns, send: 3us}\n';

describe('a plain network', () => {
  it('takes as long as a packet-level simulator says: 0.369, 2.654 and 5.263 ms', async () => {
    const plain = (await network(eight)) as PlainNetwork;
    const told = answerPlain(plain, 'all_reduce', [64 * 2 ** 20, 512 * 2 ** 20, 2 ** 30]);
    if (!told.ok) throw new Error(told.error.code);
    const expected = [369, 2654, 5263];
    told.value.rows.forEach((r, i) => {
      expect(Math.abs(r.timeUs / expected[i]! - 1)).toBeLessThan(0.01);
    });
  });

  it('is read with its units, and what is wrong is said with its line', async () => {
    const plain = await network('plain:\n  gpus: 4\n  rate: 50 GB/s\n');
    expect(plain).toMatchObject({ gpus: 4, shape: 'switch', rate: 50e9, latency: 0, send: 0 });
    expect(await network('plain: {gpus: 8, rate: 100}\n')).toContain('plain.rate');
    expect(await network('plain: {gpus: 8, rate: 0.0Gb/s}\n')).toContain('plain.rate');
    expect(await network('plain: {gpus: 1, rate: 100Gb/s}\n')).toContain('gpus');
    expect(await network('plain: {gpus: 8, rate: 100Gb/s, shape: rign}\n')).toContain('ring');
    expect(await network('plain: {gpus: 8, rate: 100Gb/s, latnecy: 3us}\n')).toContain('latency');
    expect(await network('plain: 8\n')).toContain('plain');
  });

  it('is never faster than its links, nor slower with less', () => {
    const one = fc.record({
      gpus: fc.integer({ min: 2, max: 24 }),
      shape: fc.constantFrom(...plainShapes),
      rate: fc.double({ min: 1e9, max: 1e12, noNaN: true }),
      latency: fc.double({ min: 0, max: 1e-5, noNaN: true }),
      send: fc.double({ min: 0, max: 1e-5, noNaN: true }),
    });
    fc.assert(
      fc.property(one, fc.constantFrom(...plainCollectives), fc.integer({ min: 1, max: 2 ** 34 }), (n, name, bytes) => {
        const plain = { kind: 'plain-network', file: '', at: { file: '', line: 1 }, ...n } as PlainNetwork;
        const told = answerPlain(plain, name, [bytes, 2 * bytes]);
        if (!told.ok) throw new Error(told.error.code);
        const [a, b] = told.value.rows;
        expect(b!.timeUs).toBeGreaterThanOrEqual(a!.timeUs * (1 - 1e-9));
        expect(b!.timeUs).toBeLessThanOrEqual(2 * a!.timeUs * (1 + 1e-9));
        expect(a!.busbwGBps * 1e9).toBeLessThanOrEqual(
          n.rate * (name === 'alltoall' && n.shape === 'full-mesh' ? n.gpus : 1) * (1 + 1e-9),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('says which collectives it runs', async () => {
    const told = answerPlain((await network(eight)) as PlainNetwork, 'gather', [8]);
    expect(told.ok ? '' : render(told.error, 'en')).toContain('all_reduce');
  });
});
