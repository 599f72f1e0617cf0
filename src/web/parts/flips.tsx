import type { Flip } from '../page/answers.ts';
import { explain, good } from '../page/answers-of.ts';
import * as state from '../page/state.ts';
import { t } from '../page/words.ts';
import { Command } from './command.tsx';
import { Sign } from './verdict.tsx';

const most = 6;

/** What would change the verdict, cheapest first; what the page can try, it tries at a click. */
export function Flips() {
  const answer = good(explain.value);
  if (!answer || answer.flips.length === 0) return null;
  const flips = foremost(answer.flips);
  return (
    // Where the way is direct, what would spoil it is not the first thing to see.
    <details class="flipbox" open={answer.direct !== 'yes'} key={answer.direct}>
      <summary>
        <h3>{t('page.flips')}</h3>
      </summary>
      <ul class="flips">
        {flips.map((f) => (
          <li key={f.edits.map((e) => e.id).join(' + ')}>
            <Sign verdict={f.direct} />{' '}
            <span>
              {f.edits.map((e) => e.what.text).join(' + ')} → <b>{f.ways[0]?.path ?? ''}</b>
            </span>
            {triable(f) ? (
              <button type="button" class="try" onClick={() => tryOut(f)}>
                {t('page.try')}
              </button>
            ) : null}
            {f.edits.map((e) => (e.command === undefined ? null : <Command key={e.id} text={e.command} />))}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** One of each kind: eight levels of one variable are one thought. */
function foremost(flips: readonly Flip[]): Flip[] {
  const seen = new Set<string>();
  const list: Flip[] = [];
  for (const f of flips) {
    const key = f.edits.map((e) => e.id.split(/[ =]/)[0]! + e.effort).join('+');
    if (seen.has(key)) continue;
    seen.add(key);
    list.push(f);
    if (list.length >= most) break;
  }
  return list;
}

/** What an edit is on the page: an assumption, a variable or a release. */
function switchOf(id: string): (() => void) | undefined {
  const variable = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(id);
  if (variable) return () => state.setVariable(variable[1]!, variable[2]!);
  const release = /^nccl (\S+)$/.exec(id);
  if (release)
    return () => {
      state.nccl.value = release[1]!;
    };
  const known: Readonly<Record<string, readonly [string, string]>> = {
    'nic-gdr on': ['peermem', 'on'],
    'nic-gdr off': ['peermem', 'off'],
    'gpu-gdr on': ['gdr', 'on'],
    'gpu-gdr off': ['gdr', 'off'],
    'p2p-status ok': ['p2p', 'on'],
    'p2p-status bad': ['p2p', 'off'],
  };
  const fact = Object.hasOwn(known, id) ? known[id] : undefined;
  return fact ? () => state.assumeFact(fact[0], fact[1]) : undefined;
}

const triable = (f: Flip): boolean => f.edits.every((e) => switchOf(e.id) !== undefined);

function tryOut(f: Flip): void {
  for (const e of f.edits) switchOf(e.id)?.();
}
