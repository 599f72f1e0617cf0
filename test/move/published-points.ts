import type { MovePath } from '../../src/move/model.ts';

/** Descriptions of the machines that published points were measured on, as far as their authors tell. */
export const clusters = {
  abciV:
    'node: {gpu: v100-sxm2-16g, gpus: 4, link: nvlink-all-to-all, nvlinksPerPair: 2, nic: 100Gb/s, nics: 2, cpu: intel-skl, sockets: 2, pcie: gen3, gpusPerSwitch: 2, nicsPerSwitch: 1}\nnodes: 2\nnetwork: {transport: infiniband, rate: 100Gb/s}\nsoftware: {gdr: true}\n',
  abciA:
    'node: {gpu: a100-sxm4-40g, gpus: 8, link: nvswitch, nic: 200Gb/s, nics: 4, cpu: intel-icx, sockets: 2, pcie: gen4, gpusPerSwitch: 2, nicsPerSwitch: 1}\nnodes: 2\nnetwork: {transport: infiniband, rate: 200Gb/s}\nsoftware: {gdr: true}\n',
  hgxH100:
    'node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, nic: 400Gb/s, nics: 8, cpu: intel-spr, sockets: 2, pcie: gen5, gpusPerSwitch: 1, nicsPerSwitch: 1}\nnodes: 2\nnetwork: {transport: roce, rate: 400Gb/s, mtu: 4096}\nsoftware: {gdr: true}\n',
  h200: 'node: {gpu: h200-sxm5-141g, gpus: 8, link: nvswitch, cpu: intel-spr, sockets: 2, pcie: gen5, gpusPerSwitch: 1}\n',
  gh200:
    'node: {gpu: gh200-120g, gpus: 4, link: nvlink-all-to-all, nvlinksPerPair: 6, nic: 200Gb/s, nics: 4, cpu: grace, sockets: 4, pcie: gen5, gpusPerSwitch: 0, nicsPerSwitch: 0}\nnodes: 2\nnetwork: {transport: slingshot, rate: 200Gb/s}\nsoftware: {gdr: true}\n',
  gh200Tcp:
    'node: {gpu: gh200-120g, gpus: 4, link: nvlink-all-to-all, nvlinksPerPair: 6, nic: 200Gb/s, nics: 4, cpu: grace, sockets: 4, pcie: gen5, gpusPerSwitch: 0, nicsPerSwitch: 0}\nnodes: 2\nnetwork: {transport: tcp, rate: 200Gb/s}\n',
  gb300: 'node: {gpu: gb300, gpus: 1, link: pcie, cpu: grace, sockets: 1, pcie: gen5, gpusPerSwitch: 0}\n',
  station:
    'node: {gpu: v100-sxm2-16g, gpus: 4, link: nvlink-all-to-all, nvlinksPerPair: 2, cpu: intel-bdw, sockets: 1, pcie: gen3, gpusPerSwitch: 2}\n',
  dgx1: 'node: {gpu: v100-sxm2-16g, gpus: 8, link: nvlink-hybrid-cube-mesh, cpu: intel-bdw, sockets: 2, pcie: gen3, gpusPerSwitch: 2}\n',
  rtx5090: 'node: {gpu: rtx-5090, gpus: 2, link: pcie, cpu: amd-genoa, sockets: 1, pcie: gen5, gpusPerSwitch: 0}\n',
  rtx3090: 'node: {gpu: rtx-3090, gpus: 3, link: pcie, cpu: amd-rome, sockets: 1, pcie: gen4, gpusPerSwitch: 0}\n',
  a10: 'node: {gpu: a10, gpus: 1, link: pcie, cpu: intel-icx, sockets: 1, pcie: gen4, gpusPerSwitch: 0}\n',
  hdr: 'node: {gpu: a100-sxm4-80g, gpus: 8, link: nvswitch, nic: 200Gb/s, nics: 8, cpu: amd-rome, sockets: 2, pcie: gen4, gpusPerSwitch: 2, nicsPerSwitch: 2}\nnodes: 2\nnetwork: {transport: infiniband, rate: 200Gb/s, mtu: 4096}\n',
  roce100:
    'node: {gpu: a100-pcie-40g, gpus: 1, link: pcie, nic: 100Gb/s, nics: 1, cpu: amd-rome, sockets: 1, pcie: gen4, gpusPerSwitch: 1, nicsPerSwitch: 1}\nnodes: 2\nnetwork: {transport: roce, rate: 100Gb/s, mtu: 1024}\nsoftware: {gdr: true}\n',
  dgx2: 'node: {gpu: v100-sxm3-32g, gpus: 16, link: nvswitch, cpu: intel-skl, sockets: 2, pcie: gen3, gpusPerSwitch: 4}\nstorage: {type: nvme, count: 2, perDeviceGBps: 3.5, readLatencyUs: 80, placement: same-switch, filesystem: ext4, gds: true}\n',
  p40: 'node: {gpu: p40, gpus: 1, link: pcie, cpu: intel-bdw, sockets: 1, pcie: gen3, gpusPerSwitch: 0}\nstorage: {type: nvme, count: 2, perDeviceGBps: 3.2, readLatencyUs: 85, placement: same-socket, filesystem: ext4, gds: true}\n',
  as4124:
    'node: {gpu: a100-pcie-40g, gpus: 8, link: pcie, cpu: amd-rome, sockets: 2, pcie: gen4, gpusPerSwitch: 2}\nstorage: {type: nvme, count: 1, perDeviceGBps: 7.3, readLatencyUs: 80, placement: same-switch, filesystem: ext4, gds: true}\n',
} as const;

export interface PublishedPoint {
  readonly on: keyof typeof clusters;
  readonly from: string;
  readonly to: string;
  readonly path: MovePath;
  readonly bytes: number;
  readonly depth?: number;
  readonly threads?: number;
  readonly both?: true;
  readonly metric: 'bandwidthGBps' | 'latencyUs';
  readonly value: number;
}

const K = 2 ** 10;
const M = 2 ** 20;
type How = Partial<Pick<PublishedPoint, 'depth' | 'threads' | 'both'>>;
type On = PublishedPoint['on'];

const gbps = (on: On, from: string, to: string, path: MovePath, bytes: number, value: number, how: How = {}) =>
  ({ on, from, to, path, bytes, value, metric: 'bandwidthGBps', ...how }) satisfies PublishedPoint;
const us = (on: On, from: string, to: string, path: MovePath, bytes: number, value: number) =>
  ({ on, from, to, path, bytes, value, metric: 'latencyUs' }) satisfies PublishedPoint;

const wide = { depth: 64 };
const eight = { depth: 8 };
const eightBoth = { depth: 8, both: true } as const;
const [host, farHost, gpu, farGpu] = ['node0/host0', 'node1/host0', 'node0/gpu0', 'node1/gpu0'] as const;

/**
 * What others published, in the order of their records. No constant was fitted on these values; but they are no set held out: they
 * were looked at while mechanisms were made, and some stand in records of which another row fits a constant. Messages of an MPI whose protocol changes with their size (rendezvous, several rails) are left out: a data path is not an MPI.
 */
export const checked: readonly PublishedPoint[] = [
  // OSU micro-benchmarks over EDR, CSCS's over Slingshot and TCP
  us('abciV', host, farHost, 'host-rdma', 4 * K, 3.0),
  gbps('abciV', gpu, farGpu, 'gpudirect-rdma', 64 * K, 9.29, wide),
  gbps('gh200', host, farHost, 'host-rdma', 4 * M, 24.04, wide),
  gbps('gh200', host, farHost, 'host-rdma', 64 * K, 22.17, wide),
  gbps('gh200', host, farHost, 'host-rdma', 16 * K, 14.18, wide),
  gbps('gh200', host, farHost, 'host-rdma', 8 * K, 7.14, wide),
  gbps('gh200', gpu, farGpu, 'gpudirect-rdma', M, 23.82, wide),
  gbps('gh200', gpu, farGpu, 'gpudirect-rdma', 64 * K, 21.42, wide),
  gbps('gh200', gpu, 'node0/gpu1', 'nvlink', 2 * M, 104.7, wide),
  gbps('gh200', gpu, 'node0/gpu1', 'nvlink', M, 84.9, wide),
  gbps('gh200Tcp', host, farHost, 'tcp', 4 * M, 3.12, wide),
  gbps('gh200Tcp', gpu, farGpu, 'tcp', 256 * K, 1.44, wide),
  // nvbandwidth
  gbps('gh200', host, gpu, 'nvlink-c2c', 256 * M, 337.6, { depth: 4 }),
  gbps('gb300', 'gpu0', 'host0', 'nvlink-c2c', 256 * M, 377.2, { depth: 4 }),
  gbps('h200', 'gpu0', 'gpu1', 'nvlink', 512 * M, 396.4, { depth: 4 }),
  gbps('h200', 'gpu0', 'gpu1', 'nvlink', 512 * M, 783.7, { depth: 4, both: true }),
  gbps('a10', 'host0', 'gpu0', 'memcpy-pinned', 512 * M, 25.17, { depth: 4 }),
  // p2pBandwidthLatencyTest
  gbps('abciA', gpu, 'node0/gpu1', 'host-staged', 40 * M, 17.76, eight),
  gbps('abciA', gpu, 'node0/gpu1', 'host-staged', 40 * M, 17.23, eightBoth),
  gbps('abciV', gpu, 'node0/gpu1', 'host-staged', 40 * M, 9.55, eight),
  gbps('abciV', gpu, 'node0/gpu1', 'host-staged', 40 * M, 9.91, eightBoth),
  us('abciV', gpu, 'node0/gpu2', 'host-staged', 16, 17.48),
  gbps('abciV', gpu, 'node0/gpu2', 'nvlink', 40 * M, 96.9, eightBoth),
  gbps('abciA', gpu, 'node0/gpu4', 'nvlink', 40 * M, 520, eightBoth),
  gbps('hgxH100', 'node0/gpu4', 'node0/gpu5', 'nvlink', 40 * M, 774, eightBoth),
  us('rtx5090', 'gpu0', 'gpu1', 'host-staged', 16, 12.83),
  gbps('rtx3090', 'gpu0', 'gpu1', 'host-staged', 40 * M, 16.6, eightBoth),
  gbps('station', 'gpu0', 'gpu1', 'host-staged', 40 * M, 15.47, eightBoth),
  gbps('dgx1', 'gpu0', 'gpu3', 'nvlink', 40 * M, 96.91, eightBoth),
  gbps('dgx1', 'gpu0', 'gpu1', 'nvlink', 40 * M, 48.5, eightBoth),
  gbps('dgx1', 'gpu0', 'gpu5', 'host-staged', 40 * M, 11.53, eightBoth),
  gbps('dgx1', 'gpu0', 'gpu2', 'host-staged', 40 * M, 11.74, eightBoth),
  gbps('dgx1', 'gpu0', 'gpu1', 'host-staged', 40 * M, 8.56, eightBoth),
  // perftest
  gbps('hgxH100', host, farHost, 'host-rdma', 128 * K, 14.63),
  gbps('hgxH100', host, farHost, 'host-rdma', 4 * M, 45.5),
  gbps('hgxH100', host, farHost, 'host-rdma', 128 * K, 36.7, eight),
  gbps('hgxH100', host, farHost, 'host-rdma', 16 * K, 47.5, { depth: 128 }),
  gbps('hgxH100', host, farHost, 'host-rdma', M, 97.45, { depth: 128, both: true }),
  gbps('hdr', host, farHost, 'host-rdma', 64, 0.1825, { depth: 128 }),
  gbps('hdr', host, farHost, 'host-rdma', 16 * K, 21.0, { depth: 128 }),
  gbps('hdr', host, farHost, 'host-rdma', 64 * K, 23.78, { depth: 128 }),
  gbps('roce100', gpu, farGpu, 'gpudirect-rdma', K, 7.35, { depth: 128 }),
  gbps('roce100', gpu, farGpu, 'gpudirect-rdma', 2 * K, 11.43, { depth: 128 }),
  gbps('roce100', gpu, farGpu, 'gpudirect-rdma', 8 * K, 11.54, { depth: 128 }),
  // gdsio, and a kernel's own peer-to-peer read
  gbps('dgx2', 'storage', 'gpu0', 'gpudirect-storage', 4 * K, 0.2017, { threads: 8 }),
  gbps('dgx2', 'storage', 'gpu0', 'gpudirect-storage', 4 * K, 1.985, { threads: 64 }),
  gbps('dgx2', 'storage', 'gpu0', 'gpudirect-storage', 4 * K, 3.482, { threads: 128 }),
  gbps('dgx2', 'storage', 'gpu10', 'gpudirect-storage', 4 * K, 0.1135, { threads: 64 }),
  us('dgx2', 'storage', 'gpu0', 'gpudirect-storage', 4 * K, 163.5),
  gbps('p40', 'storage', 'gpu0', 'gpudirect-storage', M, 6.3, { threads: 16 }),
  gbps('as4124', 'storage', 'gpu0', 'gpudirect-storage', M, 7.32, { threads: 8 }),
  gbps('as4124', 'storage', 'gpu0', 'posix-bounce', M, 7.31, { threads: 8 }),
];
