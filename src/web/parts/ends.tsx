import type { PictureBox } from '../../tell/picture/model.ts';
import { size } from '../../tell/text/quantity.ts';
import { good, report } from '../page/answers-of.ts';
import * as state from '../page/state.ts';
import { running } from '../page/ways.ts';
import { t } from '../page/words.ts';
import { nodesOf } from '../picture/boxes.ts';
import { memoryOf } from '../picture/place.ts';

/** The two ends as lists, for who does not click into pictures, and for ends that no picture has. */
export function Ends() {
  const shown = good(report.value)?.machine;
  const names = shown ? endsOf(nodesOf(shown).flatMap((n) => n.cpus)) : [];
  const several = names.some((n) => n.startsWith('node'));
  const more = several ? ['node0/storage', 'node0/capture0'] : ['storage', 'capture0'];
  const choice = (id: string, label: string, which: typeof state.from): preact.JSX.Element => (
    <label>
      {label}{' '}
      <select
        id={id}
        value={which.value ?? ''}
        onChange={(e) => {
          which.value = e.currentTarget.value || undefined;
          state.only.value = undefined;
        }}
      >
        <option value="">–</option>
        {[...new Set([...(which.value === undefined ? [] : [which.value]), ...names, ...more])].map((n) => (
          <option key={n} value={n}>
            {n}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <div class="ends">
      {choice('from', 'A', state.from)}
      {choice('to', 'B', state.to)}
      <button
        type="button"
        class="swap"
        aria-label={t('page.swap')}
        onClick={() => {
          const [a, b] = [state.from.value, state.to.value];
          state.from.value = b;
          state.to.value = a;
        }}
      >
        ⇄
      </button>
      <label>
        {t('page.size')}{' '}
        <select
          id="bytes"
          value={state.bytes.value}
          onChange={(e) => {
            state.bytes.value = Number(e.currentTarget.value);
          }}
        >
          {sizes.map((b) => (
            <option key={b} value={b}>
              {size(b)}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        aria-pressed={!running.value}
        onClick={() => {
          running.value = !running.value;
        }}
      >
        {running.value ? t('page.pause') : t('page.play')}
      </button>
    </div>
  );
}

const sizes = Array.from({ length: 28 }, (_, i) => 2 ** (i + 3));

function endsOf(boxes: readonly PictureBox[]): string[] {
  const names: string[] = [];
  const walk = (b: PictureBox): void => {
    if (b.kind === 'gpu' || b.kind === 'nvme' || b.kind === 'nic') names.push(b.id);
    if (b.kind === 'cpu') names.push(memoryOf(b.id));
    b.children.forEach(walk);
  };
  boxes.forEach(walk);
  const rank = (n: string): number => ['gpu', 'host', 'nvme', 'nic'].findIndex((k) => n.includes(k));
  return names.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en', { numeric: true }));
}
