import { good, open, report } from '../page/answers-of.ts';
import { t } from '../page/words.ts';

/** Is it known that no input shows a machine? Then whatever needs one says so, rather than that it works. */
export function bare(): boolean {
  const machine = good(report.value)?.machine;
  return !open.value.busy && !report.value.busy && machine?.hosts.length === 0;
}

/** What is missing for anything to be said of a machine. */
export const NeedsTopology = () => <p class="hint">{t('page.needs-topology')}</p>;

/** What to do for a way to be shown: there must be a machine before two of its devices can be chosen. */
export const ChooseTwo = () => (bare() ? <NeedsTopology /> : <p class="hint">{t('page.choose-two')}</p>);
