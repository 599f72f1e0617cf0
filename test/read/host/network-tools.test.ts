import { describe, expect, it } from 'vitest';
import { expectRead, read } from '../expect-read.ts';
import { hostSamples } from '../host-samples.ts';

const prefixed = (lines: readonly string[]): string[] => lines.map((l) => `node7: ${l}`);
const coloured = (lines: readonly string[]): string[] => lines.map((l) => `\u001b[1m${l}\u001b[0m`);

describe('ucx_info and the tables of UCX', () => {
  it('say who registers GPU memory and how messages go, below prefixes and colours, and cut short', async () => {
    for (const lines of [hostSamples['ucx']!, prefixed(hostSamples['ucx']!), coloured(hostSamples['ucx']!)]) {
      const { domains, protocols } = await expectRead(lines, 'ucx');
      expect(domains.map((d) => [d.name, d.component, d.memory?.types, d.devices])).toEqual([
        ['mlx5_4', 'ib', ['host', 'cuda'], ['mlx5_4:1']],
      ]);
      expect(protocols.map((p) => [p.range, p.protocol, p.via])).toEqual([
        ['0..8246', 'eager copy-in copy-out', 'rc_mlx5/mlx5_4:1'],
        ['8247..inf', 'rendezvous zero-copy read from remote', 'rc_mlx5/mlx5_4:1'],
      ]);
    }
    const cut = await expectRead(hostSamples['ucx']!.slice(0, 3), 'ucx');
    expect([cut.domains[0]!.name, cut.domains[0]!.memory, cut.protocols]).toEqual(['mlx5_4', undefined, []]);
  });

  it('may be a list of transports that a grep left', async () => {
    const lines = [
      '#      Transport: self',
      '#      Transport: rc_mlx5',
      '#      Transport: gdr_copy',
      '#      Transport: rc_mlx5',
    ];
    const { domains, transports } = await expectRead(lines, 'ucx');
    expect([domains, transports.map((t) => t.name)]).toEqual([[], ['self', 'rc_mlx5', 'gdr_copy']]);
  });

  it('is nothing where the version stands alone', async () => {
    expect((await read(['# Library version: 1.17.0', '# Library path: /usr/lib/libucs.so.0'])).documents).toEqual([]);
  });
});

describe('mlnx_qos', () => {
  it('gives the priorities that are paused', async () => {
    const { trust, pfc } = await expectRead(prefixed(hostSamples['mlnx_qos']!), 'qos');
    expect([trust?.value, pfc?.enabled.map(Number), pfc?.at.line]).toEqual(['dscp', [0, 0, 0, 1, 0, 0, 0, 0], 5]);
  });
});

describe('dcb', () => {
  it('gives what mlnx_qos does, and classes and code points besides, in colour and below prefixes', async () => {
    const lines = [
      '# dcb pfc show dev ens4',
      ...hostSamples['dcb']!,
      '# dcb ets show dev ens4',
      'willing off ets-cap 8 cbs off',
      'tc-bw 0:50 1:0 2:0 3:50 4:0 5:0 6:0 7:0',
      'prio-tc 0:0 1:0 2:0 3:3 4:0 5:0 6:0 7:0',
      '# dcb app show dev ens4',
      'dscp-prio 0:0 CS3:3 AF31:3 EF:5',
      '# dcb apptrust show dev ens4',
      'order: dscp',
    ];
    for (const each of [lines, prefixed(lines), coloured(lines), lines.map((l) => `> ${l}`)]) {
      const { trust, pfc, classes, dscp } = await expectRead(each, 'qos');
      expect([trust?.value, pfc?.enabled.map(Number), pfc?.at.line]).toEqual(['dscp', [0, 0, 0, 1, 0, 0, 0, 0], 3]);
      expect([...classes!.priorities].filter(([, tc]) => tc > 0)).toEqual([[3, 3]]);
      expect([...dscp!.priorities]).toEqual([
        [0, 0],
        [24, 3],
        [26, 3],
        [46, 5],
      ]);
    }
  });

  it('tells two ports apart, and takes no row that was cut', async () => {
    const { documents } = await read([...hostSamples['dcb']!, ...hostSamples['dcb']!]);
    expect(documents.map((d) => d.kind)).toEqual(['qos', 'qos']);
    expect((await read(['prio-pfc 0:off 1:off 2:off 3:o'])).documents).toEqual([]);
  });
});

describe('ethtool', () => {
  it('gives block after block, and no counter is lost between two', async () => {
    const lines = [
      ...hostSamples['ethtool']!,
      'Pause parameters for ens4f0np0:',
      'Autonegotiate:\toff',
      'RX:\t\ton',
      'TX:\t\toff',
      'NIC statistics:',
      '     rx_packets: 7',
      '     rx_discards_phy: 12',
    ];
    const { blocks: found } = await expectRead(lines, 'ethtool');
    expect(found.map((e) => [e.what, e.netdev, e.fields.size])).toEqual([
      ['settings', 'ens4f0np0', 3],
      ['pause', 'ens4f0np0', 3],
      ['statistics', undefined, 2],
    ]);
    expect(found[2]!.fields.get('rx_discards_phy')).toMatchObject({ value: '12', at: { line: 11 } });
  });
});

describe('fi_info', () => {
  it('gives providers, or says that there is none', async () => {
    const { providers } = await expectRead(
      [...hostSamples['fi_info']!, 'provider: tcp', '    domain: eth0'],
      'libfabric',
    );
    expect(providers.map((p) => [p.name, p.domain])).toEqual([
      ['efa', 'efa_4-rdm'],
      ['tcp', 'eth0'],
    ]);
    expect((await expectRead(['fi_getinfo: -61 (No data available)'], 'libfabric')).none?.line).toBe(1);
  });
});

describe('ibdiagnet', () => {
  it('gives what it warns of with its place, and the stages', async () => {
    const lines = [
      'Loading IBDIAGNET from: /usr/lib64/ibdiagnet2.1.1',
      '-W- Topology file is not specified.',
      '---------------------------------------------',
      'Discovery',
      '-I- Discovery finished successfully',
      '',
      'Links Check',
      '-E- Links Check finished with errors',
      '-E- leaf7/U1/P9 - birch mlx5_4/P1: the link is slower than both ends can',
      'Summary',
      ...hostSamples['ibdiagnet']!,
    ];
    for (const each of [lines, prefixed(lines), coloured(lines), lines.map((l) => `> ${l}`)]) {
      const { said, stages } = await expectRead(each, 'ibdiagnet');
      expect(said.map((s) => [s.what, s.at.line])).toEqual([
        ['warning', 2],
        ['error', 8],
        ['error', 9],
      ]);
      expect(stages.map((s) => [s.name, s.warnings, s.errors])).toEqual([
        ['Discovery', 0, 0],
        ['Links Check', 0, 1],
      ]);
    }
    expect((await expectRead(lines.slice(0, 8), 'ibdiagnet')).stages).toEqual([]);
  });

  it('is not what other tools mark the same way', async () => {
    expect((await read(['-E- Failed to open the device', '-W- No such port'])).documents).toEqual([]);
  });
});

describe('saquery', () => {
  it('gives record after record, and the counters of perfquery below stay counters', async () => {
    const lines = [
      ...hostSamples['saquery']!,
      'PortInfoRecord dump:',
      '\tRID',
      '\t\tEndPortLid..............7',
      '\t\tPortNum.................1',
      'LinkRecord dump:',
      '\t\tFromLID....................7',
      '\t\tFromPort...................1',
      '\t\tToPort.....................9',
      '\t\tToLID......................2',
    ];
    for (const each of [lines, prefixed(lines), coloured(lines)]) {
      const { records } = await expectRead(each, 'sa-records');
      expect(records.map((r) => [r.type, r.at.line, r.fields.size])).toEqual([
        ['NodeRecord', 1, 3],
        ['PortInfoRecord', 5, 2],
        ['LinkRecord', 9, 4],
      ]);
      expect(records[0]!.fields.get('NodeDescription')).toBe('birch mlx5_4');
    }
    expect((await expectRead(lines.slice(0, 6), 'sa-records')).records).toHaveLength(1);
    const both = await read([...lines, '# Port counters: Lid 7 port 1', 'LinkDownedCounter:...............255']);
    expect(both.documents.map((d) => d.kind)).toEqual(['sa-records', 'counters']);
  });
});
