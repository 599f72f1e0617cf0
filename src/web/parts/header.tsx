import * as state from '../page/state.ts';
import { t } from '../page/words.ts';
import { Bring } from './bring.tsx';
import { PassOn } from './pass-on.tsx';

export function Header() {
  return (
    <header class="top">
      <h1>
        <button
          type="button"
          class="home"
          onClick={() => {
            state.forget();
            state.putFiles([]);
            state.system.value = undefined;
            state.nodes.value = undefined;
          }}
        >
          crowfly <span lang="zh">直飞</span>
        </button>
      </h1>
      <Bring />
      <div class="tools">
        <PassOn />
        <button
          type="button"
          id="language"
          lang={state.language.value === 'en' ? 'zh-CN' : 'en'}
          onClick={() => {
            state.language.value = state.language.value === 'en' ? 'zh-CN' : 'en';
          }}
        >
          {state.language.value === 'en' ? '中文' : 'English'}
        </button>
        <button
          type="button"
          id="theme"
          aria-label={t('page.theme')}
          onClick={() => {
            const dark =
              state.theme.value === 'dark' ||
              (state.theme.value === undefined && matchMedia('(prefers-color-scheme: dark)').matches);
            state.theme.value = dark ? 'light' : 'dark';
          }}
        >
          ◐
        </button>
      </div>
    </header>
  );
}
