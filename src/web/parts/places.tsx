import type { Place } from '../page/answers.ts';
import * as state from '../page/state.ts';

/** Lines of inputs, each a button that opens it. */
export function Places({ at }: { at: readonly Place[] }) {
  const real = at.filter((p) => p.file !== '' && p.line > 0);
  if (real.length === 0) return null;
  return (
    <span class="places">
      {real.slice(0, 5).map((p) => (
        <button
          key={`${p.file}:${p.line}`}
          type="button"
          class="place"
          onClick={() => {
            state.opened.value = { file: p.file, line: p.line };
          }}
        >
          {short(p.file)}:{p.line}
        </button>
      ))}
    </span>
  );
}

/** The end of a long name is what tells it apart. */
export const short = (file: string): string => (file.length <= 36 ? file : `…${file.slice(-34)}`);
