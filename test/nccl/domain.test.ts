import { describe, expect, it } from 'vitest';
import { groundOf } from '../../src/predict/collective/ground.ts';
import { described } from '../support/machines.ts';

/** Racks of trays of four GPUs with a NIC each. */
const racks = async (domain: number) => {
  const ground = groundOf(
    await described(
      [
        'node: {gpu: gb200, gpus: 4, link: nvswitch, nic: 400Gb/s, nics: 4, cpu: grace, sockets: 2, pcie: gen5, gpusPerSwitch: 1, nicsPerSwitch: 1}',
        'nodes: 48',
        `nvlinkDomain: ${domain}`,
        'network: {transport: infiniband, rate: 400Gb/s}',
        'software: {nccl: 2.30.7, gdr: true}',
        '',
      ].join('\n'),
    ),
    {},
  );
  if (!ground.ok) throw new Error(ground.error.reason.code);
  return ground.value.made.perDomain[0]!;
};

describe('hosts that NVLink joins to one domain', () => {
  it('have cards of their own: each further tray brings its NICs', async () => {
    const [tray, two, rack] = await Promise.all([racks(4), racks(8), racks(64)]);
    // NET ports of one GUID count as one card's, which would let all trays pass what one does.
    const { NET } = rack.ground.paths.system.nodes;
    expect(new Set(NET.map((n) => n.net!.asic)).size).toBe(64);
    expect([tray.nvls!.nChannels, two.nvls!.nChannels, rack.nvls!.nChannels]).toEqual([4, 8, 32]);
    expect([tray, two].map(({ ring }) => ring.nChannels * ring.bwInter)).toEqual([4 * 48, 8 * 48]);
    expect(rack.ring.nChannels * rack.ring.bwInter).toBeGreaterThan(8 * 48);
  });
});
