import type { Sourced } from './sourced.ts';

/**
 * Physical quantities that no data sheet gives: each fitted on published measurements, which `fitted` names (records of
 * the scoring data, or public documents), and shared by several machines. Ranges are what is plausible.
 */
export interface Calibrated extends Sourced {
  readonly fitted: readonly string[];
  readonly range: readonly [number, number];
}

export const constant = (
  value: number,
  unit: string,
  range: readonly [number, number],
  source: string,
  ...fitted: string[]
): Calibrated => ({ value, unit, range, source, fitted });

const nvidiaSamples = 'https://github.com/NVIDIA/cuda-samples';
const perftest = 'https://github.com/linux-rdma/perftest';
const gds = 'https://docs.nvidia.com/gpudirect-storage/best-practices-guide/index.html';
const osu = 'https://mvapich.cse.ohio-state.edu/benchmarks/';
const pcie = 'https://pcisig.com/specifications';

export const calibration = {
  /** Acknowledgements, flow-control updates and skip symbols that a link spends for each TLP, beyond the TLP's own header and framing. */
  linkLayerBytes: constant(11, 'bytes per TLP', [6, 24], pcie, 'h100 h2d', 'a100 h2d', 'a100 d2h'),
  /** Handing a staging buffer from one copy to the next, for each chunk: an event, a wait, a launch. */
  handOver: constant(
    11.5,
    'µs per chunk',
    [3, 30],
    nvidiaSamples,
    'h100 staged',
    'abci-a staged p2p off',
    'abci-v staged',
  ),
  /** The same between GPUs with GDDR memory, GeForce, RTX and the data-centre cards of the same chips: they hand over sooner. */
  handOverGddr: constant(
    8,
    'µs per chunk',
    [3, 20],
    nvidiaSamples,
    '5090 staged',
    'two RTX 6000 Ada 22.2 GB/s, two RTX 4090 22.5, eight RTX 5090 43: p2pBandwidthLatencyTest as posted',
  ),
  /** A small message through host memory between two GPUs, seen from the GPU. */
  stagedSmall: constant(20, 'µs', [10, 40], nvidiaSamples, 'abci-a staged small', 'h100 staged small'),
  /** A small write to a peer that a link joins, NVLink or PCIe, seen from the GPU. */
  peerSmall: constant(
    1.9,
    'µs',
    [1, 5],
    nvidiaSamples,
    'abci-v nvlink small',
    'A100 over PCIe 1.7 to 2.5 µs, RTX 4090 1.2 to 1.4: p2pBandwidthLatencyTest as posted',
  ),
  /** A small write over links that join two GPUs since Ampere. */
  linkSmall: constant(
    2.5,
    'µs',
    [1.5, 4],
    nvidiaSamples,
    'H100 PCIe with a bridge 2.56 µs, four A100 2.63 to 2.8, two pairs by bridges 2.25 and 2.32: p2pBandwidthLatencyTest as posted',
  ),
  /** A small write over PCIe to a peer by an Ada GPU, and by a Blackwell GPU with GDDR memory, which waits for nothing. */
  peerSmallAda: constant(
    1.15,
    'µs',
    [0.8, 1.6],
    nvidiaSamples,
    'RTX 6000 Ada 1.12 µs, RTX 4090 1.14 and 1.2 to 1.4: p2pBandwidthLatencyTest as posted',
  ),
  peerSmallBlackwell: constant(
    0.38,
    'µs',
    [0.3, 0.8],
    nvidiaSamples,
    'RTX 5090 and RTX PRO 6000 on a Turin host 0.35 to 0.45 µs, two RTX 5090 0.36: p2pBandwidthLatencyTest as posted',
  ),
  /** What an NVSwitch on the way adds. */
  nvswitchHop: constant(
    0.9,
    'µs',
    [0.3, 2],
    nvidiaSamples,
    'h100 nvlink small',
    'abci-a nvlink small',
    'A100 behind NVSwitches 2.9 to 3.5 µs, https://github.com/LLMServe/DistServe/issues/3',
    'V100 of a DGX-2 2.4 to 2.9 µs: p2pBandwidthLatencyTest as posted',
  ),
  /** The same between GPUs with GDDR memory. */
  stagedSmallGddr: constant(
    12.5,
    'µs',
    [8, 20],
    nvidiaSamples,
    'nt287-2x5090-genoa-nop2p: 12.8 µs',
    'RTX 5090 14.3 and 14.4, RTX 4090 11.6 and 12.1, RTX 6000 Ada 10.9, RTX 3090 10.3 and 15.3, TITAN RTX 13.5: p2pBandwidthLatencyTest as posted',
  ),
  /** Of what a staged copy makes otherwise, what is left of it where both GPUs hang below one switch: its uplink carries both halves. */
  stagedBelowSwitch: constant(
    0.88,
    'share of the rate',
    [0.8, 1],
    nvidiaSamples,
    'abci2-v-p2pbandwidth-4xv100: 9.55 GB/s of 10.6',
    'abci2-a-p2pbandwidth-8xa100: 17.8 of 20.4',
    'V100 9.80 of 11.03, DGX-2 9.89 of 11.31, TITAN RTX 9.93 of 11.36, A100 16.9 of 20.2 and 18.0 of 19.7: p2pBandwidthLatencyTest as posted',
  ),
  /** Starting a copy engine and learning that it is done. */
  copyLaunch: constant(8, 'µs', [4, 15], nvidiaSamples, 'h100 staged small', 'abci-a staged small'),
  /** A copy engine between the copies of a stream: fetching the next, signalling the last. */
  copyGap: constant(
    2.6,
    'µs per copy',
    [1, 5],
    nvidiaSamples,
    'h200 vm: 512 KiB at 43.4 GB/s and 8 MiB at 54.4 where a long copy makes 55.4, quality/h200-vm.md',
    'gh200 nvlink',
  ),
  /** Payload share of NVLink packets, by generation (request and response headers, flow control). */
  nvlink2: constant(
    0.97,
    'payload per raw byte',
    [0.85, 0.98],
    nvidiaSamples,
    'abci-v nvlink',
    'v100 station nvlink both',
  ),
  nvlink3: constant(0.93, 'payload per raw byte', [0.85, 0.98], nvidiaSamples, 'abci2-a-p2pbandwidth-8xa100'),
  nvlink4: constant(0.89, 'payload per raw byte', [0.75, 0.95], nvidiaSamples, 'h100 nvlink', 'gh200 nvlink'),
  nvlink5: constant(0.87, 'payload per raw byte', [0.75, 0.95], nvidiaSamples, 'h100 nvlink'),
  c2c: constant(
    0.9,
    'payload per raw byte',
    [0.7, 0.95],
    nvidiaSamples,
    'ND GB200 v6, two GPUs to a Grace: 201 GB/s to the GPU and 193 to the host of 223.6',
    'four GB200: 211 and 193',
  ),
  /** What copy engines move in and out of the memory of one Grace CPU over C2C, all together: one way or both at once. */
  graceMemory: constant(
    355,
    'GB/s per CPU',
    [280, 400],
    nvidiaSamples,
    'gb300 c2c',
    'gb300-dgxstation-nvbandwidth-c2c: 175 and 172 GB/s at once, 359 alone',
    'four GB200, nvbandwidth: 172 and 171 at once',
    'GH200: 160 each way at once, 338 to 346 alone',
  ),
  /** Through host memory both ways at once: the two directions take turns at buffers and hand-over. */
  stagedBoth: constant(
    0.7,
    'share of what both ways could carry',
    [0.5, 1],
    nvidiaSamples,
    'v100 station staged both',
    'abci2-a-p2pbandwidth-8xa100: 29.1 GB/s of 2 × 20.4',
    'abci2-v-p2pbandwidth-4xv100: 14.9 of 2 × 10.6',
    'h100x8-p2p-matrix: 45.7 to 52.4 of 2 × 37.2',
    'nt287-2x5090-genoa-nop2p: 43.0 of 2 × 38.2',
    'n465-ib-nogdr-vs-ipoib-100g: 6.0 GB/s each way over 100 Gb/s, every GPU sending and receiving',
  ),
  /** One core copying between two buffers in memory. */
  coreCopy: constant(14, 'GB/s', [6, 25], nvidiaSamples, 'p3dn pageable'),
  /** One-way time of a small RDMA message between host memories: doorbell, two NICs, cable and switch. */
  rdmaOneWay: constant(
    1.1,
    'µs',
    [0.7, 2],
    osu,
    'abci2-v-osu-dd-vs-hh-1pair: EDR, host to host 0.87 µs',
    'abci2-a-osu-dd-vs-hh-1pair: HDR, host to host 1.47 µs',
  ),
  /** What an end in GPU memory adds: the NIC reads it or writes it over PCIe, and who waits for it polls it there. */
  gpuEnd: constant(0.65, 'µs per end', [0.3, 1.5], osu, 'abci-v gdr small', 'abci2-a-osu-dd-vs-hh-1pair: 3.29 µs'),
  /** From posting a write to its completion when only one is in flight: one way there, acknowledgement back, poll. */
  rdmaCycle: constant(6.2, 'µs', [2, 9], perftest, 'cx7 depth 1 1M', 'cx7 depth 1 16K', 'cx7 depth 8 16K'),
  /** Messages that one queue pair starts in a second. */
  messageRate: constant(3e6, 'messages/s per queue pair', [1e6, 2e7], perftest, 'hdr write 4K', 'roce 100 gdr 4K'),
  /** Peer traffic through the root complex of an Intel host, against what a PCIe link carries. */
  rootPeerIntel: constant(
    0.55,
    'share of the link',
    [0.3, 1],
    'https://docs.nvidia.com/cuda/gpudirect-rdma/',
    'p40 p2pdma',
    'a30 gdr across sockets',
  ),
  rootPeerOther: constant(
    0.97,
    'share of the link',
    [0.5, 1],
    'https://docs.nvidia.com/cuda/gpudirect-rdma/',
    '3090 p2p both',
  ),
  /** Peer traffic that also crosses the link between sockets. */
  socketPeer: constant(
    0.42,
    'share of the link',
    [0.2, 1],
    'https://docs.nvidia.com/cuda/gpudirect-rdma/',
    'a30 gdr across sockets',
  ),
  /** Of a PCIe link, what passes of a GPU's copies to another GPU, which are posted writes: through the root complex of an Intel host, */
  rootWriteIntel: constant(
    0.81,
    'share of the link',
    [0.5, 1],
    nvidiaSamples,
    'V100 on ports of one socket 9.79 GB/s of 12.4, A100 at gen3 10.28: p2pBandwidthLatencyTest as posted',
  ),
  /** and from socket to socket. EPYC 9004 and later pass as much there as within a socket. */
  socketWrite: constant(
    0.67,
    'share of the link',
    [0.4, 1],
    nvidiaSamples,
    'A100 at gen3 8.33 GB/s of 12.4, A100 at gen4 18.5 of 27.7: p2pBandwidthLatencyTest as posted',
  ),
  /** A Volta GPU answers reads of other devices no faster; later ones keep up with their PCIe link. */
  voltaPeerRead: constant(
    10.3,
    'GB/s',
    [8, 12.5],
    'https://docs.nvidia.com/cuda/gpudirect-rdma/',
    'abci-v gdr large',
    'abci2-v-osu-dd-vs-hh-4pair: 20.5 GB/s over two NICs',
    'deepops-dgx2h-superpod-allreduce: 81.5 GB/s over eight NICs of 100 Gb/s',
  ),
  /** What the kernel's stack costs one core: for each byte (copy, pages, checksum) and for each packet. */
  kernelByte: constant(
    4.2,
    'GB/s per core',
    [2, 10],
    'https://www.kernel.org/doc/html/latest/networking/',
    'ib100 ipoib',
    'gh200 tcp gpu',
  ),
  kernelPacket: constant(
    0.35,
    'µs per packet',
    [0.1, 2],
    'https://www.kernel.org/doc/html/latest/networking/',
    'gh200 tcp gpu',
  ),
  /** Share of a socket's peak memory bandwidth that mixed reads and writes reach. */
  memoryShare: constant(
    0.75,
    'share of the peak',
    [0.6, 0.9],
    'https://www.cs.virginia.edu/stream/',
    'STREAM results of two-socket servers',
  ),
  /** One-way time of a small message through two kernels. */
  kernelSmall: constant(15, 'µs', [8, 40], osu, 'abci2-v-osu-dd-vs-hh-1pair'),
  /** cuFile, file system and drivers for one direct read, beside the drive's own time. */
  gdsRequest: constant(80, 'µs', [20, 150], gds, 'gds near 4K 4 threads'),
  /** What cuFile adds to a read and a copy where it goes through host memory: its worker takes the request and hands it back. */
  compatRequest: constant(
    57,
    'µs',
    [30, 120],
    gds,
    'h200 vm: cuFile in compatibility mode against read and copy, 4 KiB to 256 KiB, quality/h200-vm.md',
  ),
  /** The kernel's own part of a direct read: system call, file system, block layer, NVMe driver. */
  posixRequest: constant(
    3,
    'µs',
    [1, 15],
    'https://www.usenix.org/conference/osdi22/presentation/zhong',
    'XRP (OSDI 2022), table 1: 3.05 µs of software in a 512 B read by ext4',
    'h200 vm: O_DIRECT and page cache 32.4 µs apart, quality/h200-vm.md',
  ),
  /** Entering the kernel for a read that the page cache answers: crossing 0.35 µs, read() 0.20 µs. */
  systemCall: constant(
    0.55,
    'µs per call',
    [0.2, 2],
    'https://www.usenix.org/conference/osdi22/presentation/zhong',
    'XRP (OSDI 2022), table 1: kernel crossing 351 ns and read syscall 199 ns of a 512 B read',
  ),
  /** A request whose GPU hangs on another switch waits for a staging buffer of a near one. */
  gdsFar: constant(1690, 'µs', [500, 3000], gds, 'gds far 1M'),
  /** Registering memory with a NIC: pages are pinned and entered one by one (4 KiB pages: 0.35 µs each). */
  registerPage: constant(
    0.35,
    'µs per page',
    [0.2, 0.6],
    'https://github.com/kvcache-ai/Mooncake/pull/855',
    '500 GB registered in 49.2 s: 0.40 µs a page',
    '256 GB in more than 20 s: 0.32 µs a page (https://github.com/ofiwg/libfabric/issues/4738)',
  ),
  /** A registration of one page: the call itself and the NIC's command. */
  registerCall: constant(
    21,
    'µs per registration',
    [10, 100],
    'https://github.com/ofiwg/libfabric/pull/12836',
    'writes that register each time take 21.3 µs, cached ones 0.49 µs',
  ),
  /** Finding a registration in the cache. */
  registerHit: constant(
    0.3,
    'µs per look-up',
    [0.05, 0.5],
    'https://github.com/ofiwg/libfabric/pull/12836',
    'cached writes take 0.49 µs in all',
  ),
  /** Payload share of Slingshot's Ethernet frames. */
  slingshot: constant(0.96, 'payload per raw byte', [0.9, 0.98], osu, 'gh200 slingshot gdr'),
} as const;

export type CalibrationName = keyof typeof calibration;
