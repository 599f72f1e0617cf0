import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { assemble } from '../../src/assemble/assemble.ts';
import { nameDevices } from '../../src/machine/names.ts';
import { readText } from '../../src/read/read-source.ts';
import { drawSvg, drawText, picture, pictureJson } from '../../src/tell/picture/index.ts';

const shared = process.env['CROWFLY_SHARED'] ?? join(import.meta.dirname, '../../../shared');
const inputs = join(shared, 'data/nccl/inputs');
const cases = join(shared, 'data/cases');
const there = existsSync(inputs) && existsSync(cases);
const files = there
  ? [
      ...readdirSync(inputs).map((name) => join(inputs, name)),
      ...readdirSync(cases).map((name) => join(cases, name, 'topo-m.txt')),
    ].filter((file) => existsSync(file))
  : [];

describe.skipIf(!there)('drawings of real machines (skipped without ../shared or $CROWFLY_SHARED)', () => {
  it.each(files.map((file) => [file.slice(shared.length), file]))('%s', (_name, file) => {
    const machine = assemble(readText(file, readFileSync(file, 'utf8')).documents);
    const drawn = picture(machine);
    const text = drawText(drawn);
    for (const line of text.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(80);
    expect(drawSvg(drawn)).toContain('</svg>');
    // Nothing named is lost: every GPU, NIC, switch and NUMA node stands in some box.
    const drawnIds = new Set(pictureJson(picture(machine, { unfolded: true })).devices.map((d) => d.id));
    for (const device of nameDevices(machine)) {
      if (device.kind === 'nvswitch' || device.path.length === 0) continue;
      expect(drawnIds.has(device.id), device.id).toBe(true);
    }
  });
});
