/** Topology files for NCCL. */
export const topoFile = {
  'topo-file.fine': 'nothing wrong in {files}',
  'topo-file.no-gpus': 'the inputs list no GPU with its address: give the output of lspci -D (or -nn)',
  'topo-file.counts':
    'the inputs show {gpus} {gpus|GPU|GPUs} and {nics} {nics|NIC|NICs}, the system has {wantGpus} and {wantNics}: they are not the same flavour',
  'topo-file.worth':
    'all_reduce of 1 GiB over two nodes: {before} GB/s with every device straight below the CPU, {after} GB/s with this file',
  'topo-file.no-addresses':
    'no input tells the bus ids of the GPUs, and NCCL takes no file without them: add "lspci -nn" and name the machine with --system, or dump one with NCCL_TOPO_DUMP_FILE',
  'topo-file.use': 'write it to a file with -o, then NCCL_TOPO_FILE=<file> on every node',
} as const;
