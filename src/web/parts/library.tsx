import { size } from '../../tell/text/quantity.ts';
import type { NcclLesson } from '../page/answers.ts';
import * as state from '../page/state.ts';
import { colorOf } from '../page/ways.ts';
import { t } from '../page/words.ts';
import { Sign } from './verdict.tsx';

/** The lesson about NCCL: which way each kind of pair takes on this machine, and what each size runs with. */
export function Library({ answer }: { answer: NcclLesson }) {
  return (
    <article class="lesson">
      <h2>NCCL {answer.ncclVersion}</h2>
      {answer.about.map((p) => (
        <p key={p}>{p}</p>
      ))}
      <h3>{t('page.nccl.ways')}</h3>
      <ol class="stages">
        {answer.ways.map((w) => (
          <li key={`${w.from[0]} ${w.to[0]} ${w.rule.code}`}>
            <button
              type="button"
              class="waybutton"
              onClick={() => {
                state.from.value = w.from[0];
                state.to.value = w.to[0];
                state.only.value = undefined;
              }}
            >
              {w.from[0]} → {w.to[0]}
            </button>{' '}
            <b style={{ color: `var(--${colorOf(w.path)})` }}>{w.path}</b> <Sign verdict={w.direct} />
            <br />
            <span class="quiet">{w.rule.text}</span>
          </li>
        ))}
      </ol>
      <h3>{t('page.nccl.choices')}</h3>
      <table class="sizes">
        <thead>
          <tr>
            <th scope="col" class="n">
              {t('page.head.size')}
            </th>
            <th scope="col">{t('page.head.algorithm')}</th>
            <th scope="col" class="n">
              {t('page.nccl.channels')}
            </th>
          </tr>
        </thead>
        <tbody>
          {answer.choices.map((c) => (
            <tr key={c.fromBytes}>
              <th scope="row" class="n">
                {size(c.fromBytes)} – {size(c.toBytes)}
              </th>
              <td>
                {c.algorithm} {c.protocol}
              </td>
              <td class="n">≤ {c.channels}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="limit">{answer.limit}</p>
    </article>
  );
}
