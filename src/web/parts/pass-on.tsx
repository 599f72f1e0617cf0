import { useState } from 'preact/hooks';
import { desk, explain, findings, good, move, prediction, report } from '../page/answers-of.ts';
import { download, pngOf } from '../page/export.ts';
import { pack } from '../page/link.ts';
import * as state from '../page/state.ts';
import { t } from '../page/words.ts';
import { Menu } from './menu.tsx';

/** Links carry so many bytes of inputs at most; more is no link any more. */
const mostPacked = 256 * 1024;

/** Ways to hand on what is seen: a link, a picture, words, data. */
export function PassOn() {
  const [said, setSaid] = useState('');
  const form = async (as: 'svg' | 'markdown'): Promise<string | undefined> => {
    const answer = await desk.ask<string>('form', { view: state.view.value, as });
    if (answer.ok) return answer.value;
    setSaid(answer.why);
    return undefined;
  };
  const link = async (withFiles: boolean): Promise<void> => {
    const packed = withFiles ? await packedInputs() : '';
    if (packed === undefined) {
      setSaid(t('page.too-large-for-link'));
      return;
    }
    // A link without the inputs stays without those that another link brought.
    const bare = state.hash.value.replace(/&packed=[^&]*/, '');
    const url = `${location.href.split('#')[0]}${bare}${packed === '' ? '' : `&packed=${packed}`}`;
    await navigator.clipboard.writeText(url);
    setSaid(t('page.link-copied'));
  };
  return (
    <Menu name={t('page.pass-on')}>
      <button type="button" onClick={() => void link(false)}>
        {t('page.copy-link')}
      </button>
      {state.files.value.length > 0 ? (
        <button type="button" onClick={() => void link(true)}>
          {t('page.copy-link-with-files')}
        </button>
      ) : null}
      <button
        type="button"
        onClick={async () => {
          const svg = await form('svg');
          if (svg !== undefined) download('crowfly.svg', svg, 'image/svg+xml');
        }}
      >
        SVG
      </button>
      <button
        type="button"
        onClick={async () => {
          const svg = await form('svg');
          if (svg !== undefined) download('crowfly.png', await pngOf(svg));
        }}
      >
        PNG
      </button>
      <button
        type="button"
        disabled={state.files.value.length === 0}
        onClick={async () => {
          const text = await form('markdown');
          if (text !== undefined) download('crowfly.md', text, 'text/markdown');
        }}
      >
        {t('page.markdown')}
      </button>
      <button
        type="button"
        onClick={() =>
          download(
            'crowfly.json',
            JSON.stringify(
              [report, explain, move, prediction, findings]
                .map((a) => good<unknown>(a.value))
                .filter((v) => v !== undefined),
              null,
              1,
            ),
            'application/json',
          )
        }
      >
        JSON
      </button>
      <p role="status" class="quiet">
        {said}
      </p>
    </Menu>
  );
}

async function packedInputs(): Promise<string | undefined> {
  const files = state.files.value;
  if (files.reduce((sum, f) => sum + f.content.size, 0) > mostPacked) return undefined;
  return pack(await Promise.all(files.map(async (f) => ({ name: f.name, text: await f.content.text() }))));
}
