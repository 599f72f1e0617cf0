import { useState } from 'preact/hooks';
import { open, report } from './page/answers-of.ts';
import { filesDropped } from './page/files.ts';
import { files } from './page/state.ts';
import { t } from './page/words.ts';
import { bring } from './parts/bring.tsx';
import { Ends } from './parts/ends.tsx';
import { Header } from './parts/header.tsx';
import { Quote } from './parts/quote.tsx';
import { Side } from './parts/side.tsx';
import { WhatIf } from './parts/what-if.tsx';
import { Machine } from './picture/machine.tsx';

/** What the page is at, for those who do not see the bar run. */
function saying(): string {
  if (!open.value.busy) return '';
  const count = files.value.length;
  return count > 0 ? t('page.reading', { count }) : t('page.working');
}

/** The page: left the machine, right one thing said about it. */
export function App() {
  const [over, setOver] = useState(false);
  const told = open.value.answer;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files may be dropped anywhere; the button for files does the same
    <div
      class={over ? 'page dropping' : 'page'}
      onDragOver={(e) => {
        e.preventDefault();
        setOver(true);
      }}
      onDragLeave={(e) => {
        if (e.relatedTarget === null) setOver(false);
      }}
      onDrop={(e) => {
        e.preventDefault();
        setOver(false);
        const there = files.value.map((f) => f.name);
        if (e.dataTransfer) void filesDropped(e.dataTransfer, there).then(bring);
      }}
    >
      <Header />
      <div class={open.value.busy || report.value.busy ? 'progress on' : 'progress'} role="status">
        <span class="hidden">{saying()}</span>
      </div>
      <main>
        <section class="left" aria-label={t('page.machine')}>
          {told?.ok === false && !open.value.busy ? <p class="trouble">{told.why}</p> : null}
          {told?.ok && told.value.usual ? (
            <p class="hint">{t('page.usual-system', { system: told.value.usual })}</p>
          ) : null}
          <WhatIf />
          <Ends />
          <Machine />
        </section>
        <Side />
      </main>
      <Quote />
      {over ? <div class="drop">{t('page.drop')}</div> : null}
    </div>
  );
}
