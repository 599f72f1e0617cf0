/** Topology files for NCCL. */
export const topoFile = {
  'topo-file.fine': 'nothing wrong in {files}',
  'topo-file.counts':
    'the inputs show {gpus} GPUs and {nics} NICs, the system has {wantGpus} and {wantNics}: they are not the same flavour',
  'topo-file.worth':
    'all_reduce of 1 GiB over two nodes: {before} GB/s with every device straight below the CPU, {after} GB/s with this file',
  'topo-file.no-addresses':
    'no input tells the bus ids of the GPUs, and NCCL takes no file without them: add "lspci -nn" and name the machine with --system, or dump one with NCCL_TOPO_DUMP_FILE',
  'topo-file.use': 'write it to a file with -o, then NCCL_TOPO_FILE=<file> on every node',
} as const;
