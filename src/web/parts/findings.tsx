import type { Finding } from '../page/answers.ts';
import { findings, good, report } from '../page/answers-of.ts';
import * as state from '../page/state.ts';
import { t } from '../page/words.ts';
import { Command } from './command.tsx';
import { Places } from './places.tsx';
import { Sign } from './verdict.tsx';

/** The doctor's list: each finding with its lines, its place in the picture and what to type. */
export function FindingsPanel() {
  const told = findings.value;
  if (state.files.value.length === 0) return <p class="hint">{t('page.findings-need-files')}</p>;
  if (told.answer?.ok === false) return <p class="trouble">{told.answer.why}</p>;
  const answer = good(told);
  if (!answer) return <p class="hint">{t('page.working')}</p>;
  const causes = answer.findings.filter((f) => f.follows === undefined);
  const decided = answer.verdicts.filter((v) => v.verdict !== 'unknown');
  const open = answer.verdicts.filter((v) => v.verdict === 'unknown');
  return (
    <div class={told.busy ? 'busy' : ''}>
      {causes.length === 0 ? <p class="hint">{t(nothingRead() ? 'page.nothing-read' : 'page.no-findings')}</p> : null}
      <ul class="findings">
        {causes.map((f) => (
          <One key={f.id} finding={f} below={answer.findings.filter((x) => x.follows === f.id)} />
        ))}
      </ul>
      {decided.length > 0 ? (
        <section>
          <h3>{t('page.ways-open')}</h3>
          <ul class="plain">
            {decided.map((v) => (
              <li key={v.about}>
                <Sign verdict={v.verdict} about="open" /> {v.about} <Places at={v.evidence} />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {open.length > 0 ? (
        <details>
          <summary>{t('page.not-known', { count: open.length })}</summary>
          <ul class="plain">
            {open.map((v) => (
              <li key={v.about}>
                {v.about}
                {v.settle ? <Command text={v.settle.command} /> : null}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  );
}

/** Of inputs that nobody could read it is not known whether anything is wrong. */
const nothingRead = (): boolean => good(report.value)?.inputs.every((i) => i.formats.length === 0) === true;

function One({ finding, below }: { finding: Finding; below: readonly Finding[] }) {
  const point = (on: boolean): void => {
    state.pointed.value = on ? (finding.devices ?? []) : [];
  };
  return (
    <li
      class={`finding ${finding.severity}`}
      data-finding={finding.id}
      onPointerEnter={() => point(true)}
      onPointerLeave={() => point(false)}
      onFocusCapture={() => point(true)}
      onBlurCapture={() => point(false)}
    >
      <h3>
        <span class="severity">{t(`page.severity.${finding.severity}`)}</span> {finding.title}
      </h3>
      <p class="quiet">
        <code>{finding.id}</code> · {t('page.percent', { count: Math.round(finding.confidence * 100) })}
        {finding.devices
          ? ` · ${finding.devices.slice(0, 12).join(', ')}${finding.devices.length > 12 ? ' …' : ''}`
          : ''}
      </p>
      <p>
        {finding.effect} {finding.cost ? <b>{finding.cost}</b> : null}
      </p>
      {finding.absent?.map((a) => (
        <p key={a} class="quiet">
          {a}
        </p>
      ))}
      {finding.evidence.map((e) => (
        <div key={`${e.file}:${e.line}`} class="evidence">
          <Places at={[e]} />
          <code>{e.text}</code>
        </div>
      ))}
      {finding.fix.map((x, i) => (
        <div key={i}>
          <p>{x.text}</p>
          {x.command === undefined ? null : <Command text={x.command} />}
        </div>
      ))}
      {finding.settle ? <Command text={finding.settle.command} /> : null}
      {below.length > 0 ? (
        <p class="quiet">
          {t('page.follows')} {below.map((b) => b.title).join(' · ')}
        </p>
      ) : null}
    </li>
  );
}
