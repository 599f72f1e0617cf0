import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerEnv } from '../../src/answer/env.ts';
import { newest, releaseFor } from '../../src/nccl/release.ts';
import { parseInteger } from '../../src/nccl/settings.ts';
import { numberRead, readBy, variableNamed, variableNames } from '../../src/nccl/variables/variable.ts';
import { readText } from '../../src/read/read-source.ts';
import { stylerFor, wide } from '../../src/tell/text/columns.ts';
import { envText } from '../../src/tell/text/env.ts';
import { render } from '../../src/words/render.ts';
import { pasted, system } from '../support/machines.ts';

const verdicts = (lines: readonly string[], nccl: string, id = 'hgx-h100', nodes = 2) => {
  const { documents } = readText('job.env', `${lines.join('\n')}\n`);
  const answer = answerEnv(documents, system(id, nodes), { nccl });
  return answer.settings.map((s) => [s.name, s.verdict, s.at?.line]);
};

describe('lists of visible GPUs', () => {
  const judged = (lines: string, machine = system('hgx-h100', 1)): string[] => {
    const answer = answerEnv(readText('job.env', `${lines}\n`).documents, machine, {});
    return answer.settings.map((s) => `${s.verdict}: ${render(s.why, 'en')}`);
  };
  const one = (value: string): string => judged(`CUDA_VISIBLE_DEVICES=${value}`)[0]!;

  it('say which GPUs a process sees, and that they are numbered anew', () => {
    expect(one('6,2')).toMatch(/^fine: .*gpu6 → 0, gpu2 → 1\. NCCL goes by bus address/);
    expect(one('0,1,2,3,4,5,6,7')).toBe('standard: all 8 GPUs in their own order: nothing is numbered anew');
    expect(one('"0,1"')).toMatch(/^fine: .*gpu0 → 0, gpu1 → 1/);
  });

  it('know what CUDA does with numbers that are not there, twice there, or none', () => {
    expect(one('0,1,8,2')).toMatch(/^value: 8 is none of the 8 GPUs here; .* sees gpu0 → 0, gpu1 → 1$/);
    expect(one('8')).toMatch(/^value: .* sees –$/);
    expect(one('0,1,1')).toMatch(/^value: 1 stands there twice/);
    expect(one('gpu0')).toMatch(/^value: gpu0 is neither/);
    for (const none of ['', '-1', 'NoDevFiles']) expect(one(none)).toMatch(/^no-gpu: /);
    expect(one('$SLURM_LOCALID')).toMatch(/^open: /);
  });

  it('find UUIDs in the list of nvidia-smi, also cut short', () => {
    const list = [0, 1].map(
      (i) => `GPU ${i}: NVIDIA H100 80GB HBM3 (UUID: GPU-${i}a1b2c3d-1111-2222-3333-444455556666)`,
    );
    const two = (value: string): string =>
      judged([...list, '', `CUDA_VISIBLE_DEVICES=${value}`].join('\n'), pasted(''))[0]!;
    expect(two('GPU-1a1b2c3d')).toMatch(/^fine: .*gpu1 → 0/);
    expect(two('0,1')).toMatch(/^standard: all 2/);
    expect(one('GPU-1a1b2c3d')).toMatch(/^open: .*nvidia-smi -L/);
    expect(one('MIG-1a1b2c3d')).toMatch(/^fine: MIG/);
  });

  it('count anew inside a container', () => {
    const both = judged('NVIDIA_VISIBLE_DEVICES=4,5\nCUDA_VISIBLE_DEVICES=0,2');
    expect(both[0]).toMatch(/^fine: the container gets these GPUs, numbered anew inside: gpu4 → 0, gpu5 → 1/);
    expect(both[1]).toMatch(/^value: 2 is none of the 2 GPUs here/);
    expect(judged('NVIDIA_VISIBLE_DEVICES=9')[0]).toMatch(/^value: .*does not start/);
    expect(judged('NVIDIA_VISIBLE_DEVICES=void')[0]).toMatch(/^no-gpu: /);
    expect(judged('NVIDIA_VISIBLE_DEVICES=all')[0]).toMatch(/^fine: /);
  });

  it('of several processes contradict nobody', () => {
    expect(judged('CUDA_VISIBLE_DEVICES=0\nCUDA_VISIBLE_DEVICES=1').map((j) => j.slice(0, 5))).toEqual([
      'fine:',
      'fine:',
    ]);
  });
});

describe('variables of NCCL', () => {
  it('are judged one by one, each with its line', () => {
    const lines = [
      'NCCL_DEBUG=INFO',
      'export NCCL_IB_HAC=mlx5_0',
      'NCCL_P2P_DISABLE=1',
      'NCCL_NVLS_ENABLE=yes',
      'NCCL_LL_THRESHOLD=0',
      'NCCL_CTA_POLICY=1',
      'NCCL_P2P_DISABLE=0',
      'NCCL_SHM_DISABLE=0',
      'NCCL_NET_GDR_READ=1',
    ];
    expect(verdicts(lines, '2.21.5')).toEqual([
      ['NCCL_DEBUG', 'fine', 1],
      ['NCCL_IB_HAC', 'typo', 2],
      ['NCCL_P2P_DISABLE', 'left', 3],
      ['NCCL_NVLS_ENABLE', 'value', 4],
      ['NCCL_LL_THRESHOLD', 'late', 5],
      ['NCCL_CTA_POLICY', 'early', 6],
      ['NCCL_P2P_DISABLE', 'twice', 7],
      ['NCCL_SHM_DISABLE', 'standard', 8],
      // Hopper reads directly anyway.
      ['NCCL_NET_GDR_READ', 'no-effect', 9],
    ]);
  });

  it('have an effect where they change what NCCL decides, and none where they do not', () => {
    expect(verdicts(['NCCL_CROSS_NIC=0'], '2.21.5', 'dgx-1v', 1)[0]![1]).toBe('no-effect');
    expect(verdicts(['NCCL_MAX_NCHANNELS=2'], '2.21.5', 'hgx-h100', 1)[0]![1]).toBe('fine');
    expect(verdicts(['NCCL_P2P_LEVEL=NVL'], '2.21.5', 'hgx-h100', 1)[0]![1]).toBe('no-effect');
  });

  it('are misread where a level is no name that the release knows', () => {
    const lines = ['NCCL_P2P_LEVEL=FOO', 'NCCL_NET_GDR_LEVEL=phb'];
    expect(verdicts(lines, '2.21.5').map((v) => v[1])).toEqual(['value', 'value']);
    expect(verdicts(['NCCL_P2P_LEVEL=SYS', 'NCCL_NET_GDR_LEVEL=3'], '2.21.5').map((v) => v[1])).not.toContain('value');
  });

  it('are misread where a word is none of those that NCCL knows', () => {
    const bad = [
      'NCCL_P2P_DISABLE=ture',
      'NCCL_DEBUG=INFOO',
      'NCCL_ALGO=Rnig',
      'NCCL_PROTO=^LL12',
      'NCCL_SOCKET_FAMILY=ipv4',
    ];
    for (const release of ['2.21.5', newest]) {
      for (const line of bad) expect([line, verdicts([line], release)[0]![1]]).toEqual([line, 'value']);
    }
    for (const line of ['NCCL_DEBUG=warn', 'NCCL_ALGO=ring', 'NCCL_PROTO=^LL,LL128', 'NCCL_SOCKET_FAMILY=AF_INET']) {
      expect([line, verdicts([line], '2.21.5')[0]![1]]).not.toEqual([line, 'value']);
    }
  });

  it('are misread where a number has no room in 64 bits, and change nothing', () => {
    for (const name of ['NCCL_MIN_NCHANNELS', 'NCCL_MIN_P2P_NCHANNELS', 'NCCL_BUFFSIZE', 'NCCL_IB_TIMEOUT']) {
      const { documents } = readText('job.env', `${name}=99999999999999999999\n`);
      const [judged] = answerEnv(documents, system('hgx-h100', 2), { nccl: '2.30.7' }).settings;
      expect([name, judged!.verdict, judged!.why.code]).toEqual([name, 'value', 'env.long']);
    }
  });

  it('are misread where a number is outside what NCCL takes', () => {
    const bad = ['NCCL_CROSS_NIC=7', 'NCCL_IB_TIMEOUT=99', 'NCCL_NTHREADS=333', 'NCCL_IB_SL=16', 'NCCL_NTHREADS=abc'];
    for (const line of bad) expect([line, verdicts([line], '2.21.5')[0]![1]]).toEqual([line, 'value']);
    const good = [
      'NCCL_CROSS_NIC=1',
      'NCCL_IB_TIMEOUT=22',
      'NCCL_NTHREADS=256',
      'NCCL_IB_TC=106',
      'NCCL_IB_GID_INDEX=-1',
    ];
    for (const line of good) expect([line, verdicts([line], '2.21.5')[0]![1] === 'value']).toEqual([line, false]);
  });

  it('stay open where they name a file that no input shows', () => {
    for (const name of ['NCCL_TOPO_FILE', 'NCCL_CONF_FILE'])
      expect(verdicts([`${name}=/nowhere/topo.xml`], '2.30.7')[0]![1]).toBe('open');
  });

  it('are misspelt in small letters, never dropped in silence', () => {
    expect(verdicts(['nccl_debug=INFO', 'export ucx_tls=rc'], '2.30.7').map((v) => v.slice(0, 2))).toEqual([
      ['nccl_debug', 'typo'],
      ['ucx_tls', 'typo'],
    ]);
  });

  it('of UCX are judged as far as they are known', () => {
    const judged = (line: string) => verdicts([line], '2.30.7')[0]![1];
    expect(judged('UCX_NET_DEVICES=mlx5_0')).toBe('value');
    expect(judged('UCX_NET_DEVICES=mlx5_0:1,eth0')).toBe('fine');
    expect(judged('UCX_TLS=rc,sm,self')).toBe('left');
    for (const tls of ['all', '^tcp', 'rc,cuda_copy,cuda_ipc', 'ud,cuda'])
      expect(judged(`UCX_TLS=${tls}`)).toBe('fine');
    expect(judged('UCX_IB_GPU_DIRECT_RDMA=n')).toBe('left');
    expect(judged('UCX_RNDV_TRESH=8192')).toBe('typo');
    expect(judged('UCX_SOME_OTHER_THING_OF_IT=1')).toBe('open');
  });

  it('fit in the width asked for, however long a value is', () => {
    const long = `NCCL_TOPO_FILE=/${'x'.repeat(150)}.xml`;
    const { documents } = readText('a-folder/that-is/deep/and-has/a-long-name/job.env', `${long}\nNCCL_DEBUG=INFO\n`);
    const answer = answerEnv(documents, system('hgx-h100', 2), {});
    for (const language of ['en', 'zh-CN'] as const) {
      const text = envText(answer, { language, width: 80, style: stylerFor(false) });
      expect(text.split('\n').filter((l) => wide(l) > 80)).toEqual([]);
    }
  });

  it('are known from the first to the last release that reads them', () => {
    for (const name of variableNames) {
      const v = variableNamed(name)!;
      expect([name, /^\d+\.\d+\.\d+$/.test(v.since), v.until === undefined || /^\d+\.\d+\.\d+$/.test(v.until)]).toEqual(
        [name, true, true],
      );
      expect([name, readBy(v, releaseFor(newest)!)]).toEqual([name, v.until === undefined ? 'yes' : 'late']);
    }
    expect(variableNamed('__proto__')).toBeUndefined();
  });

  it('read numbers as NCCL does, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.integer().map(String), fc.constantFrom('0x1f', '010', '4MB', 'true', '-2', ' 3')),
        (text) => {
          const read = numberRead(text);
          if (text.trim() === '') expect(read).toBeUndefined();
          else if (parseInteger(text) !== undefined) expect(read!.value).toBe(parseInteger(text));
        },
      ),
      { numRuns: 2000 },
    );
  });
});
