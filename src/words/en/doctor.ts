/** What the doctor says around its findings. */
export const doctor = {
  'doctor.no-input':
    'the doctor reads what tools printed: name files or folders, or "-" for standard input; it finds nothing in a machine of the catalogue',
  'doctor.fix-then': 'then',
  'doctor.absent.module': '{name} is not in the list of loaded modules',
  'doctor.absent.node': '{path} is not there',
  'doctor.absent.links': 'the NVLinks that its sisters have',
  'doctor.set': '{name}={value} is set',
  'doctor.unset': 'unset {name}, which switches the direct way off',
  'doctor.counter-full': 'the counter stands at its ceiling of 255; clear it to see whether it still rises',
  'doctor.open.gdr': 'whether GPUDirect RDMA could be used: the channels lack /GDRDMA and nothing shows why',
  'doctor.open.acs': 'whether ACS redirects traffic between the GPUs',
  'doctor.open.completion': 'why a transfer ended with an error',
  'doctor.open.completion.memory':
    'why a NIC could not reach memory of its own host ({name}, status {status}): with GPU memory, ACS or an IOMMU between GPU and NIC is the usual cause, and with NCCL_NET_GDR_LEVEL=LOC the error then goes away',
  'doctor.open.completion.remote':
    'why the NIC of the peer refused a transfer ({name}, status {status}): the cause is on the host of the peer, where its own log and these commands show it',
  'doctor.open.completion.timeout':
    'why a peer did not answer ({name}, status {status}): a link, an address, a firewall or lost packets between the two; or the process there had ended',
  'doctor.open.completion.not-ready':
    'why a peer had no buffer ready ({name}, status {status}): its process was held up or had ended, and its own log tells',
  'doctor.open.completion.flushed':
    'what broke a connection: its transfers were only flushed (status {status}), and the error before them stands in the log of another rank',
  'doctor.open.wrong-results':
    'why nccl-tests found wrong values in the result: data was lost or overwritten on its way',
  'doctor.open.failed': 'why this failed: {text}',
  'doctor.fix-device-plugin':
    "The plugin hands a NIC to pods only with all of its files under /dev/infiniband: load the modules that make them, name the NIC rightly in the plugin's selectors, and restart the plugin. Ethernet ports have no issm; releases that still ask for it are to be replaced.",
  'doctor.fix-provider-abi':
    "Install in the image the user-space RDMA library of the NIC maker's driver that runs on the host, in the same version: the provider of the distribution does not speak this kernel driver's interface.",
  'doctor.fix-width-desktop':
    'On a desktop board the slots share the lanes of the CPU: with two cards, or a drive in the wrong M.2 slot, each gets eight, and the manual says which slots those are. Otherwise reseat the card, and check the riser cable.',
  'doctor.fix-peermem-amd':
    'Install the amdgpu driver of ROCm (amdgpu-dkms) after the RDMA stack, so that it registers as amdkfd with its peer memory; or go by DMA-BUF, with a kernel that has P2PDMA and DMABUF_MOVE_NOTIFY.',
  'doctor.fix-imex-domain':
    'Bring up nvidia-imex on the nodes that are not READY: the same version and the same nodes_config.cfg on each, and no firewall between them.',
  'doctor.imex-channel':
    'Make an IMEX channel and give it to the container (/dev/nvidia-caps-imex-channels/channel0); between nodes nvidia-imex has to run on each. Boards without multi-node NVLink have no such handles',
  'doctor.none': 'Nothing found that is wrong.',
  'doctor.none-failed': 'Something failed, and these inputs do not show its cause.',
  'doctor.table': 'Are the numbers of its table normal? crowfly compare {file}',
  'doctor.count': 'errors: {errors}, warnings: {warnings}, remarks: {infos}',
  'doctor.severity.error': 'error',
  'doctor.severity.warning': 'warning',
  'doctor.severity.info': 'remark',
  'doctor.follows': 'follows from: {title}',
  'doctor.report.labelled': '{label}: {text}',
  'doctor.report.both': '{first} {second}',
  'doctor.report.ended': '{text}.',
  'doctor.devices': 'devices',
  'doctor.effect': 'effect',
  'doctor.evidence': 'evidence',
  'doctor.missing': 'shown',
  'doctor.do': 'do',
  'doctor.unsure': 'to be sure, run',
  'doctor.open': 'Not known from these inputs',
  'doctor.run': 'run: {command}',
  'doctor.docs': 'docs',
  'doctor.report': 'Findings of crowfly',
  'doctor.format': 'there is no form "{text}" of the doctor\'s answer: md, html, sarif, junit, prometheus',
  'cli.declined.others': '{file}: no line that opens any of {formats}',
  'doctor.cost.rate': 'Here: {slow} instead of {fast} GB/s from {from} to {to}, {share} % lost.',
  'doctor.cost.all-reduce':
    'AllReduce of 1 GiB over {ranks} GPUs on {nodes} nodes takes {sick} ms instead of {well}: {share} % of its bandwidth lost.',
  'doctor.cost.all-reduce-node':
    'AllReduce of 1 GiB over the {ranks} GPUs of this node takes {sick} ms instead of {well}: {share} % of its bandwidth lost.',
  'doctor.cost.latency':
    'Here: the bandwidth of large transfers stays, but 8 KiB from {from} to {to} take {slow} instead of {fast} µs, with {copies} copies through host memory.',
  'doctor.more-lines': 'also {lines}',
  'doctor.way.gpudirect-rdma': 'GPUDirect RDMA between GPU and NIC',
  'doctor.way.p2p': 'GPU to GPU directly (P2P)',
  'doctor.way.gpudirect-storage': 'GPUDirect Storage',
  'doctor.answer.yes': 'yes',
  'doctor.answer.no': 'no',
  'doctor.answer.unknown': 'not known',
  'cli.about.doctor': 'what is wrong, how it is known, what it does and what to type',
  'cli.option.report': 'a form to pass on: md, html, sarif, junit or prometheus',
  'doctor.explain.effect': 'What it does',
  'doctor.explain.known': 'How it is known',
  'doctor.explain.fix': 'What to do',
} as const;
