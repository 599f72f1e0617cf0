/** NCCL's channels and choices. */
export const graph = {
  'graph.title': 'NCCL {version}: {ranks} ranks, {nodes} nodes, {channels} channels',
  'graph.title.nearest': 'NCCL {version} (nearest to {asked}): {ranks} ranks, {nodes} nodes, {channels} channels',
  'graph.split': 'NCCL counts {count} nodes: GPUs of one host that reach each other only by the network are apart',
  'graph.kind.ring': 'Rings',
  'graph.kind.tree': 'Trees',
  'graph.kind.nvls': 'NVLS',
  'graph.found': '{kind} ({pattern}): {count} × {intra} GB/s over {typeIntra}',
  'graph.found.inter':
    '{kind} ({pattern}): {count} × {intra} GB/s over {typeIntra}; {inter} GB/s over {typeInter} to the network',
  'graph.none': '{kind}: none found',
  'graph.slow': '▲ nothing fitted, so NCCL uses one slow channel in plain order',
  'graph.same': 'channel {list}',
  'graph.choice': 'What each collective uses, by size of the whole vector',
  'graph.choice.size': 'from',
  'graph.choice.way': 'algorithm/protocol',
  'graph.choice.channels': 'channels',
  'graph.choice.time': 'predicted',
  'graph.too-many': '{ranks} ranks are more than crowfly lays out: at most {most}; ask for fewer --nodes',
  'graph.env.prefix': '{name}={text}: only the first list may lack the name of a collective, and NCCL does not start',
  'graph.env.collective': '{name}={text}: there is no collective {token}, and NCCL does not start',
  'graph.env.token': '{name}={text}: {token} is unknown, and NCCL does not start',
  'graph.env.nothing':
    '{collective}: NCCL_ALGO and NCCL_PROTO leave nothing that can do it; NCCL ends with “no algorithm/protocol available”',
} as const;
