import { useState } from 'preact/hooks';
import { good, report } from '../page/answers-of.ts';
import * as state from '../page/state.ts';
import { t } from '../page/words.ts';

const links = ['gen3x4', 'gen3x8', 'gen3x16', 'gen4x8', 'gen4x16', 'gen5x8', 'gen5x16', 'gen6x16'];

/** Two changes that are made with hands: a card into another slot, a link that trains lower. */
export function Rearrange() {
  const devices = good(report.value)?.machine.devices ?? [];
  const of = (...kinds: string[]): string[] => devices.filter((d) => kinds.includes(d.kind)).map((d) => d.id);
  return (
    <>
      <Pair
        id="slot"
        words={[t('page.move-card'), t('page.beside-device')]}
        left={of('nic', 'nvme')}
        right={of('gpu', 'cpu', 'switch')}
        put={(device, beside) => state.assumeFact(`${device}.slot`, beside)}
      />
      <Pair
        id="link"
        words={[t('page.narrow'), t('page.to-link')]}
        left={of('gpu', 'nic', 'nvme', 'switch')}
        right={links}
        put={(device, link) => state.assumeFact(`${device}.link`, link)}
      />
    </>
  );
}

interface PairProps {
  readonly id: string;
  readonly words: readonly [string, string];
  readonly left: readonly string[];
  readonly right: readonly string[];
  readonly put: (left: string, right: string) => void;
}

function Pair({ id, words, left, right, put }: PairProps) {
  const [device, setDevice] = useState('');
  return (
    <span class="rearrange">
      <label>
        {words[0]}{' '}
        <select id={id} value={device} onChange={(e) => setDevice(e.currentTarget.value)}>
          <option value="">–</option>
          {left.map((d) => (
            <option key={d} value={d}>
              {d}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words[1]}{' '}
        <select
          id={`${id}-to`}
          disabled={device === ''}
          value=""
          onChange={(e) => {
            if (e.currentTarget.value !== '') put(device, e.currentTarget.value);
            setDevice('');
          }}
        >
          <option value="">–</option>
          {right.map((d) => (
            <option key={d} value={d}>
              {d}
            </option>
          ))}
        </select>
      </label>
    </span>
  );
}
