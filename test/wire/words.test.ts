import { describe, expect, it } from 'vitest';
import type { WireReason } from '../../src/wire/outcome.ts';
import type { Dropped, RetryCause } from '../../src/wire/rc/events.ts';
import type { Status } from '../../src/wire/rc/work.ts';
import type { TransferRefusal } from '../../src/wire/transfer-pcap.ts';
import { wire as en } from '../../src/words/en/wire.ts';
import { wire as zh } from '../../src/words/zh/wire.ts';

/** The compiler refuses this type when a reason has no words. */
type Codes =
  | `wire.reason.${WireReason}`
  | `wire.status.${Status}`
  | `wire.retry.${RetryCause}`
  | `wire.dropped.${Dropped}`
  | `wire.transfer.${TransferRefusal}`;

const english: Record<Codes, string> = en;
const chinese: Record<Codes, string> = zh;

describe('words of the wire', () => {
  it('exist in both languages with the same data', () => {
    expect(Object.keys(chinese).sort()).toEqual(Object.keys(english).sort());
    const data = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!).sort();
    for (const [code, text] of Object.entries(english)) expect(data(chinese[code as Codes]), code).toEqual(data(text));
  });
});
