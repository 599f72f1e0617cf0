import { isOfProbe } from '../../read/nccl-topo-xml.ts';
import type { XmlElement } from '../../read/xml.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';
import { elementsOf } from '../xml-walk.ts';

const speedOf = (e: XmlElement): number => Number.parseFloat(e.attributes.get('link_speed') ?? '');
const widthOf = (e: XmlElement): number => Number(e.attributes.get('link_width') ?? '');
const isSwitch = (e: XmlElement): boolean =>
  e.name === 'pci' && (/^0x0604/.test(e.attributes.get('class') ?? '') || e.children.some((c) => c.name === 'pci'));

/** Files for NCCL: not the tree that a bundle holds, which nobody gives to NCCL. */
const written = (facts: Parameters<Rule>[0]) => facts.of('nccl-topo-xml').filter((x) => !isOfProbe(x));

/** Switches of topology files with what is recorded of their uplinks. */
const switches = (facts: Parameters<Rule>[0]) =>
  written(facts).flatMap(({ root, file }) =>
    elementsOf(root)
      .filter((e) => isSwitch(e) && e.children.length > 0 && speedOf(e) > 0)
      .map((e) => ({ e, at: { file, line: e.line }, gtps: speedOf(e) * (widthOf(e) || 16) })),
  );

/** An uplink of one slow lane: a sample value that was copied, or what a virtual bridge reports. */
export const topoBottleneck: Rule = (facts) => {
  const slow = switches(facts).filter((s) => s.gtps <= 8);
  const logged = facts.logs.flatMap((l) =>
    l.systems.flatMap((s) => {
      const at = new Map(s.nodes.map((n) => [n.id, n.at]));
      return s.links
        .filter((k) => k.type === 'PCI' && k.bw > 0 && k.bw < 1 && k.from.startsWith('CPU/') && k.to.startsWith('PCI/'))
        .flatMap((k) => at.get(k.to) ?? s.at);
    }),
  );
  if (slow.length === 0 && logged.length === 0) return undefined;
  return finding('topo-file-bottleneck', {
    devices: slow.map((s) => s.e.attributes.get('busid') ?? ''),
    evidence: [...slow.map((s) => s.at), ...logged],
    commands: [
      'sed -i \'s/link_speed="2.5 GT\\/s[^"]*" link_width="1"/link_speed="16.0 GT\\/s PCIe" link_width="16"/\' "$NCCL_TOPO_FILE"',
    ],
  });
};

/** A switch recorded at 2.5 or 5 GT/s with all lanes above faster cards: a reading taken at rest. */
export const topoSuspicious: Rule = (facts) => {
  const odd = switches(facts).filter(
    (s) =>
      s.gtps > 8 && speedOf(s.e) <= 5 && s.e.children.some((c) => c.name === 'pci' && speedOf(c) >= 2 * speedOf(s.e)),
  );
  if (odd.length === 0) return undefined;
  return finding('topo-file-suspicious-link-speed', {
    confidence: 0.75,
    devices: odd.map((s) => s.e.attributes.get('busid') ?? ''),
    evidence: odd.map((s) => s.at),
  });
};

/** Links without a speed: a virtual machine without link registers. */
export const topoEmpty: Rule = (facts) => {
  const empty = written(facts).flatMap(({ root, file }) =>
    elementsOf(root)
      .filter((e) => e.name === 'pci' && e.attributes.get('link_speed') === '')
      .map((e) => ({ file, line: e.line })),
  );
  if (empty.length === 0) return undefined;
  return finding('topo-xml-empty-link-speed', { evidence: empty });
};
