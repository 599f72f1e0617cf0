import { isLeaf, type Placed } from '../../tell/picture/layout.ts';
import type { PictureBox } from '../../tell/picture/model.ts';
import { t } from '../page/words.ts';
import { fitted } from './fitted.ts';
import { boxTitle, memoryRect, type PlacedNode, type Plan, times } from './place.ts';

interface LabelProps {
  readonly plan: Plan;
  readonly marks: ReadonlyMap<string, string>;
}

/**
 * What stands on the boxes: a layer of its own above the threads, so that none runs across a name. The devices below say
 * the same to those who do not see it.
 */
export function Labels({ plan, marks }: LabelProps) {
  return (
    <g class="labels" aria-hidden="true">
      {plan.nodes.map((n) => (
        <g key={n.node.id}>
          {n.node.title === '' && plan.nodes.length === 1 ? null : (
            <text class="hosttext" x={n.rect.x + 12} y={n.rect.y + 21}>
              {n.node.title}
            </text>
          )}
          <More placed={n} />
          {n.boxes.map((b) => (
            <BoxLabels key={b.box.id} placed={b} marks={marks} />
          ))}
          {n.band ? (
            <text class="bandtext" x={n.band.x + n.band.w / 2} y={n.band.y + 17} text-anchor="middle">
              {fitted(n.node.nvswitch ?? '', n.band.w)}
            </text>
          ) : null}
        </g>
      ))}
      {plan.network ? (
        <text class="networktext" x={plan.network.x + plan.network.w / 2} y={plan.network.y + 17} text-anchor="middle">
          {t('page.network')}
        </text>
      ) : null}
    </g>
  );
}

function More({ placed: { node, rect } }: { placed: PlacedNode }) {
  if (node.more === 0) return null;
  return (
    <text class="quiet" x={rect.x + 12} y={rect.y + rect.h - 9}>
      {t('page.more-nodes', { count: node.more })}
    </text>
  );
}

function BoxLabels({ placed, marks }: { placed: Placed; marks: LabelProps['marks'] }) {
  const { box, x, y, w } = placed;
  if (isLeaf(box)) return <LeafLabels placed={placed} mark={box.mark ?? marks.get(box.id)} />;
  const memory = box.kind === 'cpu' ? memoryRect(placed) : undefined;
  return (
    <g>
      <g class={`on-${box.kind}`}>
        <text class="boxtext" x={x + 10} y={y + 19}>
          {fitted(boxTitle(box), w - (memory ? 90 : 0))}
        </text>
      </g>
      {placed.children.map((c) => (
        <BoxLabels key={c.box.id} placed={c} marks={marks} />
      ))}
      {memory ? (
        <g class="on-memory">
          <text class="memorytext" x={memory.x + memory.w / 2} y={memory.y + 15} text-anchor="middle">
            {t('page.memory')}
          </text>
        </g>
      ) : null}
    </g>
  );
}

function LeafLabels({ placed: { box, x, y, w }, mark }: { placed: Placed; mark: string | undefined }) {
  return (
    <g class={`on-${box.kind}`}>
      <text class="label" x={x + 8} y={y + 17}>
        {fitted(box.label + times(box), w)}
      </text>
      <text class="detail" x={x + 8} y={y + 32}>
        {fitted(detailOf(box) ?? '', w, 6)}
      </text>
      {mark === undefined ? null : (
        <text class={`sign ${mark}`} x={x + w - 13} y={y + 16}>
          {signs[mark] ?? ''}
        </text>
      )}
    </g>
  );
}

const signs: Readonly<Record<string, string>> = { bad: '!', look: '▲', unknown: '?' };

/** The second line of a device: what it is, or how it is linked. */
export const detailOf = (box: PictureBox): string | undefined =>
  typeof box.detail === 'string' ? box.detail : box.link?.replace('PCIe ', '');
