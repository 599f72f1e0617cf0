import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readText } from '../../src/read/read-source.ts';
import { nearAndFar } from '../support/machines.ts';
import { crowfly } from './run.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'crowfly-test-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const file = (name: string, text: string): string => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};
const lineOf = (text: string, bus: string): number => text.split('\n').findIndex((l) => l.includes(bus)) + 1;
const lastLineOf = (text: string, bus: string): number => text.split('\n').findLastIndex((l) => l.includes(bus)) + 1;

describe('two devices of one bus id in a topology file', () => {
  const gpus = nearAndFar.replace('0000:20:00.0', '0000:11:00.0');
  const nics = nearAndFar.replace('0000:90:00.0', '0000:12:00.0');

  it('are noted with file, line and id, whatever they are', () => {
    for (const [text, bus] of [
      [gpus, '0000:11:00.0'],
      [nics, '0000:12:00.0'],
    ] as const) {
      const { notes } = readText('topo.xml', text);
      expect(notes.map((n) => [n.message.code, n.message.args['bus'], n.message.args['line']])).toEqual([
        ['input.topoXml.same-bus', bus, lineOf(text, bus)],
      ]);
      expect(notes[0]!.line).toBeGreaterThan(lineOf(text, bus));
    }
    expect(readText('topo.xml', nearAndFar).notes).toEqual([]);
  });

  it('are no mistake on two hosts of one file', () => {
    const host = (text: string, hash: string): string =>
      text.replaceAll('<cpu ', `<cpu host_hash="${hash}" `).replace(/<\/?system.*>\n/g, '');
    const both = `<system version="1">\n${host(nearAndFar, '0x1')}${host(nearAndFar, '0x2')}</system>\n`;
    expect(readText('topo.xml', both).notes).toEqual([]);
  });

  it('are told by topo-file and doctor, and end what NCCL would decide of GPUs', () => {
    const path = file('gpus.xml', gpus);
    const line = lastLineOf(gpus, '0000:11:00.0');
    for (const verb of ['topo-file', 'doctor']) {
      const { status, out } = crowfly([verb, path]);
      expect([verb, status]).toEqual([verb, 1]);
      expect(out.replaceAll(/\s+/g, ' ')).toContain('two devices have the bus id 0000:11:00.0, here and in line 4');
      expect(out).toContain(`${path}:${line}`);
      expect(out).not.toMatch(/Nothing found|nothing wrong/);
    }
    const { status, err } = crowfly(['paths', path]);
    expect(status).toBe(2);
    expect(err).toContain('two GPUs have the bus id 0000:11:00.0');
    expect(err).toContain(`${path}:${line}`);
    expect(crowfly(['paths', file('nics.xml', nics)]).status).not.toBe(2);
    expect(JSON.parse(crowfly(['topo-file', path, '--json']).out).mistakes[0].evidence).toEqual([{ file: path, line }]);
    expect(crowfly(['doctor', file('fine.xml', nearAndFar)]).status).toBe(0);
  });

  it('are named beside the picture, and in every form that is passed on', () => {
    const path = file('passed.xml', gpus);
    const line = lastLineOf(gpus, '0000:11:00.0');
    for (const how of [[], ['--as', 'svg'], ['--json']]) {
      const { status, out, err } = crowfly(['show', path, ...how]);
      expect(status).toBe(0);
      expect(err).toContain(`${path}:${line}: two devices have the bus id 0000:11:00.0`);
      expect(out).not.toContain('two devices');
    }
    expect(crowfly(['show', file('fine.xml', nearAndFar)]).err).toBe('');
    const told = (form: string): string => crowfly(['doctor', path, '--report', form]).out;
    const [run] = JSON.parse(told('sarif')).runs;
    expect(run.results).toHaveLength(1);
    expect(run.results[0]).toMatchObject({ ruleId: 'topo-xml-same-bus', ruleIndex: 0, level: 'error' });
    expect(run.tool.driver.rules[0].id).toBe('topo-xml-same-bus');
    expect(run.results[0].message.text).toContain('0000:11:00.0');
    expect(run.results[0].locations[0].physicalLocation.region.startLine).toBe(line);
    for (const form of ['md', 'html', 'junit']) {
      expect(told(form)).toContain('two devices have the bus id 0000:11:00.0');
      expect(told(form)).toContain(`passed.xml:${line}`);
      expect(told(form)).not.toContain('Nothing found');
    }
    expect(told('junit')).toContain('failures="1"');
    expect(told('prometheus')).toContain('crowfly_file_mistakes 1');
  });
});
