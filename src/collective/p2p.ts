/** How a communicator's messages are spread over channels. */
export interface P2pWays {
  /** Channels of a message: `least` where it is large enough for its parts, up to `most` while they are too large. */
  readonly least: number;
  readonly most: number;
  /** Bytes of a part: no channel is worth less, and more takes another. */
  readonly leastPart: number;
  readonly mostPart: number;
  /** Ranks of a node; all ranks where there is one. */
  readonly local: number;
}

/** Messages that one channel works on at once (NCCL_MAX_DEV_WORK_P2P_PER_BATCH). */
export const atOnce = 8;

/** Channels that a message of so many bytes takes (src/enqueue.cc: addP2pToPlan). */
export function channelsOf(bytes: number, available: number, ways: P2pWays): number {
  const { least, most, leastPart, mostPart } = ways;
  let channels = Math.max(1, Math.min(least, available, Math.ceil(bytes / leastPart)));
  while (bytes > mostPart * channels && channels * 2 <= Math.min(most, available)) channels *= 2;
  return channels;
}

/** The round in which one rank sends to another: node by node, and within a node rank by rank, from its own on. */
export function roundOf(from: number, to: number, ranks: number, local: number): number {
  if (ranks <= local) return (to - from + ranks) % ranks;
  const nodes = Math.ceil(ranks / local);
  const node = (Math.floor(to / local) - Math.floor(from / local) + nodes) % nodes;
  return node * local + (((to % local) - (from % local) + local) % local);
}

/** The rank to which one sends in a round, if there is one. */
export function peerIn(round: number, from: number, ranks: number, local: number): number | undefined {
  if (ranks <= local) return (from + round) % ranks;
  const nodes = Math.ceil(ranks / local);
  const node = (Math.floor(from / local) + Math.floor(round / local)) % nodes;
  const to = node * local + (((from % local) + (round % local)) % local);
  return to < ranks ? to : undefined;
}

/** Rounds until every rank has sent to every other. */
export const roundsOf = (ranks: number, local: number): number =>
  ranks <= local ? ranks : Math.ceil(ranks / local) * local;

/**
 * The channel of a part of a message (src/include/channel.h: ncclP2pChannelBaseForRound; ncclP2pChannelForPart). Rounds start as far
 * from each other as they can; over several nodes those start together that a channel works on at once.
 */
export function channelOf(round: number, part: number, channels: number, ranks: number, local: number): number {
  const start =
    ranks <= local
      ? round
      : Math.floor(round / local) * Math.ceil(local / atOnce) + Math.floor((round % local) / atOnce);
  let base = 0;
  for (let bit = 1, rest = start; bit < channels; bit *= 2, rest = Math.floor(rest / 2)) base = base * 2 + (rest % 2);
  return (base + part) % channels;
}
