/** Predicted tables of nccl-tests. */
export const predict = {
  'predict.title':
    'crowfly: what nccl-tests {name} should print; {ranks} {ranks|rank|ranks}, {nodes} {nodes|node|nodes}, NCCL {version}',
  'predict.no-nic':
    'the machine as described has no NIC, and {nodes} nodes meet over nothing else: add one to the description, or ask for one node (--nodes 1)',
  'predict.nic-unused':
    'the machine has NICs, but NCCL leaves some of its GPUs none, and {nodes} nodes meet over nothing else',
  'predict.bottleneck': 'At the largest size: {why}',
  'predict.limit.start': 'the start of the kernel takes most of the time',
  'predict.limit.latency': 'hops take most of the time, not bytes',
  'predict.limit.threads': 'the threads that copy and add set the rate, not the wires',
  'predict.limit.inside': 'wires between the GPUs of a node set the rate',
  'predict.limit.outside': 'the way between nodes sets the rate',
  'predict.limit.switch': 'NVLink and the reductions in its switches set the rate',
  'predict.wire.nvlink': 'NVLink sets the rate ({of})',
  'predict.wire.pcie': 'a PCIe link sets the rate ({of})',
  'predict.wire.socket': 'the link between sockets sets the rate ({of})',
  'predict.wire.root': 'the root complex sets the rate at which devices reach each other through it ({of})',
  'predict.wire.read': 'reads of GPU memory by the NIC set the rate ({of})',
  'predict.wire.core': 'a core that copies through the kernel sets the rate ({of})',
  'predict.wire.port': 'the network port sets the rate ({of})',
  'predict.assume.nccl': 'no input tells the NCCL version: {version} assumed',
  'predict.assume.nearest': 'decided as NCCL {version}, the nearest to {asked} whose facts are at hand',
  'predict.assume.launch':
    'how calls are launched is not known: one process for each GPU assumed; small sizes may take twice as long',
  'predict.launch':
    'one thread starts each call on {gpus} GPUs in turn: none takes less than about {us} µs, however small',
  'predict.assume.network': 'no input tells the network: InfiniBand assumed',
  'predict.assume.sockets': '{name} leaves NCCL sockets alone: over the same NICs assumed',
  'predict.hca': 'NCCL_IB_HCA={value} leaves NCCL {left} of {all} NICs',
  'predict.hca-none': 'NCCL_IB_HCA={value} names none of the NICs described: all are taken to be in use',
  'predict.cards':
    'NCCL joins the two ports of a card, for which two ports to a GPU that fill one slot are taken: {cards} NICs of {rate} Gb/s (NCCL_IB_MERGE_NICS=0 keeps them apart)',
  'predict.domains':
    'NVLink joins these nodes to {count} {count|domain|domains}, which NCCL counts as {count} {count|node|nodes}',
  'predict.domains.rest':
    'NVLink joins these nodes to {count} domains, which NCCL counts as {count} nodes; the last has {rest} {rest|node|nodes}, and all wait for its few NICs',
  'predict.assume.acs':
    'an IOMMU is on and nothing tells of ACS: ACS is assumed on as well, which sends traffic between PCIe devices through the root complex',
  'predict.assume.place': 'times are out of place, the machine otherwise idle',
  'predict.what': 'say which collective: one of {names}',
  'predict.before': 'the collective comes before {file}: predict all_reduce {file}, or one of {names}',
  'predict.unknown': "'{name}' is no collective of nccl-tests; one of {names}",
  'predict.near': "'{name}' is no collective of nccl-tests; did you mean {near}?",
  'predict.datatype': "'{text}' is no type of nccl-tests; one of {names}",
  'predict.type.early': 'NCCL {version} has no {type}: it came with {since}',
  'predict.type.early-seen':
    'NCCL {version} has no {type}, which came with {since}: the table is of a later release than the one decided as (--nccl says which)',
  'predict.type.sm':
    'NCCL reduces {type} on GPUs of compute capability 9.0 and above only; these have {sm}: the call ends in "invalid argument"',
  'predict.type.sm-seen':
    'NCCL reduces {type} on GPUs of compute capability 9.0 and above only; these have {sm}: the table is of other GPUs, or of another library',
  'predict.type.moved':
    'NCCL before 2.28 may refuse {type} on GPUs of compute capability {sm} even where nothing is reduced; that {version} moves it is assumed',
  'predict.type.open':
    'no input tells whether these GPUs have compute capability 9.0, without which NCCL does not reduce {type}: it is assumed',
  'predict.form':
    'with {ranks} ranks the times are the closed form’s, not of runs on the engine: the two agree within some per cent',
  'predict.sizes': 'sizes are rounded as nccl-tests rounds them; those below {bytes} B leave no element for every rank',
  'predict.small': '{bytes} B of {type} leave no element for each of {ranks} {ranks|rank|ranks}',
  'predict.chunk': '{name}={bytes}: NCCL cuts messages into parts of at least 1 byte, and ends on this',
  'predict.many': '{text} gives more than {most} sizes: take a larger one',
  'predict.range': '--min, --max and --factor give no sizes: {text}',
} as const;
