import { useEffect, useRef, useState } from 'preact/hooks';
import { catalogue, good, report } from '../page/answers-of.ts';
import { filesOf, pasteName } from '../page/files.ts';
import * as state from '../page/state.ts';
import { t } from '../page/words.ts';
import type { InputFile } from '../protocol.ts';
import { Menu } from './menu.tsx';
import { short } from './places.tsx';

/** Ways to bring a machine: drop files, paste, or pick a system. */
export function Bring() {
  const [text, setText] = useState('');
  const picker = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLSelectElement>(null);
  const all = catalogue.value?.systems ?? [];
  const chosen = state.system.value ?? (state.own.value ? '' : state.exampleSystem);
  // The list of systems comes after the page: what is chosen is set again when it is there.
  useEffect(() => {
    if (list.current) list.current.value = chosen;
  });
  const paste = (button: Element): void => {
    if (text.trim() === '') return;
    bring([{ name: pasteName(state.files.value.map((f) => f.name)), content: new Blob([text]) }]);
    setText('');
    // The answer is below the box.
    const menu = button.closest('details');
    if (menu) menu.open = false;
    menu?.querySelector('summary')?.focus();
  };
  return (
    <section class="bring" aria-label={t('page.bring')}>
      <button type="button" class="pick" onClick={() => picker.current?.click()}>
        {t('page.files')}
      </button>
      <input
        ref={picker}
        id="picker"
        type="file"
        multiple
        hidden
        onChange={(e) => {
          bring(filesOf(e.currentTarget.files ?? []));
          e.currentTarget.value = '';
        }}
      />
      <Menu name={t('page.paste')} wide>
        <label for="paste">{t('page.paste-what')}</label>
        <textarea
          id="paste"
          rows={8}
          value={text}
          spellcheck={false}
          placeholder={'        GPU0    GPU1    NIC0 …\nGPU0     X      NV18    PIX …'}
          onInput={(e) => setText(e.currentTarget.value)}
        />
        <button type="button" onClick={(e) => paste(e.currentTarget)}>
          {t('page.read')}
        </button>
      </Menu>
      <label class="system">
        <span class="hidden">{t('page.system')}</span>
        <select
          ref={list}
          id="system"
          aria-label={t('page.system')}
          onChange={(e) => {
            const id = e.currentTarget.value;
            state.system.value = id || undefined;
            state.from.value = undefined;
            state.to.value = undefined;
            if (state.nodes.value === undefined && state.files.value.length === 0) state.nodes.value = 2;
          }}
        >
          <option value="">{t('page.no-system')}</option>
          {(all.length > 0 ? all : [{ id: state.exampleSystem, name: '', gpus: 8 }]).map((s) => (
            <option key={s.id} value={s.id}>
              {s.name === '' ? s.id : `${s.name} (${s.id})`}
            </option>
          ))}
        </select>
      </label>
      {state.files.value.map((f) => (
        <Chip key={f.name} file={f} />
      ))}
      {state.own.value ? null : <span class="quiet">{t('page.example')}</span>}
    </section>
  );
}

/** A file on the page, to be taken away; one that nothing was read from says so by a sign and its border. */
function Chip({ file }: { file: InputFile }) {
  const { name } = file;
  const unread = unreadOf(name);
  return (
    <button
      type="button"
      class={unread ? 'chip unread' : 'chip'}
      title={unread ? t('page.unread') : undefined}
      aria-label={t('page.take-away', { what: unread ? `${name} (${t('page.unread')})` : name })}
      onClick={() => {
        state.putFiles(state.files.value.filter((x) => x !== file));
      }}
    >
      {unread ? <b aria-hidden="true">⊘ </b> : null}
      {short(name)} ×
    </button>
  );
}

/** A file of which the answer says that no format read anything; of an archive none of its members. */
function unreadOf(name: string): boolean {
  const told = good(report.value)?.inputs.filter((i) => i.file === name || i.file.startsWith(`${name}!`)) ?? [];
  return told.length > 0 && told.every((i) => i.formats.length === 0);
}

/** New files beside those that are there; one of the same name takes its place. */
export function bring(files: readonly { readonly name: string; readonly content: Blob }[]): void {
  if (files.length === 0) return;
  const names = new Set(files.map((f) => f.name));
  state.putFiles([...state.files.value.filter((f) => !names.has(f.name)), ...files].slice(0, most));
}

const most = 10_000;
