import type { Where } from '../../fact/fact.ts';
import { smiField } from '../../read/gpu/smi-query.ts';
import type { ServiceEvent } from '../../read/linux/services.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

type Facts = Parameters<Rule>[0];

const ofFabricManager = (e: ServiceEvent): boolean => /fabric ?manager/i.test(e.unit.replace('-', ''));
const typed: Readonly<Record<string, ServiceEvent['what']>> = { stop: 'stopped', start: 'started', restart: 'stopped' };

/** What the journal, systemctl and commands in the paste tell of the service. A restart is a stop and a start. */
const events = (facts: Facts): ServiceEvent[] => [
  ...facts.of('services').flatMap((s) => s.events.filter(ofFabricManager)),
  ...facts
    .of('commands')
    .flatMap((c) => c.commands)
    .flatMap(({ text, at }): ServiceEvent[] => {
      const found = /systemctl (?:--\w+ )?(stop|start|restart) (\S*fabric-?manager)/i.exec(text);
      const what = found && typed[found[1]!];
      if (!found || !what) return [];
      const unit = found[2]!;
      return found[1] === 'restart'
        ? [
            { unit, what, at },
            { unit, what: 'started', at },
          ]
        : [{ unit, what, at }];
    }),
];

const onlyGeforce = (facts: Facts): boolean =>
  facts.gpuNames.length > 0 && facts.gpuNames.every((g) => /GeForce|\bRTX [2-5]0[5-9]0|\bGTX \d/.test(g.name));

/** GPUs on an NVSwitch board cannot start before the fabric manager has set the switches up. */
export const fabricManager: Rule = (facts) => {
  const notReady = [
    ...facts.said('cuda-not-ready'),
    ...facts.warnings.filter((w) => w.kind === 'cuda-failure' && /system not yet initialized/.test(w.text)),
  ].map((m) => m.at);
  const waiting: Where[] = facts.of('smi-query').flatMap((q) =>
    q.gpus.flatMap((g) => {
      const state = smiField(g, 'fabric/state');
      return state && /In Progress|Not Started/i.test(state.value) ? [state.at] : [];
    }),
  );
  const stopped = events(facts).filter((e) => ['inactive', 'failed', 'missing'].includes(e.what));
  const switches = facts
    .of('lspci')
    .flatMap((l) => l.devices)
    .find((d) => /^Bridge/.test(d.className) && /NVIDIA/.test(d.name));
  // Without NVSwitch the service has nothing to do and says so by failing.
  const pointless = facts.said('no-nvswitch').length > 0;
  const mismatch = facts.said('fm-version');
  // GeForce boards are joined by bridges, where by anything.
  const idle = switches === undefined && (pointless || (stopped.length > 0 && onlyGeforce(facts)));
  const down = (stopped.length > 0 || mismatch.length > 0) && !idle;
  if (idle && notReady.length === 0 && waiting.length === 0) {
    const said = facts.said('no-nvswitch').map((m) => m.at);
    return finding('fabric-manager-not-needed', {
      confidence: pointless ? 0.9 : 0.8,
      evidence: [...said, ...stopped.map((e) => e.at), pointless ? undefined : facts.geforce?.at],
      commands: ['sudo systemctl disable --now nvidia-fabricmanager'],
    });
  }
  if (notReady.length === 0 && waiting.length === 0 && mismatch.length === 0 && !(down && switches)) return undefined;
  if (events(facts).some((e) => e.what === 'active') && waiting.length === 0 && !down) return undefined;
  return finding('fabric-manager-not-running', {
    confidence: mismatch.length > 0 || (down && (notReady.length > 0 || waiting.length > 0)) ? 0.95 : 0.7,
    evidence: [
      ...mismatch.map((m) => m.at),
      ...(down ? stopped.map((e) => e.at) : []),
      ...notReady.slice(0, 2),
      ...waiting,
      switches?.at,
    ],
    commands: [
      ...mismatch
        .slice(0, 1)
        .map(
          ({ words: [, driver = ''] }) =>
            `sudo apt-get install 'nvidia-fabricmanager-${driver.split('.')[0]}=${driver}*'`,
        ),
      'sudo systemctl enable --now nvidia-fabricmanager',
      'nvidia-smi -q | grep -A3 Fabric',
    ],
    ...(down ? {} : { settle: 'systemctl status nvidia-fabricmanager' }),
  });
};

/** The driver has heard from the fabric, and what it heard is a refusal. N/A is what boards without a fabric say. */
export const fabricStatus: Rule = (facts) => {
  const failed = facts.of('smi-query').flatMap((q) =>
    q.gpus.flatMap((g) => {
      const state = smiField(g, 'fabric/state');
      const status = smiField(g, 'fabric/status');
      return state?.value === 'Completed' && status && !/^(?:Success|N\/A)$/i.test(status.value)
        ? [{ gpu: g.busId, status: status.at, state: state.at }]
        : [];
    }),
  );
  if (failed.length === 0) return undefined;
  return finding('gpu-fabric-not-joined', {
    devices: failed.flatMap((f) => f.gpu ?? []),
    evidence: [...failed.map((f) => f.status), ...failed.map((f) => f.state)],
    commands: ['nvidia-smi -q | grep -A5 Fabric', 'sudo tail -n 200 /var/log/fabricmanager.log', 'sudo nvidia-smi -r'],
  });
};

/** Failures of NCCL's multicast setup: the fabric, or a fabric manager that was restarted under running GPUs. */
export const nvls: Rule = (facts) => {
  const failed = facts.warnings.filter(
    (w) =>
      w.kind === 'nvls-bind' || // A GPU that is full says nothing of the fabric.
      (w.kind === 'cuda-failure' && w.code !== 2 && /nvls\.cc/.test(w.source ?? w.text)),
  );
  const bound = facts.said('nvls-bind').map((m) => m.at);
  if (failed.length === 0 && bound.length === 0) return undefined;
  const said = events(facts);
  const started = said.filter((e) => e.what === 'started' || e.what === 'starting');
  const stop = said.find((e) => e.what === 'stopped');
  const places = [...failed.map((w) => w.at), ...bound];
  const invalid = failed.some((w) => w.code === 1 || /invalid argument/.test(w.text));
  if (invalid && stop && started.length > 0) {
    return finding('fabric-manager-restarted-without-gpu-reset', {
      evidence: [...places.slice(0, 2), stop.at, ...started.map((e) => e.at)],
      commands: [
        'sudo systemctl stop nvidia-fabricmanager',
        'sudo nvidia-smi -r',
        'sudo systemctl start nvidia-fabricmanager',
      ],
    });
  }
  return finding('nvls-multicast-fabric-fault', {
    confidence:
      bound.length > 0 || failed.some((w) => w.code === 401 || w.kind === 'nvls-bind' || /present state/.test(w.text))
        ? 0.9
        : 0.65,
    evidence: places,
    commands: [
      'sudo tail -n 200 /var/log/fabricmanager.log',
      'sudo dmesg | grep -i sxid',
      'nvidia-smi -q | grep -A3 Fabric',
    ],
  });
};

/** Errors of NVSwitch, as the fabric manager or the kernel tells them. */
export const nvswitch: Rule = (facts) => {
  const told = [...facts.said('nvswitch-error'), ...facts.said('sxid')];
  if (told.length === 0) return undefined;
  return finding('nvswitch-error-in-fm-log', {
    devices: told.map((t) => t.words[2] ?? '').filter((d) => d !== ''),
    evidence: told.map((t) => t.at),
    commands: ['sudo dmesg | grep -i sxid', 'nvidia-smi nvlink -e'],
  });
};
