import type { Where } from '../fact/fact.ts';
import type { Machine } from '../machine/machine.ts';
import type { Document } from '../read/documents.ts';
import { smiField } from '../read/gpu/smi-query.ts';
import { classOfName, classOfWords, rdmaName, vendorOf } from '../read/pci/kind.ts';
import type { Lspci } from '../read/pci/types.ts';
import { say } from '../words/message.ts';
import { isGpu } from './from-pci-tree.ts';

interface Seen {
  readonly name: string;
  readonly at: Where;
}

/** What the inputs name where none shows how it is connected: GPUs and NICs, by kind. */
export function devicesSeen(documents: readonly Document[]): Machine['notes'] {
  const gpus = longest([...smiLists(documents), ...pciLists(documents, 'gpu')]);
  const rdma = documents.flatMap((d) => (d.kind === 'rdma-ports' ? [d.ports] : []));
  const nics = longest([
    ...pciLists(documents, 'nic'),
    // A device with two ports is one card.
    ...rdma.map((ports) => [...new Map(ports.map((p) => [p.device, { name: p.device, at: p.at }])).values()]),
  ]);
  const tree = documents.find(
    (d): d is Lspci => d.kind === 'lspci' && d.roots.length > 0 && d.leaves.some((l) => l.name),
  );
  return [
    ...(tree && gpus.length === 0
      ? [{ message: say('assemble.tree.no-gpu'), at: tree.leaves[0] ? [tree.leaves[0].at] : [] }]
      : []),
    ...(gpus.length === 0 ? [] : [{ message: say('assemble.seen.gpus', { list: counted(gpus) }), at: [gpus[0]!.at] }]),
    ...(nics.length === 0 ? [] : [{ message: say('assemble.seen.nics', { list: counted(nics) }), at: [nics[0]!.at] }]),
  ];
}

/** The same devices stand in several outputs, and some leave a few out; the first of the longest lists is taken. */
const longest = (lists: readonly (readonly Seen[])[]): readonly Seen[] =>
  lists.reduce((best, list) => (list.length > best.length ? list : best), []);

function smiLists(documents: readonly Document[]): Seen[][] {
  return documents.flatMap((d): Seen[][] => {
    if (d.kind === 'smi-gpus' || d.kind === 'smi-table') return [d.gpus.map(({ name, at }) => ({ name, at }))];
    if (d.kind !== 'smi-query') return [];
    const heads = d.gpus.filter((g) => g.busId !== undefined);
    return [
      heads.flatMap((g) => {
        const product = smiField(g, 'product name');
        return product ? [{ name: product.value, at: product.at }] : [];
      }),
    ];
  });
}

function pciLists(documents: readonly Document[], kind: 'gpu' | 'nic'): Seen[][] {
  return documents.flatMap((d): Seen[][] => {
    if (d.kind !== 'lspci') return [];
    const all = [
      ...d.devices.map((x) => ({ ...x, classCode: classOfWords(x.className) })),
      ...d.leaves.flatMap((x) =>
        x.name === undefined ? [] : [{ ...x, name: x.name, classCode: classOfName(x.name, x.ids) }],
      ),
    ];
    const one = [...new Map(all.map((x) => [x.address, x])).values()];
    if (kind === 'gpu')
      return [one.filter((x) => isGpu({ classCode: x.classCode, vendor: vendorOf(x.name, x.ids) ?? '' })).map(plain)];
    const cards = one.filter((x) => x.classCode.startsWith('0x02'));
    const rdma = cards.filter((x) => rdmaName.test(x.name) || x.classCode === '0x020700');
    return [(rdma.length > 0 ? rdma : cards).map(plain)];
  });
}

/** Without the maker, and without the revision that stands behind the name. */
const plain = ({ name, at }: Seen): Seen => ({
  name: name.replace(/^(?:NVIDIA Corporation|Mellanox Technologies) /, '').replace(/ \(rev \w+\)$/, ''),
  at,
});

/** `8 × NVIDIA H100 80GB HBM3, 1 × …`; at most eight kinds. */
function counted(list: readonly Seen[]): string {
  const kinds = new Map<string, number>();
  for (const { name } of list) kinds.set(name, (kinds.get(name) ?? 0) + 1);
  const shown = [...kinds].slice(0, 8).map(([name, n]) => (n === 1 ? name : `${n} × ${name}`));
  return shown.join(', ') + (kinds.size > 8 ? ', …' : '');
}
