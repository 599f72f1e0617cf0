import { useState } from 'preact/hooks';
import type { ReportWay } from '../page/answers.ts';
import { catalogue, good, report, reportBefore } from '../page/answers-of.ts';
import * as state from '../page/state.ts';
import { t } from '../page/words.ts';
import { Rearrange } from './rearrange.tsx';

const facts = ['gdr', 'p2p', 'peermem', 'dmabuf', 'acs', 'iommu', 'nvlink'] as const;

/** On a narrow screen the picture comes first. */
const wide = matchMedia('(min-width: 1000px)').matches;

/** Switches that everything on the page follows: as the inputs say, on, or off. */
export function WhatIf() {
  return (
    <details class="whatif" open={state.changed.value || wide}>
      <summary>
        {t('page.what-if')}
        {state.changed.value ? <Tried /> : null}
      </summary>
      <div class="switches">
        {facts.map((f) => (
          <Switch key={f} fact={f} />
        ))}
        <label>
          {t('page.nodes')}{' '}
          <input
            id="nodes"
            type="number"
            min="1"
            max="100000"
            value={state.nodes.value ?? good(report.value)?.nodes ?? 1}
            onChange={(e) => {
              const n = Number(e.currentTarget.value);
              state.nodes.value = Number.isInteger(n) && n >= 1 ? n : undefined;
            }}
          />
        </label>
        <label>
          NCCL{' '}
          <select
            id="nccl"
            value={state.nccl.value ?? ''}
            onChange={(e) => {
              state.nccl.value = e.currentTarget.value || undefined;
            }}
          >
            <option value="">{t('page.as-it-is')}</option>
            {[...(catalogue.value?.releases ?? [])].reverse().map((r) => (
              <option key={r} value={r}>
                {r}
              </option>
            ))}
          </select>
        </label>
        <details class="more">
          <summary>{t('page.more')}</summary>
          <div class="switches">
            <Rearrange />
            <Free />
          </div>
        </details>
      </div>
      <Changed />
    </details>
  );
}

function Switch({ fact }: { fact: (typeof facts)[number] }) {
  const now = state.assumed.value.find((a) => a.startsWith(`${fact}=`))?.slice(fact.length + 1) ?? '';
  // NVLink cannot be put where none is.
  const choices = fact === 'nvlink' ? ['', 'off'] : ['', 'on', 'off'];
  return (
    <fieldset class="switch">
      <legend>{t(`page.fact.${fact}`)}</legend>
      {choices.map((c) => (
        <button
          key={c}
          type="button"
          data-switch={`${fact}=${c}`}
          aria-pressed={now === c}
          onClick={() => state.assumeFact(fact, c === '' ? undefined : c)}
        >
          {c === '' ? t('page.as-it-is') : t(`page.${c as 'on' | 'off'}`)}
        </button>
      ))}
    </fieldset>
  );
}

/** Anything else: a variable, a slot, a link. One line, as on the command line. */
function Free() {
  const [text, setText] = useState('');
  const add = (): void => {
    const i = text.indexOf('=');
    if (i <= 0) return;
    const [name, value] = [text.slice(0, i).trim(), text.slice(i + 1).trim()];
    if (/^[A-Z][A-Z0-9_]*$/.test(name)) state.setVariable(name, value);
    else state.assumeFact(name, value);
    setText('');
  };
  return (
    <form
      class="free"
      onSubmit={(e) => {
        e.preventDefault();
        add();
      }}
    >
      <label>
        {t('page.free')}{' '}
        <input
          id="free"
          type="text"
          list="tries"
          value={text}
          placeholder="NCCL_NET_GDR_LEVEL=SYS"
          spellcheck={false}
          onInput={(e) => setText(e.currentTarget.value)}
        />
      </label>
      <datalist id="tries">
        {['nic0.slot=gpu4', 'nic0.link=gen4x8', 'nic0.rate=200Gb/s', 'gpu0.link=gen3x16', ...variables].map((v) => (
          <option key={v} value={v} />
        ))}
      </datalist>
      <button type="submit">{t('page.add')}</button>
    </form>
  );
}

const variables = [
  'NCCL_NET_GDR_LEVEL=SYS',
  'NCCL_P2P_LEVEL=SYS',
  'NCCL_P2P_DISABLE=1',
  'NCCL_IB_DISABLE=1',
  'NCCL_ALGO=Ring',
  'NCCL_PROTO=Simple',
];

function Tried() {
  const chips: readonly (readonly [string, () => void])[] = [
    ...state.assumed.value.map((a): [string, () => void] => [
      a,
      () => state.assumeFact(a.slice(0, a.indexOf('=')), undefined),
    ]),
    ...state.env.value.map(([n, v]): [string, () => void] => [`${n}=${v}`, () => state.setVariable(n, undefined)]),
    ...(state.nccl.value === undefined
      ? []
      : [
          [
            `NCCL ${state.nccl.value}`,
            (): void => {
              state.nccl.value = undefined;
            },
          ] as const,
        ]),
  ];
  return (
    <span class="chips">
      {chips.map(([text, away]) => (
        <button
          key={text}
          type="button"
          class="chip"
          aria-label={t('page.take-back', { what: text })}
          onClick={(e) => {
            e.preventDefault();
            away();
          }}
        >
          {text} ×
        </button>
      ))}
    </span>
  );
}

/** Which ways of the machine are other ones than before. */
function Changed() {
  const after = good(report.value);
  const before = good(reportBefore.value);
  if (report.value.answer?.ok === false) return <p class="trouble">{report.value.answer.why}</p>;
  if (!state.changed.value || !after || !before) return null;
  if (after.refused) return <p class="trouble">{after.refused.text}</p>;
  const was = new Map(before.ways.flatMap((w) => pairs(w).map((p) => [p, w] as const)));
  const lines = after.ways.filter((w) => pairs(w).some((p) => nameOf(was.get(p)) !== nameOf(w)));
  return (
    <ul class="plain changed" aria-live="polite">
      {lines.length === 0 ? <li class="quiet">{t('page.no-way-changed')}</li> : null}
      {lines.map((w) => (
        <li key={pairs(w)[0]}>
          {folded(w.from)} → {folded(w.to)}: <s>{nameOf(was.get(pairs(w)[0]!))}</s> <b>{nameOf(w)}</b>
        </li>
      ))}
    </ul>
  );
}

const pairs = (w: ReportWay): string[] => w.from.flatMap((a) => w.to.map((b) => `${a} ${b}`));
const nameOf = (w: ReportWay | undefined): string => w?.ways[0]?.path ?? '–';
const folded = (names: readonly string[]): string =>
  names.length <= 2 ? names.join(', ') : `${names[0]}…${names.at(-1)!.replace(/^.*\//, '')}`;
