import type { Where } from '../../fact/fact.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** Lines of the OFI plugin, wherever the log reader put them. */
function ofi(facts: Parameters<Rule>[0], pattern: RegExp, topic: string): Where[] {
  return [
    ...facts.networks.flatMap((n) => [...n.ofi, ...n.plugins].filter((o) => pattern.test(o.text)).map((o) => o.at)),
    ...facts.warnings.filter((w) => pattern.test(w.text)).map((w) => w.at),
    ...facts.logs.flatMap((l) => l.other.samples.filter((s) => pattern.test(s.text)).map((s) => s.at)),
    ...facts.said(topic).map((m) => m.at),
  ];
}

/** libfabric finds no EFA device: the pod or container was given none. */
export const efaDevice: Rule = (facts) => {
  const empty = ofi(facts, /provider efa output empty list/, 'efa-empty');
  const tcp = ofi(facts, /Selected [Pp]rovider is (?:tcp|sockets)\b/, '');
  const plugin = ofi(facts, /aws-ofi-nccl/, '');
  // Without a word of EFA it may be an instance that has none.
  if (empty.length === 0 && tcp.length > 0 && plugin.length > 0)
    return finding('efa-device-not-exposed', {
      severity: 'warning',
      confidence: 0.6,
      evidence: [...tcp, ...plugin.slice(0, 1)],
      commands: ['ls -l /dev/infiniband/', 'fi_info -p efa'],
      settle: 'fi_info -p efa; ls /sys/class/infiniband',
    });
  if (empty.length === 0) return undefined;
  return finding('efa-device-not-exposed', {
    evidence: [...empty, ...tcp],
    commands: ['ls -l /dev/infiniband/', 'fi_info -p efa'],
  });
};

/** The plugin is there and libfabric offers it nothing; the line about libibverbs after it is an echo. */
export const efaProvider: Rule = (facts) => {
  const asked = facts.of('commands').some((c) => c.commands.some((one) => /\bfi_info\b.*\befa\b/.test(one.text)));
  const none = [
    ...ofi(facts, /Could(?: not|n't) find any optimal provider/, 'efa-no-provider'),
    // libfabric itself, asked for EFA, has nothing to offer.
    ...(asked ? facts.of('libfabric').flatMap((l) => (l.none && l.providers.length === 0 ? [l.none] : [])) : []),
  ];
  if (none.length === 0) return undefined;
  return finding('efa-plugin-no-provider', { evidence: none, commands: ['fi_info -p efa', 'ls -l /dev/infiniband/'] });
};

/** No answer ever came from the peer: EFA lets through only what the security group of both allows, in and out, to itself. */
export const efaPeer: Rule = (facts) => {
  // The old plugin prints the number of a response that timed out (20) as it is; libfabric knows since 2024 whether one ever came.
  const never = ofi(facts, /completed with error\. RC: 20\b|Unreachable remote/, '');
  const told = facts.said('efa-unreachable').map((m) => m.at);
  const silent = ofi(facts, /Unresponsive receiver(?! \()/, '');
  const evidence = [...never, ...told, ...silent];
  if (evidence.length === 0) return undefined;
  return finding('efa-peer-unreachable', {
    confidence: never.length + told.length > 0 ? 0.75 : 0.6,
    evidence,
    commands: [
      'aws ec2 describe-security-group-rules --filters Name=group-id,Values=$GROUP',
      'fi_pingpong -p efa $PEER',
    ],
    settle: 'fi_pingpong -p efa $PEER',
  });
};
