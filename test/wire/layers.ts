import type { Frame, Roce } from '../../src/wire/frame.ts';

/** The RoCE v2 layer of a frame, if it has one. */
export function roceOf({ network }: Frame): Roce | undefined {
  if (network.kind !== 'ipv4' && network.kind !== 'ipv6') return undefined;
  return network.body.kind === 'udp' && network.body.body.kind === 'roce' ? network.body.body : undefined;
}
