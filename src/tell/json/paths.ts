import type { PathsAnswer } from '../../answer/paths.ts';
import type { Assumption } from '../../assemble/assume.ts';
import { assumptionText } from '../../assemble/assume.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Language } from '../../words/message.ts';
import { render } from '../../words/render.ts';

export interface JsonOptions {
  readonly assume: readonly Assumption[];
  readonly language: Language;
}

/** `crowfly/paths@1`. One pair a line: large machines have hundreds of thousands. */
export function pathsJson(machine: Machine, answer: PathsAnswer, options: JsonOptions): string {
  const sentences = new Map<unknown, string>();
  const pairs = answer.pairs.map((p) => {
    let rule = sentences.get(p.rule);
    if (rule === undefined) {
      rule = render(p.rule, options.language);
      sentences.set(p.rule, rule);
    }
    return JSON.stringify({
      from: p.from,
      to: p.to,
      type: p.type,
      bandwidthGBps: p.bandwidthGBps ?? null,
      ...(p.p2p ? { p2p: p.p2p } : {}),
      ...(p.gdr ? { gdr: p.gdr } : {}),
      rule: p.rule.code,
      reason: rule,
      evidence: p.evidence,
      ...(p.settle === undefined ? {} : { settle: p.settle }),
    });
  });
  const head = {
    schema: 'crowfly/paths@1',
    ncclVersion: answer.release.name,
    ...(answer.release.asked === undefined ? {} : { ncclAsked: answer.release.asked }),
    nodes: machine.nodes,
    assumptions: options.assume.map(assumptionText),
    ...(machine.nodes > 1 ? { peerNode: peerNode(machine) } : {}),
    domains: answer.domains,
    ...(answer.folded ? { folded: answer.folded } : {}),
    conflicts: machine.conflicts.map((c) => ({
      about: render(c.about, options.language),
      claims: c.claims,
      used: c.used,
    })),
    devices: answer.devices,
  };
  return `${JSON.stringify(head).slice(0, -1)},"pairs":[\n${pairs.join(',\n')}\n]}\n`;
}

/** The way between nodes: what carries it, where the inputs tell. */
function peerNode(machine: Machine): Record<string, unknown> {
  return {
    transport: (machine.fabric.transport ?? machine.fabric.sockets)?.value ?? 'unknown',
    ...(machine.fabric.rateMbps ? { rateMbps: machine.fabric.rateMbps.value } : {}),
  };
}
