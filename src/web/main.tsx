import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app.tsx';
import { desk, explain, generation, good, move, report } from './page/answers-of.ts';
import { keepFiles } from './page/keep.ts';
import { unpack } from './page/link.ts';
import * as state from './page/state.ts';
import { t } from './page/words.ts';
import { bring } from './parts/bring.tsx';
import type { InputFile } from './protocol.ts';
import './style/colors.css';
import './style/page.css';
import './style/picture.css';
import './style/panels.css';

const root = document.getElementById('root')!;
render(<App />, root);

effect(() => {
  document.documentElement.lang = state.language.value;
  document.title = t('page.title');
});
effect(() => {
  if (state.theme.value === undefined) delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = state.theme.value;
});
// What is seen stands in the address, so that it can be sent; nothing of the inputs does.
effect(() => {
  history.replaceState(null, '', state.hash.value);
});

/** The inputs that ends were chosen for. */
let chosen = 0;
// Two ends to begin with: the first GPU, and its like on the next node, or beside it.
effect(() => {
  const answer = good(report.value);
  if (!answer || report.value.busy || state.from.value !== undefined || chosen === generation.value) return;
  chosen = generation.value;
  const gpu = answer.machine.devices.find((d) => d.kind === 'gpu')?.id;
  if (gpu === undefined) return;
  const nodes = answer.machine.hosts.length > 1 || answer.machine.hosts.some((h) => h.count > 1);
  const next = answer.machine.devices.filter((d) => d.kind === 'gpu')[1]?.id;
  state.from.value = gpu;
  state.to.value = nodes ? `node1/${gpu.replace(/^node\d+\//, '')}` : next;
});

const inLink = state.packed.peek();
if (inLink !== undefined) {
  void unpack(inLink).then(
    (list) => {
      state.files.value = list.map((f) => ({ name: f.name, content: new Blob([f.text]) }));
    },
    // What cannot be unpacked is no input; the rest of the link still holds.
    () => {
      state.packed.value = undefined;
    },
  );
}

// Files named on the command line lie beside the page while `crowfly serve` runs, and come with it again.
const fromServer = new WeakSet<Blob>();
void keepFiles((f) => fromServer.has(f.content));
const served = document.querySelector<HTMLMetaElement>('meta[name="crowfly-inputs"]')?.content;
if (served) {
  const names = JSON.parse(served) as string[];
  const fetched = async (name: string, i: number): Promise<InputFile> => {
    const content = await (await fetch(`inputs/${i}`)).blob();
    fromServer.add(content);
    return { name, content };
  };
  void Promise.all(names.map(fetched)).then(bring);
}

// Everything that later questions need is loaded once the first screen stands: afterwards the page asks nobody for anything.
let timer: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  if (generation.value === 0 || report.value.busy || move.value.busy || explain.value.busy) return;
  clearTimeout(timer);
  // A moment later, since what was just answered may have led to the next question.
  timer = setTimeout(() => {
    if (move.peek().busy || explain.peek().busy || root.dataset['settled']) return;
    void desk.settle().then(() => {
      root.dataset['settled'] = 'true';
    });
  }, 60);
});
