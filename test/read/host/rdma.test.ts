import { describe, expect, it } from 'vitest';
import { isLinkLocal, isRoutable } from '../../../src/read/rdma/ports.ts';
import { expectRead, read } from '../expect-read.ts';

const brief = async (lines: readonly string[]) => {
  const { ports, from, lost, none } = await expectRead(lines, 'rdma-ports');
  return {
    from,
    ports: ports.map((p) => [p.device, p.port, p.state?.value, p.physical?.value, p.rate?.value, p.layer?.value]),
    lost: lost.map((l) => l.device),
    none: none.map((n) => n.why),
  };
};

describe('ibstat', () => {
  const one = (device: string) => [
    `CA '${device}'`,
    '\tCA type: MT4129',
    '\tNumber of ports: 2',
    '\tFirmware version: 28.39.1002',
    '\tPort 1:',
    '\t\tState: Active',
    '\t\tPhysical state: LinkUp',
    '\t\tRate: 400',
    '\t\tSM lid: 3',
    '\t\tLink layer: InfiniBand',
    '\tPort 2:',
    '\t\tState: Down',
    '\t\tPhysical state: Polling',
    '\t\tRate: 10',
    '\t\tLink layer: Ethernet',
  ];

  it('gives every port of every device, and those it lost', async () => {
    const lines = [
      ...one('mlx5_4'),
      ...one('rocep1s0f0'),
      "ibpanic: [7] main: stat of IB device 'mlx5_9' failed: No such file or directory",
    ];
    expect(await brief(lines)).toEqual({
      from: 'ibstat',
      ports: [
        ['mlx5_4', 1, 'active', 'LinkUp', 400, 'InfiniBand'],
        ['mlx5_4', 2, 'down', 'Polling', 10, 'Ethernet'],
        ['rocep1s0f0', 1, 'active', 'LinkUp', 400, 'InfiniBand'],
        ['rocep1s0f0', 2, 'down', 'Polling', 10, 'Ethernet'],
      ],
      lost: ['mlx5_9'],
      none: [],
    });
  });

  it('is read with blanks for tabs, below a prefix, and cut short', async () => {
    const blanks = one('mlx5_4').map((l) => l.replace(/\t/g, '        '));
    expect((await brief(blanks)).ports).toHaveLength(2);
    expect((await brief(one('mlx5_4').map((l) => `node7: ${l}`))).ports[1]).toEqual([
      'mlx5_4',
      2,
      'down',
      'Polling',
      10,
      'Ethernet',
    ]);
    expect((await brief(one('mlx5_4').map((l, i) => `2025-11-03 09:00:0${i % 10} ${l}`))).ports).toHaveLength(2);
    expect((await brief(one('mlx5_4').slice(0, 7))).ports).toEqual([
      ['mlx5_4', 1, 'active', 'LinkUp', undefined, undefined],
    ]);
  });

  it('keeps an empty type empty', async () => {
    const { ports } = await expectRead(
      ["CA 'rocep216s0f0'", '\tCA type:', '\tPort 1:', '\t\tState: Down'],
      'rdma-ports',
    );
    expect(ports[0]!.caType).toBeUndefined();
  });
});

describe('other tools', () => {
  it('ibstatus', async () => {
    const lines = [
      "Infiniband device 'mlx5_4' port 1 status:",
      '\tdefault gid:\t fe80::1',
      '\tstate:\t\t 2: INIT',
      '\tphys state:\t 5: LinkUp',
      '\trate:\t\t 100 Gb/sec (2X HDR)',
      '\tlink_layer:\t InfiniBand',
    ];
    expect((await brief(lines)).ports).toEqual([['mlx5_4', 1, 'init', 'LinkUp', 100, 'InfiniBand']]);
    expect((await expectRead(lines, 'rdma-ports')).ports[0]!.lanes).toBe(2);
    expect((await brief(['Fatal error:  No devices'])).none).toEqual(['no-devices']);
  });

  it('ibv_devinfo, brief and -v', async () => {
    const lines = [
      'hca_id: mlx5_4',
      '        transport:                      InfiniBand (0)',
      '        fw_ver:                         28.39.1002',
      '        phys_port_cnt:                  1',
      '                port:   1',
      '                        state:                  PORT_ACTIVE (4)',
      '                        max_mtu:                4096 (5)',
      '                        active_mtu:             1024 (3)',
      '                        sm_lid:                 0',
      '                        link_layer:             Ethernet',
      '                        GID[  0]:               fe80:0000:0000:0000:0000:00ff:fe00:0007, RoCE v1',
      '                        GID[  3]:               ::ffff:192.0.2.7, RoCE v2',
    ];
    const { ports } = await expectRead(lines, 'rdma-ports');
    expect(ports[0]!.activeMtu).toEqual({ value: 1024, at: [{ file: 'input.txt', line: 8 }], by: 'input' });
    expect(ports[0]!.gids.map((g) => [g.index, g.gid, g.version])).toEqual([
      [0, 'fe80:0000:0000:0000:0000:00ff:fe00:0007', 'v1'],
      [3, '::ffff:192.0.2.7', 'v2'],
    ]);
    expect((await brief(['Failed to get IB devices list: Function not implemented'])).none).toEqual([
      'not-implemented',
    ]);
    expect((await brief(['No IB devices found'])).none).toEqual(['no-devices']);
  });

  it('rdma link, of old and new iproute2', async () => {
    const lines = [
      'link mlx5_4/1 state ACTIVE physical_state LINK_UP netdev ens4 ',
      '1/1: mlx5_5/1: state DOWN physical_state DISABLED ',
      'link mlx5_6/1 subnet_prefix fe80:0000:0000:0000 lid 7 sm_lid 3 lmc 0 state INIT physical_state LINK_UP ',
    ];
    expect((await brief(lines)).ports.map((p) => [p[0], p[2]])).toEqual([
      ['mlx5_4', 'active'],
      ['mlx5_5', 'down'],
      ['mlx5_6', 'init'],
    ]);
  });

  it('ibdev2netdev, with -v', async () => {
    const lines = [
      '0000:18:00.0 mlx5_4 (MT4129 - MCX75310AAS-NEAT) CX7 fw 28.39.1002 port 1 (ACTIVE) ==> ib4 (Up)',
      'mlx5_5 port 1 ==> ens5 (Down)',
    ];
    expect((await brief(lines)).ports.map((p) => [p[0], p[2]])).toEqual([
      ['mlx5_4', 'active'],
      ['mlx5_5', 'down'],
    ]);
  });

  it('show_gids, with and without an IPv4 column', async () => {
    const { gids } = await expectRead(
      [
        'DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV',
        '---\t----\t-----\t---\t\t\t\t\t------------  \t---\t---',
        'mlx5_4\t1\t0\tfe80:0000:0000:0000:0000:00ff:fe00:0007 \t\tv1\tens4',
        'mlx5_4\t1\t3\t0000:0000:0000:0000:0000:ffff:c000:0207 192.0.2.7  \tv2\tens4',
      ],
      'gid-table',
    );
    expect(gids.map((g) => [g.index, g.version, g.ipv4, g.netdev])).toEqual([
      [0, 'v1', undefined, 'ens4'],
      [3, 'v2', '192.0.2.7', 'ens4'],
    ]);
    expect(isLinkLocal(gids[0]!.gid)).toBe(true);
    expect(isRoutable(gids[1]!.gid)).toBe(true);
    expect(isRoutable('0000:0000:0000:0000:0000:0000:0000:0000')).toBe(false);
  });

  it('counters, by path, below a path, of perfquery and of ibqueryerrors', async () => {
    const lines = [
      '/sys/class/infiniband/mlx5_4/ports/1/counters/link_downed:3',
      '==> /sys/class/infiniband/mlx5_5/ports/1/counters/link_downed <==',
      '255',
      'LinkDownedCounter:...............7',
      '   GUID 0x1 port 1: [SymbolErrorCounter == 9] [LinkDownedCounter == 11]',
    ];
    const { values } = await expectRead(lines, 'counters');
    expect(values.map((v) => [v.device, v.name, v.value])).toEqual([
      ['mlx5_4', 'link_downed', 3],
      ['mlx5_5', 'link_downed', 255],
      [undefined, 'link_downed', 7],
      [undefined, 'symbol_error', 9],
    ]);
  });

  it('links of a fabric, of ibnetdiscover and iblinkinfo', async () => {
    const lines = [
      'Switch\t41 "S-00000000000000aa"\t\t# "MF0;leaf7:MQM8700/U1" enhanced port 0 lid 7 lmc 0',
      '[1]\t"H-00000000000000bb"[1](00000000000000bb) \t\t# "birch mlx5_4" lid 8 4xHDR',
      '           7    3[  ] ==( 4X        53.125 Gbps Active/  LinkUp)==>       9    1[  ] "ash mlx5_5" ( )',
      '           7    4[  ] ==(                Down/ Polling)==>             [  ] "" ( )',
    ];
    const { switches, links } = await expectRead(lines, 'fabric-links');
    expect(switches.map((s) => s.name)).toEqual(['MF0;leaf7:MQM8700/U1']);
    expect(links.map((l) => [l.peer, l.down])).toEqual([
      ['birch mlx5_4', false],
      ['ash mlx5_5', false],
      ['', true],
    ]);
  });

  it('two tools in one paste', async () => {
    const result = await read([
      '$ ibstat',
      "CA 'mlx5_4'",
      '\tPort 1:',
      '\t\tState: Active',
      '',
      '$ rdma link',
      'link mlx5_4/1 state ACTIVE physical_state LINK_UP netdev ens4 ',
    ]);
    expect(result.formats.map((f) => f.id)).toEqual(['ibstat', 'rdma-link']);
  });
});

describe('ibv_devinfo -v', () => {
  const limits = Array.from({ length: 60 }, (_, i) => `\tmax_limit_${'abcdefghij'[i % 10]}:\t\t\t${1 << (i % 20)}`);
  const verbose = (transport: string): string[] => [
    'hca_id:\tsoft0',
    `\ttransport:\t\t\t${transport}`,
    '\tfw_ver:\t\t\t\t0.0.0',
    '\tdevice_cap_flags:\t\t0x0000001c',
    '\t\t\t\t\tPORT_ACTIVE_EVENT',
    '\t\t\t\t\tMEM_WINDOW_TYPE_2B',
    ...limits,
    '\tatomic_cap:\t\t\tATOMIC_HCA (1)',
    '\t\tport:\t1',
    '\t\t\tstate:\t\t\tPORT_ACTIVE (4)',
    '\t\t\tactive_mtu:\t\t1024 (3)',
    '\t\t\tlink_layer:\t\tEthernet',
    '\t\t\tGID[  0]:\t\tfe80:0000:0000:0000:0000:00ff:fe00:0007',
  ];

  it('is read past its hundred limits and flags, and tells iWARP from RoCE', async () => {
    for (const [transport, iwarp] of [
      ['InfiniBand (0)', undefined],
      ['iWARP (1)', true],
    ] as const) {
      const { ports } = await expectRead(verbose(transport), 'rdma-ports');
      expect(ports.map((p) => [p.device, p.state?.value, p.activeMtu?.value, p.gids.length, p.iwarp])).toEqual([
        ['soft0', 'active', 1024, 1, iwarp],
      ]);
    }
  });
});

describe('what grep left of ibv_devinfo', () => {
  const lines = ['\t\t\tstate:\t\t\tPORT_ACTIVE (4)', '\t\t\tmax_mtu:\t\t4096 (5)', '\t\t\tactive_mtu:\t\t1024 (3)'];

  it('is called that, and is no port of a device that nobody named', async () => {
    const all = [...lines, '\t\t\tlink_layer:\t\tEthernet'];
    for (const each of [all, all.map((l) => `node7: ${l}`), all.map((l) => `\u001b[31m${l}\u001b[0m`)]) {
      const { lines: left } = await expectRead(each, 'devinfo-lines');
      expect(left.map((l) => [l.name, l.value])).toEqual([
        ['state', 'PORT_ACTIVE'],
        ['max_mtu', '4096'],
        ['active_mtu', '1024'],
        ['link_layer', 'Ethernet'],
      ]);
    }
    expect((await read(['active_mtu: 1024', 'link_layer: Ethernet', 'state: 4: ACTIVE'])).documents).toEqual([]);
  });

  it('is of the ports of the device that stands above, one after the other', async () => {
    const port = (state: string): string[] => [`\t\t\tstate:\t\t\t${state}`, '\t\t\tlink_layer:\t\tInfiniBand'];
    const grep = ['hca_id:\tmlx5_4', ...port('PORT_ACTIVE (4)'), ...port('PORT_DOWN (1)'), 'hca_id:\tmlx5_5'];
    const { ports } = await expectRead([...grep, ...port('PORT_ACTIVE (4)')], 'rdma-ports');
    expect(ports.map((p) => [p.device, p.port, p.state?.value])).toEqual([
      ['mlx5_4', 1, 'active'],
      ['mlx5_4', 2, 'down'],
      ['mlx5_5', 1, 'active'],
    ]);
  });

  it('is the whole where the device stands above', async () => {
    const result = await read(['hca_id:\tmlx5_4', '\t\tport:\t1', ...lines]);
    expect(result.documents.map((d) => d.kind)).toEqual(['rdma-ports']);
  });
});
