import { describe, expect, it } from 'vitest';
import { answerGraph } from '../../src/answer/graph.ts';
import { type Shape, type ShapesAnswer, shapesOf } from '../../src/answer/shapes.ts';
import type { Communicator } from '../../src/nccl/communicator.ts';
import { readText } from '../../src/read/read-source.ts';
import { shapesPicture, shapesText } from '../../src/tell/shapes/shapes.ts';
import { stylerFor } from '../../src/tell/text/columns.ts';
import { system } from '../support/machines.ts';

const look = { language: 'en', width: 100, style: stylerFor(false) } as const;

function made(nodes: number): Communicator {
  const answer = answerGraph(system('dgx-h100', nodes));
  if (!answer.ok) throw new Error('no graph');
  return answer.value.communicator;
}

/** A log as NCCL would print it of these channels. */
function logOf(channels: Communicator['channels'], cut = false): string {
  const lines: string[] = [];
  const ranks = channels[0]!.ring.length;
  const line = (rank: number, text: string): string =>
    `node${Math.floor(rank / 8)}:${4000 + rank}:${5000 + rank} [${rank % 8}] NCCL INFO ${text}`;
  channels.forEach(({ ring }, c) => {
    const shown = cut ? `${ring.slice(0, 20).join('   ')} ...` : ring.join('   ');
    lines.push(line(0, `Channel ${String(c).padStart(2, '0')}/${channels.length} :    ${shown}`));
  });
  for (let r = 0; r < ranks; r++) {
    const trees = channels.map(({ treeUp }, c) => {
      const down = treeUp.flatMap((p, x) => (p === r ? [x] : []));
      const three = [0, 1, 2].map((i) => down[i] ?? -1).join('/');
      return `[${c}] ${three}->${r}->${treeUp[r]}`;
    });
    lines.push(line(r, `Trees ${trees.join(' ')}`));
  }
  return `${lines.join('\n')}\n`;
}

const compared = (c: Communicator | undefined, log: string): ShapesAnswer =>
  shapesOf(c, readText('nccl.log', log).documents);
const channelsOf = (shapes: readonly Shape[]): number => shapes.reduce((sum, s) => sum + s.channels.length, 0);

describe('rings and trees', () => {
  it('of a log that shows what is expected are as expected, also when its lines are cut', () => {
    const c = made(3);
    const answer = compared(c, logOf(c.channels));
    expect(channelsOf(answer.seen)).toBe(2 * c.collChannels);
    expect(answer.same).toBe(2 * c.collChannels);
    expect(answer.differences).toEqual([]);
    expect(compared(c, logOf(c.channels, true)).same).toBe(2 * c.collChannels);
    expect(shapesText(answer, look)).toContain('as expected');
  });

  it('that differ are shown beside the expected ones, the connections marked', () => {
    const c = made(2);
    const ring = [...c.channels[1]!.ring];
    [ring[2], ring[3]] = [ring[3]!, ring[2]!];
    const treeUp = c.channels[2]!.treeUp.map((p, r) => (p < 0 ? p : r === 5 ? c.channels[2]!.treeUp.indexOf(-1) : p));
    const spoilt = c.channels.map((x, i) => (i === 1 ? { ...x, ring } : i === 2 ? { ...x, treeUp } : x));
    const answer = compared(c, logOf(spoilt));
    expect(answer.differences.map((d) => [d.kind, d.channels])).toEqual([
      ['ring', [1]],
      ['tree', [2]],
    ]);
    expect(answer.same).toBe(2 * c.collChannels - 2);
    const text = shapesText(answer, look);
    expect(text.match(/≠/g)!.length).toBeGreaterThanOrEqual(3);
    expect(text).toContain('Ring, expected: channel 1');
    expect(text).toContain('Tree, in the log: channel 2');
    const svg = shapesPicture(answer, look);
    expect(svg.match(/ odd"/g)!.length).toBeGreaterThanOrEqual(3);
  });

  it('of a log alone, or of other ranks, are drawn and not compared', () => {
    const two = made(2);
    const log = logOf(two.channels);
    const alone = compared(undefined, log);
    expect(alone.differences).toEqual([]);
    expect(shapesText(alone, look)).toMatch(/nothing to compare with/);
    expect(shapesText(alone, look)).toContain('→');
    const other = compared(made(4), log);
    expect(other.otherRanks).toBe(16);
    expect(other.differences).toEqual([]);
    expect(shapesText(other, look)).toContain('16 ranks');
  });

  it('are drawn whole: every rank once, every connection', () => {
    for (const nodes of [1, 2, 5]) {
      const c = made(nodes);
      const svg = shapesPicture(shapesOf(c), { language: 'zh-CN' });
      const pills = svg.match(/class="pill"/g)!.length;
      expect(pills % (8 * nodes)).toBe(0);
      // A ring has as many connections as ranks, a tree one less.
      const shapes = shapesOf(c).expected.slice(0, 24);
      const edges = svg.match(/marker-end/g)!.length;
      expect(pills).toBe(shapes.length * 8 * nodes);
      expect(edges).toBe(pills - shapes.filter((s) => s.kind === 'tree').length);
      expect(svg).not.toMatch(/NaN|undefined/);
      const text = shapesText(shapesOf(c), look);
      for (const line of text.split('\n')) expect(line).not.toMatch(/NaN|undefined/);
    }
  });
});
