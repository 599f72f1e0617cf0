/** NCCL's channels and choices. */
export const graph = {
  'graph.title':
    'NCCL {version}: {ranks} {ranks|rank|ranks}, {nodes} {nodes|node|nodes}, {channels} {channels|channel|channels}',
  'graph.title.nearest':
    'NCCL {version} (nearest to {asked}): {ranks} {ranks|rank|ranks}, {nodes} {nodes|node|nodes}, {channels} {channels|channel|channels}',
  'graph.split': 'NCCL counts {count} nodes: GPUs of one host that reach each other only by the network are apart',
  'graph.kind.ring': 'Rings',
  'graph.kind.tree': 'Trees',
  'graph.kind.nvls': 'NVLS',
  'graph.found': '{kind} ({pattern}): {count} × {intra} GB/s over {typeIntra}',
  'graph.found.inter':
    '{kind} ({pattern}): {count} × {intra} GB/s over {typeIntra}; {inter} GB/s over {typeInter} to the network',
  'graph.none': '{kind}: none found',
  'graph.no-net':
    'in this topology not every GPU reaches a NIC. NCCL adds the NICs that it finds when it starts, sockets at least; where there are none it stops ("Could not find any local path from gpu … to net"). What follows is no job\'s layout: add the NICs, or ask for one node (--nodes 1)',
  'graph.buffer-none':
    '{name}={bytes} leaves NCCL chunks of no bytes: it divides by zero, and the job crashes. What follows reckons with 8 KiB',
  'graph.buffer-small':
    '{name}={bytes} makes chunks smaller than those told here, which are those of 8 KiB; it is slower still',
  'graph.apart':
    'NCCL takes no NCCL_GRAPH_FILE on this machine: its GPUs fall into groups that reach each other only by the network, every rank reads the same file, and NCCL stops at GPUs that are not of its own group',
  'graph.shared':
    'NCCL takes no NCCL_GRAPH_FILE here: ranks share a GPU, and the file names GPUs by their devices alone',
  'graph.slow': '▲ nothing fitted, so NCCL uses one slow channel in plain order',
  'graph.same': '{count|channel|channels} {list}',
  'graph.choice': 'What each collective uses, by size of the whole vector',
  'graph.choice.size': 'from',
  'graph.choice.way': 'algorithm/protocol',
  'graph.choice.channels': 'channels',
  'graph.choice.time': "NCCL's estimate",
  'graph.too-many': '{ranks} ranks are more than crowfly lays out: at most {most}; ask for fewer --nodes',
  'graph.env.prefix': '{name}={text}: only the first list may lack the name of a collective, and NCCL does not start',
  'graph.env.collective': '{name}={text}: there is no collective {token}, and NCCL does not start',
  'graph.env.token': '{name}={text}: {token} is unknown, and NCCL does not start',
  'graph.env.nothing':
    '{collective}: NCCL_ALGO and NCCL_PROTO leave nothing that can do it; NCCL ends with “no algorithm/protocol available”',
  'graph.shape.node': 'node {node}',
  'graph.shape.hidden': '⋮ {count} more rows',
  'graph.shape.ring': 'Ring',
  'graph.shape.tree': 'Tree',
  'graph.shape.expected': '{kind}, expected: {count|channel|channels} {list}',
  'graph.shape.seen': '{kind}, in the log: {count|channel|channels} {list}',
  'graph.shape.drawn': '{kind}: {count|channel|channels} {list}',
  'graph.shape.other':
    'the log is of a communicator of {seen} ranks, not of the {ranks} expected here: its rings and trees are drawn, not compared',
  'graph.shape.same': 'all {same} rings and trees in the log are as expected',
  'graph.shape.differ':
    '{count} of {all} rings and trees in the log {count|is|are} not as expected; ≠ marks the connections that differ',
  'graph.shape.left': '{count} more shapes are not drawn',
  'graph.shape.title': 'rings and trees of {ranks} {ranks|rank|ranks}',
  'graph.shape.alone':
    'no input shows the topology, so that there is nothing to compare with: rings and trees as the log has them',
} as const;
