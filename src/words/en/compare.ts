/** A measured table against the predicted one, and what may be wrong with a machine. */
export const compare = {
  'compare.no-machine':
    'no input shows the machine, and the table does not name its GPUs: add a topology, or name the machine with --system (and --nodes)',
  'compare.what': 'say which table: a file with the output of nccl-tests',
  'compare.no-table': 'no table of nccl-tests in {file}',
  'compare.title':
    '{file}: {name} on {ranks} {ranks|rank|ranks}, {nodes} {nodes|node|nodes}, against what {machine} should print',
  'compare.size': 'size',
  'compare.way': 'expected way',
  'compare.measured': 'GB/s',
  'compare.predicted': 'expected',
  'compare.ratio': 'ratio',
  'compare.time': 'time / expected',
  'compare.row.normal': 'normal',
  'compare.row.low': 'low',
  'compare.row.high': 'faster',
  'compare.row.impossible': 'above the wires',
  'compare.sizes.large': 'large sizes',
  'compare.sizes.largest': 'the largest sizes measured',
  'compare.sizes.all': 'the sizes measured',
  'compare.machine.this': 'this machine',
  'compare.machine.usual': 'the assumed machine',
  'compare.verdict.normal': 'Normal: {sizes} are as fast as {machine} should be',
  'compare.verdict.low': 'Low: {sizes} are slower than {machine} should be',
  'compare.verdict.high': 'Faster than expected: the machine is better than described, or the expectation too low',
  'compare.verdict.impossible':
    'Impossible on this machine: more than its wires carry. The description is wrong, or the table is from another machine',
  'compare.ranks':
    'The table is of {seen} {seen|rank|ranks}, the machine described has {ranks}: unlike things are compared; --nodes or gpusPerNode makes them alike',
  'compare.above.tree':
    '{busbw} GB/s is above the {line} GB/s of the NICs and no mistake: over two nodes a tree sends every byte once, while bus bandwidth counts almost two',
  'compare.above.nvls':
    "{busbw} GB/s is above the {line} GB/s of a GPU's NVLinks and no mistake: the switches add, so a GPU sends every byte once, while bus bandwidth counts almost two",
  'compare.fits-too':
    'The table names no program: it is taken for {name}, and {other} prints the same columns (--as {other} compares it as that)',
  'compare.fits': 'The numbers look most like this: {what} (within {percent} % on average)',
  'compare.nearest':
    'None of these faults alone explains the numbers; the nearest is: {what} ({percent} % off on average)',
  'compare.bottleneck': 'What should hold the largest size back: {why}',
  'compare.curves': 'How far each curve is from the measured one, on average:',
  'suspect.as-described': 'the machine as described',
  'suspect.as-assumed': 'the machine as assumed',
  'suspect.p2p-off': 'P2P between GPUs is off, so they go through host memory',
  'suspect.nvls-off': 'no NVLS: rings or trees instead of reductions in the switches',
  'suspect.all-rings': 'rings at every size, as a tuner, NCCL_ALGO or another release may have it',
  'suspect.all-trees': 'trees at every size, as a tuner, NCCL_ALGO or another release may have it',
  'suspect.pcie-gen3': 'PCIe links run at 8 GT/s',
  'suspect.acs':
    'ACS sends traffic between PCIe devices up to the root complex (a PHB detour) instead of straight through their switch',
  'suspect.sockets': 'sockets instead of RDMA',
  'suspect.gdr-off': 'GPUDirect RDMA is off, so data goes through host memory',
  'suspect.half-rate': 'network ports run at half their rate',
  'suspect.one-nic': 'one NIC of {nics} is used',
  'suspect.half-nics': '{half} {half|NIC|NICs} of {nics} {half|is|are} used',
} as const;
