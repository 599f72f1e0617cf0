import { describe, expect, it } from 'vitest';
import { answerEnv } from '../../src/answer/env.ts';
import { newest, releaseFor } from '../../src/nccl/release.ts';
import { valuesOf, within } from '../../src/nccl/variables/values.ts';
import { variableNamed, variableNames } from '../../src/nccl/variables/variable.ts';
import { readText } from '../../src/read/read-source.ts';
import { render } from '../../src/words/render.ts';
import { described, system } from '../support/machines.ts';

/** What is said of the last of some settings. */
function said(lines: string, nccl = newest, machine = system('hgx-h100', 2)): string {
  const { settings } = answerEnv(readText('job.env', `${lines}\n`).documents, machine, { nccl });
  const last = settings.at(-1)!;
  return `${last.verdict}: ${render(last.why, 'en')}`;
}

describe('values of variables', () => {
  it('a number is wanted by every variable that is one, whatever else is written', () => {
    for (const name of variableNames) {
      const v = variableNamed(name)!;
      if (v.kind === 'text' || name === 'NCCL_CTA_POLICY') continue;
      const nccl = v.until ?? newest;
      for (const text of ['nonsense', '1.5', '4MB']) {
        const told = said(`${name}=${text}`, nccl);
        if (releaseFor(nccl)!.name === nccl)
          expect([name, text, told]).toEqual([name, text, expect.stringMatching(/^value: /)]);
      }
    }
  });

  it('the default of every variable is within what it takes', () => {
    for (const name of variableNames) {
      const v = variableNamed(name)!;
      const values = valuesOf(v, releaseFor(v.until ?? newest)!);
      if (v.standard === undefined || values === undefined) continue;
      expect([name, within(values, Number(v.standard))]).toEqual([name, true]);
    }
  });

  it('the default is that of the release', () => {
    expect(said('NCCL_CUMEM_ENABLE=0', '2.18.5')).toBe('standard: this is the default');
    expect(said('NCCL_CUMEM_ENABLE=0', '2.19.3')).toMatch(/^left: /);
    expect(said('NCCL_IB_TIMEOUT=18', '2.22.3')).toBe('standard: this is the default');
    expect(said('NCCL_IB_TIMEOUT=18', '2.23.4')).toBe('fine: read as meant');
    expect(said('NCCL_IB_SPLIT_DATA_ON_QPS=1', '2.18.5')).toBe('standard: this is the default');
    expect(said('NCCL_NVLS_NCHANNELS=16', '2.18.5')).toBe('standard: this is the default');
    expect(said('NCCL_NVLS_NCHANNELS=16', '2.27.7')).not.toMatch(/^standard: /);
    expect(said('NCCL_NVLS_ENABLE=2')).toBe('standard: this is the default');
  });

  it('no bytes, and less than none, hold no message', () => {
    for (const name of ['NCCL_BUFFSIZE', 'NCCL_LL_BUFFSIZE', 'NCCL_LL128_BUFFSIZE', 'NCCL_P2P_NET_CHUNKSIZE']) {
      for (const value of ['0', '-1', '99999999999'])
        expect(said(`${name}=${value}`)).toMatch(/^value: reads .*outside/);
    }
    expect(said('NCCL_BUFFSIZE=1024')).toBe('value: reads 1024, outside what it takes: 4096–2147483647, -2');
    expect(said('NCCL_BUFFSIZE=8388608')).toBe('fine: read as meant');
    expect(said('NCCL_IB_QPS_PER_CONNECTION=0')).toBe('value: reads 0, outside what it takes: ≥ 1');
    expect(said('NCCL_IB_DISABLE=7')).toBe('value: reads 7, outside what it takes: 0, 1');
    expect(said('NCCL_SOCKET_RETRY_CNT=-3')).toBe('value: reads -3, outside what it takes: ≥ 0');
  });

  it('a 0 in front makes another number, in range or not', () => {
    expect(said('NCCL_BUFFSIZE=04194304')).toBe(
      'value: the 0 in front makes it octal: NCCL reads 33; write 4194304 without it',
    );
    expect(said('NCCL_BUFFSIZE=010000000')).toMatch(/^value: .* reads 2097152; write 10000000 /);
    expect(said('NCCL_IB_TIMEOUT=07')).toBe('fine: read as meant');
    expect(said('NCCL_BUFFSIZE=0x800000')).toBe('fine: read as meant');
  });

  it('an address of IP is chosen on RoCE alone', async () => {
    const over = async (transport: string): Promise<string> => {
      const yaml = `node: hgx-h100\nnodes: 2\nnetwork: {transport: ${transport}, rate: 400Gb/s}`;
      return said('NCCL_IB_GID_INDEX=3', newest, await described(yaml)).slice(0, 9);
    };
    expect([await over('roce'), await over('infiniband'), await over('tcp')]).toEqual([
      'fine: rea',
      'no-effect',
      'no-effect',
    ]);
  });

  it('marks of a list of names stand once, before all of them', () => {
    expect(said('NCCL_IB_HCA=^=mlx5_8,^=mlx5_14')).toBe('value: not as NCCL wants it: ^=mlx5_0,mlx5_1:1');
    expect(said('NCCL_IB_HCA=mlx5_0/1,mlx5_1/1')).toMatch(/^value: not as NCCL wants it/);
    expect(said('NCCL_SOCKET_IFNAME=^docker0,^lo')).toBe('value: not as NCCL wants it: ^docker,lo');
    for (const fine of ['NCCL_IB_HCA==mlx5_0:1,mlx5_1', 'NCCL_IB_HCA=^mlx5_4', 'NCCL_SOCKET_IFNAME=^=eth0,ens1'])
      expect([fine, said(fine)]).toEqual([fine, expect.not.stringMatching(/^value/)]);
  });

  it('a name that another one goes on from is that one, where it is one alone', () => {
    expect(said('NCCL_IB_GID=3')).toBe('typo: no release reads it; did you mean NCCL_IB_GID_INDEX?');
  });

  it('what NCCL takes in place of a number is told where it is known', () => {
    expect(said('NCCL_MAX_NCHANNELS=100')).toMatch(/^value: reads 100, .* takes 64 instead$/);
    expect(said('NCCL_MAX_NCHANNELS=64', '2.24.3')).toMatch(/^value: reads 64, .* takes 32 instead$/);
    expect(said('NCCL_MAX_NCHANNELS=0')).toMatch(/ takes 1 instead$/);
    expect(said('NCCL_MAX_CTAS=0')).toMatch(/^value: .* as if it were not set$/);
    expect(said('NCCL_NTHREADS=100')).toMatch(/ takes 512 instead$/);
    expect(said('NCCL_NTHREADS=32')).toMatch(/ takes 64 instead$/);
    expect(said('NCCL_NTHREADS=-5')).toMatch(/ as if it were not set$/);
    expect(said('NCCL_P2P_DISABLE=2')).toMatch(/^value: .* as if it were not set$/);
    expect(said('NCCL_WORK_FIFO_BYTES=1000000')).toBe(
      'value: reads 1000000, outside what it takes (1, 2, 4, 8 … 1073741824, -1), and goes on as if it were not set',
    );
    expect(said('NCCL_WORK_FIFO_BYTES=4294967296')).toMatch(/ takes 1073741824 instead$/);
    expect(said('NCCL_WORK_FIFO_BYTES=2097152')).toBe('fine: read as meant');
    expect(said('NCCL_WORK_FIFO_DEPTH=1000', '2.21.5')).toMatch(/ as if it were not set$/);
    expect(said('NCCL_SOCKET_NTHREADS=40')).toMatch(/ takes 16 instead$/);
  });

  it('a meaning of its own is one from the release that gave it', () => {
    expect(said('NCCL_IB_GID_INDEX=-1', '2.20.5')).toMatch(/^value: /);
    expect(said('NCCL_IB_GID_INDEX=-1', '2.21.5')).toBe('standard: this is the default');
    expect(said('NCCL_IB_TC=-1', '2.24.3')).toMatch(/^value: /);
    expect(said('NCCL_ALGO=PAT', '2.21.5')).toMatch(/^value: NCCL ignores PAT/);
    expect(said('NCCL_ALGO=NVLS', '2.16.5')).toMatch(
      /^value: NCCL ignores NVLS: it knows Tree, Ring, CollNetDirect, CollNetChain$/,
    );
    expect(said('NCCL_ALGO=CollNet', '2.12.12')).not.toMatch(/^value/);
    expect(said('NCCL_DEBUG_SUBSYS=INIT,REG', '2.20.5')).toMatch(/^value: NCCL ignores REG/);
    expect(said('NCCL_DEBUG_SUBSYS=^INIT,net')).toBe('fine: read as meant');
    expect(said('NCCL_DEBUG_SUBSYS=INIT,,NET,')).toBe('fine: read as meant');
    expect(said('NCCL_DEBUG_SUBSYS=INIT, NET')).toMatch(/^value: NCCL ignores " NET": it knows /);
    expect(said('NCCL_ALGO=Ring, Tree')).toMatch(/^value: NCCL does not start with " Tree": it knows /);
    expect(said('NCCL_ALGO=Ring, Tree', '2.21.5')).toMatch(/^value: NCCL ignores " Tree": it knows /);
    expect(said('NCCL_SET_THREAD_NAME=true', '2.29.7')).toMatch(/^value: NCCL wants a number/);
    expect(said('NCCL_SET_THREAD_NAME=true', '2.30.7')).toBe('fine: read as meant');
    expect(said('NCCL_CTA_POLICY=ZERO', '2.28.9')).toMatch(/^value: NCCL wants a number/);
    expect(said('NCCL_CTA_POLICY=EFFICIENCY|ZERO', '2.29.7')).toBe('fine: read as meant');
  });

  it('text has the form or the words that NCCL knows', () => {
    for (const bad of [
      'NCCL_COMM_ID=node1',
      'NCCL_RAS_ADDR=28028',
      'NCCL_NETDEVS_POLICY=MAX:0',
      'NCCL_PROXY_CPUSET=all',
      'NCCL_PROXY_CPUSET=0-7,16',
      'NCCL_NET_MERGE_LEVEL=NODE',
      'NCCL_THREAD_THRESHOLDS=8 8 64',
      'NCCL_SOCKET_IFNAME=e',
    ])
      expect([bad, said(bad)]).toEqual([bad, expect.stringMatching(/^value: /)]);
    for (const good of [
      'NCCL_COMM_ID=10.0.0.1:23456',
      'NCCL_COMM_ID=[fe80::1]:23456',
      'NCCL_NETDEVS_POLICY=max:2',
      'NCCL_PROXY_CPUSET=0,1, 0x10',
      'NCCL_NET_MERGE_LEVEL=PORT',
      'NCCL_NET_PLUGIN=none',
    ])
      expect([good, said(good)]).toEqual([good, expect.not.stringMatching(/^value: /)]);
    expect(said('NCCL_THREAD_THRESHOLDS=8 8 64')).toBe(
      'value: NCCL reads 3 of the six numbers it wants and keeps its defaults for the others',
    );
  });
});

describe('names of another time or of others', () => {
  it('are told with the name of today', () => {
    expect(said('NCCL_NRINGS=2')).toMatch(/^unknown: .*use NCCL_MIN_CTAS, NCCL_MAX_CTAS$/);
    expect(said('NCCL_NRINGS=2', '2.12.12')).toMatch(/use NCCL_MIN_NCHANNELS, NCCL_MAX_NCHANNELS$/);
    expect(said('NCCL_RINGS=0 1')).toBe('late: 2.4.8 was the last to read it; use NCCL_GRAPH_FILE');
    expect(said('NCCL_MAX_P2P_PEERS=8')).toMatch(/use NCCL_P2P_MAX_PEERS$/);
    expect(said('NCCL_CHECKS_DISABLE=1')).toMatch(/use NCCL_CHECK_POINTERS$/);
    expect(said('NCCL_SINGLE_RING_THRESHOLD=8')).toMatch(/^unknown: .*nothing took its place$/);
  });

  it('are no slips where others read them', () => {
    expect(said('NCCL_BLOCKING_WAIT=1')).toBe('fine: PyTorch reads it, not NCCL');
    expect(said('NCCL_VERSION=2.18.3')).toMatch(/^no-effect: /);
    for (const name of ['NCCL_IBEXT_DISABLE', 'NCCL_SHARP_DISABLE', 'NCCL_FASTRAK_CTRL_DEV'])
      expect(said(`${name}=1`)).toMatch(/^open: a plugin may read it/);
    expect(said('NCCL_SHM_DISALBE=1')).toMatch(/^typo: /);
    expect(said('nccl_shm_disable=1')).toBe('typo: names are told apart by case: NCCL reads NCCL_SHM_DISABLE');
    expect(said('nccl_shm_disalbe=1')).toMatch(/^typo: .*did you mean NCCL_SHM_DISABLE\?$/);
    expect(said('nccl_of_our_own=1')).toMatch(/^unknown: /);
  });
});

describe('variables that do nothing', () => {
  it('beside another one', () => {
    expect(said('NCCL_GDRCOPY_FLUSH_ENABLE=1')).toBe(
      'no-effect: does nothing without NCCL_GDRCOPY_ENABLE=1, which these inputs do not set',
    );
    expect(said('NCCL_GDRCOPY_ENABLE=1\nNCCL_GDRCOPY_FLUSH_ENABLE=1')).toBe('fine: read as meant');
    expect(said('NCCL_IB_DISABLE=1\nNCCL_IB_TIMEOUT=22')).toBe(
      'no-effect: NCCL_IB_DISABLE=1 leaves it nothing to decide',
    );
    expect(said('NCCL_IB_DISABLE=0\nNCCL_IB_TIMEOUT=22')).toBe('fine: read as meant');
    expect(said('NCCL_IB_GID_INDEX=3\nNCCL_IB_ADDR_FAMILY=AF_INET6')).toMatch(/^no-effect: NCCL_IB_GID_INDEX /);
    expect(said('NCCL_COLLNET_NODE_THRESHOLD=4', '2.26.2')).toMatch(/^no-effect: .*NCCL_COLLNET_ENABLE=1/);
    expect(said('NCCL_COLLNET_NODE_THRESHOLD=4', '2.27.3')).toBe('fine: read as meant');
    expect(said('NCCL_MAX_NCHANNELS=8\nNCCL_MAX_NRINGS=4')).toMatch(/^no-effect: NCCL_MAX_NCHANNELS /);
  });

  it('on a machine whose network, switches or nodes have no use for them', async () => {
    const over = (transport: string) =>
      described(`node: dgx-a100-40g\nnodes: 2\nnetwork: {transport: ${transport}, rate: 100Gb/s}\n`);
    const tcp = await over('tcp');
    const ib = await over('infiniband');
    expect(said('NCCL_IB_TIMEOUT=22', '2.27.7', tcp)).toMatch(/^no-effect: decides nothing/);
    expect(said('NCCL_IB_TIMEOUT=22', '2.27.7', ib)).toBe('fine: read as meant');
    expect(said('NCCL_SOCKET_NTHREADS=4', '2.27.7', tcp)).toBe('fine: read as meant');
    expect(said('NCCL_SOCKET_NTHREADS=4', '2.27.7', ib)).toMatch(/^no-effect: decides nothing/);
    expect(said('NCCL_NET=Socket\nNCCL_SOCKET_NTHREADS=4', '2.27.7', ib)).toBe('fine: read as meant');
    // Ampere has no NVLS.
    expect(said('NCCL_NVLS_CHUNKSIZE=65536', '2.27.7', ib)).toMatch(/^no-effect: decides nothing/);
    expect(said('NCCL_NVLS_CHUNKSIZE=65536', '2.27.7', system('hgx-h100', 1))).toBe('fine: read as meant');
    expect(said('NCCL_P2P_NET_CHUNKSIZE=65536', '2.27.7', ib)).toBe('fine: read as meant');
    expect(said('NCCL_P2P_PCI_CHUNKSIZE=65536', '2.27.7', ib)).toMatch(/^no-effect: decides nothing/);
  });
});
