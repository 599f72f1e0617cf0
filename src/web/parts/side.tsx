import { findings, good } from '../page/answers-of.ts';
import { type Tab, tabs } from '../page/link.ts';
import * as state from '../page/state.ts';
import { t } from '../page/words.ts';
import { CollectivePanel } from './collective.tsx';
import { FindingsPanel } from './findings.tsx';
import { InputsPanel } from './inputs.tsx';
import { LearnPanel } from './learn.tsx';
import { TimelinePanel } from './timeline.tsx';
import { WayPanel } from './way.tsx';

const panels: Readonly<Record<Tab, () => preact.JSX.Element | null>> = {
  way: WayPanel,
  collective: CollectivePanel,
  findings: FindingsPanel,
  timeline: TimelinePanel,
  learn: LearnPanel,
  inputs: InputsPanel,
};

/** What is said beside the picture, one thing at a time. */
export function Side() {
  const Panel = panels[state.tab.value];
  const walk = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(state.tab.value) + step + tabs.length) % tabs.length]!;
    state.tab.value = next;
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <div class="side">
      <div role="tablist" class="tabs" aria-label={t('page.tabs')} onKeyDown={walk}>
        {tabs.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={state.tab.value === name}
            aria-controls="panel"
            tabIndex={state.tab.value === name ? 0 : -1}
            onClick={() => {
              state.tab.value = name;
            }}
          >
            {t(`page.tab.${name}`)}
            {name === 'findings' ? <Count /> : null}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="panel" class="panel" aria-labelledby={`tab-${state.tab.value}`}>
        <Panel />
      </div>
    </div>
  );
}

function Count() {
  const list = good(findings.value)?.findings.filter((f) => f.follows === undefined && f.severity !== 'info') ?? [];
  if (list.length === 0) return null;
  const bad = list.some((f) => f.severity === 'error');
  return <span class={bad ? 'count bad' : 'count'}>{list.length}</span>;
}
