import { isLeaf, type Placed } from '../../tell/picture/layout.ts';
import { t } from '../page/words.ts';
import { Places } from '../parts/places.tsx';
import type { Plan } from './place.ts';

/** One line about the device under the pointer or the focus: what it is, and which lines say so. */
export function Details({ plan, id }: { plan: Plan | undefined; id: string | undefined }) {
  const box = plan && id !== undefined ? find(plan, id) : undefined;
  return (
    <p class="details" aria-live="off">
      {box ? (
        <>
          <strong>{box.id || box.label}</strong>
          {[box.name, box.busId, box.link, typeof box.detail === 'string' ? box.detail : undefined]
            .filter((x) => x !== undefined && x !== '')
            .map((x) => ` · ${x}`)}
          {box.nvlinks > 0 ? ` · ${box.nvlinks} NVLinks` : ''}
          {box.count > 1 ? ` · ${t('page.stands-for', { count: box.count })}` : ''}
          {isLeaf(box) && box.at.length === 0 ? ` · ${t('page.from-catalogue')}` : ''}
          <Places at={box.at} />
        </>
      ) : plan ? (
        t('page.choose-two')
      ) : null}
    </p>
  );
}

function find(plan: Plan, id: string): Placed['box'] | undefined {
  const stack = plan.nodes.flatMap((n) => [...n.boxes]);
  for (let p = stack.pop(); p; p = stack.pop()) {
    if (p.box.id === id) return p.box;
    stack.push(...p.children);
  }
  return undefined;
}
