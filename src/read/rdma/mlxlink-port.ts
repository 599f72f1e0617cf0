import { fact } from '../../fact/fact.ts';
import type { LinkReport } from './mlxlink.ts';
import type { PortState, RdmaPort } from './ports.ts';

/** InfiniBand's speeds, slowest first. */
const generations = ['SDR', 'DDR', 'QDR', 'FDR10', 'FDR', 'EDR', 'HDR', 'NDR', 'XDR'] as const;

const rank = (name: string): number => generations.indexOf(name as (typeof generations)[number]);

/** The fastest of a list such as `0x000000f1 (NDR,HDR,EDR)`; -1 where it names none of InfiniBand's. */
const fastest = (list: string | undefined): number =>
  Math.max(-1, ...(list ?? '').split(/[^A-Z0-9]+/).map((name) => rank(name)));

const said = (link: LinkReport, name: string) => link.fields.get(name) ?? link.fields.get(`${name} (ext.)`);

const stateOf = (text: string): PortState | undefined => {
  if (text === 'Active') return 'active';
  // Everything else is a step on the way there, and no packet passes.
  return /^(?:Disable|Polling|Port PLL Down|Close port|Rx disable|Signal detect|Receiver detect|Training)/.test(text)
    ? 'down'
    : undefined;
};

/** Ports of switches, by LID or by the switch's number, and links between GPUs are no NIC's. */
const isNic = (link: LinkReport): boolean =>
  !/^lid-|\/mt5[23]\d{3}_|\/netir/.test(link.device ?? '') && !/^NVLink/.test(said(link, 'speed')?.value ?? '');

/** The port of a NIC, in the words of the other tools; its name is empty where the command was left out. */
export function portOfLink(link: LinkReport): RdmaPort | undefined {
  const state = said(link, 'state');
  if (!isNic(link) || !state) return undefined;
  const value = stateOf(state.value);
  const physical = said(link, 'physical state');
  const lanes = Number.parseInt(said(link, 'width')?.value ?? '', 10);
  const enabled = said(link, 'enabled link speed')?.value;
  const speed = said(link, 'speed')?.value ?? '';
  const infiniband = /^IB-/.test(speed) || fastest(enabled) >= 0;
  return {
    device: link.device ?? '',
    port: 1,
    at: link.at,
    ...(value === undefined ? {} : { state: fact(value, state.at) }),
    ...(physical ? { physical: fact(physical.value, physical.at) } : {}),
    ...(lanes > 0 ? { lanes } : {}),
    ...(infiniband
      ? { layer: fact('InfiniBand' as const, state.at) }
      : /\d+G/.test(`${speed} ${enabled}`)
        ? { layer: fact('Ethernet' as const, state.at) }
        : {}),
    gids: [],
  };
}

/** An InfiniBand link that is up below the fastest speed that its card is set to. */
export function slowLink(link: LinkReport) {
  const speed = said(link, 'speed');
  const at = rank(/^IB-(\w+)/.exec(speed?.value ?? '')?.[1] ?? '');
  if (!speed || at < 0 || portOfLink(link)?.state?.value !== 'active') return undefined;
  const cable = said(link, 'supported cable speed');
  if (at >= fastest(said(link, 'enabled link speed')?.value)) return undefined;
  const most = fastest(cable?.value);
  // The cable itself is of an older generation where it can do no more than this.
  return { speed: speed.at, cable: most >= 0 && most <= at ? cable?.at : undefined };
}

/** Lanes of the card's slot that came up, and those that are set: `8X (16X)`. */
export function slotLanes(link: LinkReport) {
  const width = link.fields.get('link width active (enabled)');
  const found = /^(\d{1,2})X \((\d{1,2})X\)/.exec(width?.value ?? '');
  return width && found ? { now: Number(found[1]), most: Number(found[2]), at: width.at } : undefined;
}
