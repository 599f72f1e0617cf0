import { useState } from 'preact/hooks';
import { t } from '../page/words.ts';

/** A command to run, with a button that copies it. */
export function Command({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <div class="command">
      <code>{text}</code>
      <button
        type="button"
        aria-label={t('page.copy-command')}
        onClick={() => {
          void navigator.clipboard.writeText(text).then(() => {
            setCopied(true);
            setTimeout(() => setCopied(false), 1500);
          });
        }}
      >
        {copied ? t('page.copied') : t('page.copy')}
      </button>
    </div>
  );
}
