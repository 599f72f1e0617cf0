/** How inputs become one machine: conflicts, assumptions, what is missing. */
export const assemble = {
  'assemble.out-of-range': '{name} is {value}, which no hardware has ({least} to {most}): left out',
  'assemble.conflict.matrix': 'the matrix contradicts itself about {a} and {b}',
  'assemble.conflict.letter': '{a} and {b}: the matrix and the topology file disagree',
  'assemble.conflict.gpus': 'number of GPUs',
  'assemble.conflict.nics': 'number of NICs',
  'assemble.conflict.nccl': 'NCCL version',
  'assemble.conflict.env': '{name} in the environment',
  'assemble.assume.unknown': '--assume does not know "{name}"; it knows {known}',
  'assemble.assume.unknown-near': '--assume does not know "{name}"; did you mean "{near}"? It knows {known}',
  'assemble.assume.form': '--assume {fact}: "{value}" is not of the form {form}',
  'assemble.assume.no-device': '--assume: the machine has no {name}',
  'assemble.assume.slot': '--assume: {name} cannot be put beside {beside}',
  'assemble.assume.value': '--assume {fact}: "{value}" is neither on nor off',
  'assemble.port-down': '{name} is left out: its port is down',
  'assemble.no-topology':
    'no input shows how GPUs, NICs and CPUs are connected; nvidia-smi topo -m does, or lspci -tv, or the file of NCCL_TOPO_DUMP_FILE',
  'assemble.seen.gpus': 'GPUs seen: {list}',
  'assemble.seen.nics': 'NICs seen: {list}',
  'assemble.tree.no-gpu': 'the PCIe tree names no GPU',
  'assemble.tree.numa':
    'the PCIe tree does not tell which NUMA node a root port belongs to: whether a way between two of them crosses sockets is open; nvidia-smi topo -m tells, or lspci -vv',
  'assemble.injected':
    'a topology file made for injection: GPUs are numbered by bus id; NVLinks, compute capability and GPUDirect RDMA are what NCCL finds at run time',
} as const;
