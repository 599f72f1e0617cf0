import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';
import type { Perftest, PerftestRow } from './perftest.ts';

/**
 * What perftest writes with `--out_json`. Releases before 2024 left the quotes out and a comma in
 * (https://github.com/linux-rdma/perftest/issues/216), so it is read pair by pair and not as JSON.
 */
const pair =
  /["']?([A-Za-z][\w .%[\]/]{0,40}?)["']?\s*:\s*(?:"([^"]{0,80})"|'([^']{0,80})'|([^\s"',{}[\]][^"',{}[\]]{0,80}))/g;

type Row = { -readonly [K in keyof PerftestRow]?: PerftestRow[K] } & { at: Where };

/** Peak and average by the key that has them; of latency, the longest and the mean. */
const figures: Readonly<Record<string, 'peak' | 'average'>> = {
  BW_peak: 'peak',
  BW_average: 'average',
  t_max: 'peak',
  t_avg: 'average',
};

export const perftestJson = blockFormat({
  id: 'perftest-json',
  example: '"test_info": {',
  hints: ['test_info'],
  starts: /\{?\s*["']?test_info["']?\s*:\s*(?:\{|$)/,
  patience: 4,
  open: (context) => {
    let test: string | undefined;
    let device: string | undefined;
    let ethernet = false;
    const rows: Row[] = [];
    const take = (key: string, value: string, at: Where): boolean => {
      const number = Number(value);
      if (key === 'test') {
        const found = /^(RDMA_Write|RDMA_Read|Send|RawEth|Atomic)\w*?_(BW|Latency|Post_List)/.exec(value);
        if (found) test ??= own(`${found[1]} ${found[2]!.replace('_', ' ')}`);
      } else if (key === 'Device') device ??= own(value);
      else if (key === 'Link_type') ethernet = value === 'Ethernet';
      else if (key === 'MsgSize' && number > 0 && rows.length < 1000) rows.push({ bytes: number, at });
      const row = rows.at(-1);
      if (!row || !Number.isFinite(number)) return true;
      if (key === 'n_iterations') row.iterations ??= number;
      const [name, unit] = key.split(/[[\]]/);
      const figure = Object.hasOwn(figures, name!) ? figures[name!] : undefined;
      if (figure) {
        row[figure] ??= number;
        // Of a bandwidth the file does not say whether it is in MB/s or, with --report_gbits, in Gb/s.
        row.unit ??= own(unit ?? (name!.startsWith('t_') ? 'usec' : ''));
      }
      return true;
    };
    return {
      take(line, number) {
        const pairs = [...line.slice(0, 4096).matchAll(pair)];
        for (const [, key, a, b, c] of pairs) take(key!.trim(), (a ?? b ?? c)!.trim(), context.at(number));
        return pairs.length > 0 || /^[\s{}[\],]*$|test_info|results/.test(line);
      },
      close: (): Perftest | undefined => {
        const whole = rows.flatMap(({ bytes, iterations, peak, average, unit, at }) =>
          bytes === undefined || average === undefined
            ? []
            : [{ bytes, iterations: iterations ?? 0, peak: peak ?? average, average, unit: unit ?? '', at }],
        );
        if (whole.length === 0 && test === undefined) return undefined;
        return {
          kind: 'perftest',
          file: context.file,
          ...(test === undefined ? {} : { test }),
          ...(device === undefined ? {} : { device }),
          ethernet,
          rows: whole,
        };
      },
    };
  },
});
