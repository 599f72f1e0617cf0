import { describe, expect, it } from 'vitest';
import { answerPaths, type PathPair } from '../../src/answer/paths.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { communicator } from '../../src/nccl/communicator.ts';
import { type Ask, situationOf } from '../../src/nccl/of-machine.ts';
import { render } from '../../src/words/render.ts';
import { assuming } from '../support/assuming.ts';
import { described, nearAndFar, pasted, system } from '../support/machines.ts';

function pair(machine: Machine, from: string, to: string, ask: Ask = {}): PathPair {
  const answer = answerPaths(machine, ask);
  if (!answer.ok) throw new Error(render(answer.error.reason, 'en'));
  const found = answer.value.pairs.find((p) => p.from === from && p.to === to);
  if (!found) throw new Error(`no pair ${from} ${to}`);
  return found;
}
const two = (machine: Machine): Machine => ({ ...machine, nodes: 2 });
const env = (name: string, value: string): Ask => ({ env: new Map([[name, value]]) });

describe('P2P', () => {
  const cube = system('dgx-1v');

  it('takes NVLink, two hops over it, and nothing farther than PXB', () => {
    expect(pair(cube, 'gpu0', 'gpu3')).toMatchObject({ type: 'NVL', p2p: { verdict: 'yes', via: 'P2P' } });
    expect(pair(cube, 'gpu0', 'gpu7')).toMatchObject({ type: 'NVB', p2p: { verdict: 'yes', via: 'P2P' } });
    // Without the bridge their own NICs are faster than the way between the sockets.
    expect(pair(cube, 'gpu0', 'gpu7', env('NCCL_NVB_DISABLE', '1'))).toMatchObject({
      type: 'NET',
      p2p: { verdict: 'no', via: 'NET' },
    });
  });

  it('is switched off by exactly 1, which wins over a level', () => {
    expect(pair(cube, 'gpu0', 'gpu3', env('NCCL_P2P_DISABLE', '1')).p2p?.verdict).toBe('no');
    expect(pair(cube, 'gpu0', 'gpu3', env('NCCL_P2P_DISABLE', '2')).p2p?.verdict).toBe('yes');
    const both: Ask = {
      env: new Map([
        ['NCCL_P2P_DISABLE', '1'],
        ['NCCL_P2P_LEVEL', 'SYS'],
      ]),
    };
    expect(pair(cube, 'gpu0', 'gpu3', both).rule.code).toBe('rule.p2p.disabled');
  });

  it('goes over the CPU on an AMD host with two GPUs, not with three', () => {
    const host = (gpus: number): string =>
      `<system version="1"><cpu numaid="0" affinity="f" arch="x86_64" vendor="AuthenticAMD" familyid="25" modelid="1">\n${Array.from(
        { length: gpus },
        (_, i) =>
          `<pci busid="0000:0${i + 1}:00.0" class="0x030000" link_speed="16.0 GT/s PCIe" link_width="16"><gpu dev="${i}" sm="86" rank="${i}" gdr="0"/></pci>`,
      ).join('\n')}\n</cpu></system>\n`;
    expect(pair(pasted(host(2)), 'gpu0', 'gpu1')).toMatchObject({
      type: 'PHB',
      p2p: { via: 'P2P', verdict: 'unknown' },
      settle: 'nvidia-smi topo -p2p w',
    });
    expect(pair(pasted(host(3)), 'gpu0', 'gpu1')).toMatchObject({ type: 'PHB', p2p: { via: 'SHM', verdict: 'no' } });
    // Up to 2.22 AMD hosts of any size went up to SYS.
    const before = pair(pasted(host(3)), 'gpu0', 'gpu1', { nccl: '2.22.3' });
    expect(before.p2p?.via).toBe('P2P');
    expect(render(before.rule, 'en')).toContain('within the level up to which NCCL 2.22.3 uses P2P (SYS)');
    expect(render(pair(pasted(host(2)), 'gpu0', 'gpu1').rule, 'en')).toContain('on an AMD host with at most two GPUs');
  });

  it('obeys the driver, fatally on NVLink', () => {
    const off = assuming(cube, [{ fact: 'p2p', on: false }]);
    expect(pair(off, 'gpu0', 'gpu3').rule.code).toBe('rule.p2p.driver-fatal');
    expect(pair(off, 'gpu0', 'gpu3', env('NCCL_IGNORE_DISABLED_P2P', '2')).p2p?.verdict).toBe('yes');
  });

  it('gives way to NICs that are faster than the CPU between two switches', () => {
    const machine = pasted(nearAndFar);
    // Only gpu0 has a NIC of its own, so the two stay on shared memory.
    expect(pair(machine, 'gpu0', 'gpu1').p2p?.via).toBe('SHM');
    const split = pasted(
      nearAndFar
        .replace('numaid="1" affinity="ff00"', 'numaid="1" affinity="ff00"')
        .replace(
          '<pci busid="0000:90:00.0"',
          '<pci busid="0000:80:00.0" class="0x060400" link_speed="32.0 GT/s PCIe" link_width="16"><pci busid="0000:91:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16"><gpu dev="2" sm="90" rank="2" gdr="1"/></pci><pci busid="0000:90:00.0"',
        )
        .replace('</nic>\n    </pci>\n  </cpu>\n</system>', '</nic>\n    </pci></pci>\n  </cpu>\n</system>'),
    );
    expect(pair(split, 'gpu0', 'gpu2').p2p?.via).toBe('NET');
    expect(pair(split, 'gpu0', 'gpu2', env('NCCL_NET_DISABLE_INTRA', '1')).p2p?.via).toBe('SHM');
    expect(pair(split, 'gpu0', 'gpu2', { nccl: '2.13.4' }).p2p?.via).toBe('SHM');
  });
});

describe('GPUDirect RDMA', () => {
  // Two nodes: older releases drop the NICs of a job that stays on one.
  const machine = two(pasted(nearAndFar));

  it('goes up to PXB, and up to the level that is set', () => {
    expect(pair(machine, 'node0/gpu0', 'node0/nic0')).toMatchObject({ type: 'PIX', gdr: { send: 'yes', recv: 'yes' } });
    expect(pair(machine, 'node0/gpu0', 'node0/nic1')).toMatchObject({ type: 'SYS', gdr: { send: 'no', recv: 'no' } });
    expect(pair(machine, 'node0/gpu0', 'node0/nic1', env('NCCL_NET_GDR_LEVEL', 'SYS')).gdr).toEqual({
      send: 'yes',
      recv: 'yes',
    });
    expect(pair(machine, 'node0/gpu0', 'node0/nic0', env('NCCL_NET_GDR_LEVEL', 'LOC')).gdr).toEqual({
      send: 'no',
      recv: 'no',
    });
    expect(pair(machine, 'node0/gpu0', 'node0/nic0', env('NCCL_NET_GDR_READ', '0')).gdr).toEqual({
      send: 'no',
      recv: 'yes',
    });
  });

  it('names the numbers that the release prints', () => {
    const rule = (nccl: string): string => render(pair(machine, 'node0/nic1', 'node0/gpu0', { nccl }).rule, 'en');
    expect(rule('2.18.3')).toContain('"distance 7 > 4"');
    expect(rule('2.30.7')).toContain('"distance 9 > 6"');
  });

  it('stays unknown when a capability is not told, unless the distance decides', () => {
    const silent = two(pasted(nearAndFar.replaceAll(' gdr="1"', '')));
    expect(pair(silent, 'node0/gpu0', 'node0/nic0')).toMatchObject({ gdr: { send: 'unknown', recv: 'unknown' } });
    expect(pair(silent, 'node0/gpu0', 'node0/nic0').settle).toContain('NCCL_DEBUG=INFO');
    const half = two(pasted(nearAndFar.replace(' gdr="1"/></nic>', ' gdr="0"/></nic>')));
    expect(pair(half, 'node0/gpu0', 'node0/nic0')).toMatchObject({
      gdr: { send: 'no' },
      rule: { code: 'rule.gdr.nic-cannot' },
    });
  });

  it('before sm80 sends only from a GPU with an NVLink neighbour, or alone', () => {
    const old = two(pasted(nearAndFar.replaceAll('sm="90"', 'sm="70"')));
    expect(pair(old, 'node0/gpu0', 'node0/nic0').gdr).toEqual({ send: 'no', recv: 'yes' });
    expect(pair(old, 'node0/gpu0', 'node0/nic0', env('NCCL_NET_GDR_READ', '1')).gdr).toEqual({
      send: 'yes',
      recv: 'yes',
    });
  });

  it.each([
    ['2.24.3', {}, 'PHB', 'no'],
    ['2.26.2', {}, 'PHB', 'no'],
    ['2.26.2', env('NCCL_NET_GDR_C2C', '1'), 'PHB', 'yes'],
    ['2.27.3', {}, 'P2C', 'yes'],
    ['2.27.3', env('NCCL_NET_GDR_C2C', '0'), 'P2C', 'no'],
    ['2.27.5', {}, 'P2C', 'yes'],
    ['2.30.7', {}, 'P2C', 'yes'],
  ] as const)('of NCCL %s on Grace with %j goes through the CPU as %s: %s', (nccl, ask, type, send) => {
    const gh200 = assuming(system('gh200', 2), [{ fact: 'gdr', on: true }]);
    expect(pair(gh200, 'node0/gpu0', 'node0/nic0', { ...ask, nccl })).toMatchObject({ type, gdr: { send } });
  });
});

describe('PXN', () => {
  it('sends through a neighbour with a nearer NIC, and only sends', () => {
    const h100 = system('hgx-h100', 2);
    expect(pair(h100, 'node0/gpu0', 'node0/nic5')).toMatchObject({ type: 'PXN', gdr: { send: 'yes' } });
    expect(pair(h100, 'node0/nic5', 'node0/gpu0').type).toBe('SYS');
    expect(pair(h100, 'node0/gpu0', 'node0/nic5', env('NCCL_PXN_DISABLE', '1'))).toMatchObject({
      type: 'SYS',
      gdr: { send: 'no' },
    });
    expect(pair(h100, 'node0/gpu0', 'node0/nic5', { nccl: '2.11.4' }).type).toBe('SYS');
  });
});

describe('what NCCL refuses', () => {
  it('is told: a GPU below a device that carries a NIC', () => {
    const text = nearAndFar
      .replace(
        'vendor="0x1000" device="0xc030">',
        'vendor="0x1000" device="0xc030"><nic><net name="x" dev="9" speed="1000" port="1" gdr="0"/></nic>',
      )
      .replace(
        '<gpu dev="0" sm="90" rank="0" gdr="1"/>',
        '<gpu dev="0" sm="90" rank="0" gdr="1"><nvlink target="fffffff:ff:ff.0" count="18" tclass="0x068000"/></gpu>',
      );
    const answer = answerPaths(pasted(text), {});
    expect(answer.ok ? '' : answer.error.reason.code).toBe('rule.refused.gpu-hidden');
    expect(answer.ok ? [] : answer.error.at.map((w) => w.line)).toContain(5);
  });

  it('is not a GPU that takes no part, on releases that prune nothing', async () => {
    const twelve = await described('node: dgx-2\nnodes: 1\ngpusPerNode: 12\n');
    for (const nccl of ['2.6.4', '2.7.8', '2.8.4']) {
      const found = communicator(situationOf(twelve, 0, { nccl, env: new Map() }));
      expect(found.ok ? found.value.ranks : found.error.reason.code, nccl).toBe(12);
    }
  });

  it('is told: no GPU at all', () => {
    const answer = answerPaths(
      pasted(
        '<system version="1"><cpu numaid="0" affinity="f" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143"><pci busid="0000:01:00.0" class="0x020000" link_speed="16 GT/s" link_width="8"><nic><net name="a" dev="0" speed="25000"/></nic></pci></cpu></system>\n',
      ),
      {},
    );
    expect(answer.ok ? '' : answer.error.reason.code).toBe('rule.refused.no-gpu');
  });
});
