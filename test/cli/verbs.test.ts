import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cells } from '../../src/base/width.ts';
import { sourcesOf } from '../../src/cli/sources.ts';
import { verbs } from '../../src/cli/verbs.ts';
import { nearAndFar } from '../support/machines.ts';
import { crowfly } from './run.ts';

const example = 'examples/h100-two-nodes';
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'crowfly-test-'));
  writeFileSync(join(dir, 'a.txt'), nearAndFar);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const widest = (text: string): number => Math.max(...text.split('\n').map((l) => [...l].length));
const cellsOf = (text: string): number => Math.max(...text.split('\n').map(cells));

describe('help', () => {
  it('tells what stands behind each verb, and the verb what is missing', () => {
    for (const verb of ['predict', 'compare', 'move', 'explain', 'learn', 'doctor', 'graph']) {
      for (const lang of ['en', 'zh-CN']) {
        const { out } = crowfly([verb, '--help', '--lang', lang]);
        expect([verb, lang, /^(?:Arguments:|参数：)\n {2}\w+ {2,}\S/m.test(out)]).toEqual([verb, lang, true]);
      }
    }
    expect(crowfly(['probe', '--help']).out).not.toContain('inputs...');
    for (const verb of ['predict', 'compare', 'move', 'explain']) {
      const { status, err } = crowfly([verb, '--lang', 'zh-CN']);
      expect([verb, status, /[\u4e00-\u9fff]/.test(err)]).toEqual([verb, 2, true]);
    }
  });
});

describe('help as a whole', () => {
  it('shows every verb once, in both languages, within the columns there are', () => {
    for (const lang of ['en', 'zh-CN']) {
      for (const columns of ['60', '80', '120']) {
        const { status, out } = crowfly(['--help', '--lang', lang], { env: { COLUMNS: columns } });
        expect([lang, columns, status, cellsOf(out) <= Number(columns)]).toEqual([lang, columns, 0, true]);
        for (const verb of verbs) {
          const name = verb.usage.split(' ')[0]!;
          expect([name, out.match(new RegExp(`^ {2}${name} `, 'gm'))?.length]).toEqual([name, 1]);
        }
      }
    }
  });

  it('is in Chinese where that is asked for, whatever the locale', () => {
    for (const args of [['--help'], ['move', '--help'], ['help', 'move'], ['paths', '--bogus']]) {
      const { out, err } = crowfly(args, { env: { LANG: 'zh_CN.UTF-8', LC_ALL: '' } });
      expect([args, /Usage|Options|Arguments|display|unknown/.test(out + err)]).toEqual([args, false]);
    }
  });

  it('gives diff its own two words, and each verb calls that it understands', () => {
    expect(crowfly(['diff', '--help']).out).toMatch(/crowfly diff \[A\] \[B\]/);
    for (const { usage, examples = [] } of verbs) {
      const name = usage.split(' ')[0]!;
      expect([name, examples.length > 0]).toEqual([name, true]);
      for (const e of examples) expect(name === 'report' || e.startsWith(name)).toBe(true);
    }
  });

  it('names the option that was meant, and the one whose value is missing', () => {
    expect(crowfly(['paths', '--nodse', '2']).err).toContain('unknown option --nodse; did you mean --nodes?');
    const { status, err } = crowfly(['paths', '--system']);
    expect([status, err.split('\n')[0]]).toEqual([2, 'crowfly: --system <id>: its value is missing']);
  });
});

describe('--system', () => {
  it('lists the systems when asked to', () => {
    const { status, out } = crowfly(['--system', 'list']);
    expect(status).toBe(0);
    expect(out).toMatch(/^hgx-h100 +NVIDIA DGX\/HGX H100/m);
  });

  it('names the systems when none is near what was asked for', () => {
    const { status, err } = crowfly(['show', '--system', 'whatever-else']);
    expect(status).toBe(2);
    expect(err).toMatch(/it has .*hgx-h100/);
  });
});

describe('predict', () => {
  it('has no table where the variables leave NCCL no algorithm, as graph says', () => {
    const { status, err } = crowfly(['predict', 'all_gather', '--system', 'hgx-h100', '--env', 'NCCL_ALGO=Tree']);
    expect(status).toBe(2);
    expect(err).toContain('leave nothing that can do it');
    expect(crowfly(['predict', 'alltoall', '--system', 'hgx-h100', '--env', 'NCCL_ALGO=Tree']).status).toBe(0);
  });
});

describe('a system without a NIC', () => {
  it('is said to have none, not that no input shows one', () => {
    for (const words of [
      ['predict', 'all_reduce', '--max', '1M'],
      ['move', 'gpu0', 'node1/gpu0'],
    ]) {
      const { status, err } = crowfly([...words, '--system', 'pcie-rtx-4090-8', '--nodes', '2']);
      expect([words[0], status]).toEqual([words[0], 2]);
      expect(err).toContain('the machine as described has no NIC');
    }
  });
});

describe('train', () => {
  it('spell 8-bit floating point as others do, and refuse parts of less than a byte in their own words', () => {
    const base = ['predict', 'all_reduce', '--system', 'hgx-h100', '--min', '1M', '--max', '1M'];
    for (const type of ['f8e4m3', 'fp8_e4m3', 'fp8e4m3']) {
      const { status, out } = crowfly([...base, '--datatype', type]);
      expect([type, status]).toEqual([type, 0]);
      expect(out).toContain('f8e4m3');
    }
    expect(crowfly([...base, '--datatype', 'fp8e4m4']).status).toBe(2);
    const parts = (n: number): string =>
      crowfly(['predict', 'alltoall', '--system', 'hgx-h100', '--nodes', '2', '--env', `NCCL_P2P_NET_CHUNKSIZE=${n}`])
        .err;
    expect(parts(-1)).toContain('NCCL_P2P_NET_CHUNKSIZE=-1: NCCL cuts messages into parts of at least 1 byte');
    expect(parts(0)).toContain('NCCL_P2P_NET_CHUNKSIZE=0: NCCL cuts messages into parts of at least 1 byte');
  });

  it('takes no share above one', () => {
    const { status, err } = crowfly(['train', '--system', 'hgx-h100', '--mfu', '40']);
    expect(status).toBe(2);
    expect(err).toContain('--mfu is a share, above 0 and at most 1, not 40');
    expect(crowfly(['train', '--system', 'hgx-h100', '--datatype', 'int8']).err).toContain(
      '--datatype of gradients is half, bfloat16 or float, not int8',
    );
  });

  it('shows where the largest step goes, all of it', () => {
    const args = ['train', '--system', 'hgx-h100', '--nodes', '2', '--strategy', 'fsdp', '--datatype', 'float'];
    const { out } = crowfly(args);
    const [, parts] = out.split('Where the step of 16 GPUs goes\n');
    const shares = parts!
      .split('\n\n')[0]!
      .split('\n')
      .map((line) => Number(/([\d.]+) %/.exec(line)![1]));
    expect(shares).toHaveLength(5);
    expect(shares.reduce((a, b) => a + b)).toBeCloseTo(100, 0);
    const { gradientBytes, rows } = JSON.parse(crowfly([...args, '--json']).out);
    expect(gradientBytes).toBe(4);
    for (const r of rows) {
      const sum = r.computeUs + r.slowedUs + r.waitingUs + r.exposedUs + r.optimizerUs;
      expect(sum / r.stepUs).toBeCloseTo(1, 4);
    }
  });
});

describe('report', () => {
  it('needs no verb, and tells the machine, the way, the rule with its line, and the command', () => {
    const { status, out, err } = crowfly([example, '--width', '80']);
    expect(status).toBe(0);
    expect(err).toBe('');
    expect(out).toContain('2 nodes × 8 × H100');
    expect(out).toContain('host-staged-rdma');
    expect(out).toContain(`${example}/nccl.log:34`);
    expect(out).toContain('sudo modprobe nvidia_peermem');
    expect(out).not.toMatch(/\u001b/);
  });

  it('speaks Chinese by option or by locale', () => {
    const chosen = crowfly([example, '--lang', 'zh-CN']).out;
    expect(chosen).toContain('没有走直路');
    expect(crowfly([example], { env: { LANG: 'zh_CN.UTF-8' } }).out).toBe(chosen);
    expect(chosen).not.toMatch(/\{\w+\}/);
  });

  it('gives one JSON document and nothing else', () => {
    const { out, status } = crowfly([example, '--json']);
    const json = JSON.parse(out) as { schema: string; ways: { direct: string }[]; inputs: { file: string }[] };
    expect(status).toBe(0);
    expect(json.schema).toBe('crowfly/report@1');
    expect(json.ways.map((w) => w.direct)).toEqual(['yes', 'no']);
    expect(json.inputs).toHaveLength(4);
  });

  it('reads standard input, gz, and a name that says nothing', () => {
    const plain = crowfly(['-'], { input: nearAndFar }).out.replace(/^.*\n/, '');
    writeFileSync(join(dir, 'b'), gzipSync(nearAndFar));
    expect(plain).toContain('gpu0');
    expect(crowfly([join(dir, 'b')]).out).toContain('switch0');
  });

  it('is not spoiled by an input that holds nothing', () => {
    writeFileSync(join(dir, 'noise.txt'), 'hello\nworld\n');
    const { status, out } = crowfly([join(dir, 'noise.txt'), join(dir, 'a.txt')]);
    expect(status).toBe(0);
    expect(out).toContain('noise.txt');
    expect(out).toContain('nothing that crowfly reads');
  });

  it('writes to a file when asked, and colours when asked', () => {
    const file = join(dir, 'out.txt');
    expect(crowfly([example, '-o', file]).out).toBe('');
    expect(readFileSync(file, 'utf8')).toContain('host-staged-rdma');
    expect(crowfly([example, '--color', 'always']).out).toMatch(/\u001b\[31m/);
    expect(crowfly([example, '--color', 'always'], { env: { NO_COLOR: '1' } }).out).toMatch(/\u001b\[31m/);
  });
});

describe('show', () => {
  it.each([
    ['svg', /^<svg[^>]+>/],
    ['dot', /^(?:di)?graph /],
    ['mermaid', /^(?:flowchart|graph|---|%%)/],
    ['html', /^<!doctype html>/i],
    ['json', /^\{/],
  ])('draws as %s', (form, begin) => {
    const { status, out } = crowfly(['show', '--system', 'dgx-1v', '--as', form]);
    expect(status).toBe(0);
    expect(out.trimStart()).toMatch(begin);
  });

  it('keeps to 80 columns', () => {
    for (const id of ['dgx-1v', 'dgx-2', 'hgx-h100', 'gb200-nvl72']) {
      expect(widest(crowfly(['show', '--system', id, '--width', '80']).out), id).toBeLessThanOrEqual(80);
    }
  });

  it('names the forms it knows', () => {
    const { status, err } = crowfly(['show', '--system', 'dgx-1v', '--as', 'png']);
    expect([status, err]).toEqual([2, expect.stringContaining('svg')]);
  });
});

describe('paths', () => {
  it('answers in the shape of the contract', () => {
    const { status, out } = crowfly(['paths', join(dir, 'a.txt'), '--json', '--nodes', '2', '--nccl', '2.30.7']);
    const json = JSON.parse(out) as {
      schema: string;
      ncclVersion: string;
      devices: { id: string; nccl: string }[];
      pairs: Record<string, unknown>[];
    };
    expect([status, json.schema, json.ncclVersion]).toEqual(
      [1, 'crowfly/paths@1', '2.30.7'].map((v, i) => (i === 0 ? expect.any(Number) : v)),
    );
    expect(new Set(json.devices.map((d) => d.nccl)).size).toBe(json.devices.length);
    const p = json.pairs.find((x) => x['from'] === 'node0/gpu0' && x['to'] === 'node0/nic0');
    expect(p).toMatchObject({
      type: 'PIX',
      bandwidthGBps: 48,
      gdr: { send: 'yes', recv: 'yes' },
      evidence: [{ line: 5 }, { line: 8 }],
    });
  });

  it('shows every assumption and answers an unknown version by the nearest', () => {
    const json = JSON.parse(
      crowfly(['paths', join(dir, 'a.txt'), '--json', '--assume', 'gdr=off', '--nccl', '2.21.6']).out,
    ) as Record<string, unknown>;
    expect(json).toMatchObject({ assumptions: ['gdr=off'], ncclVersion: '2.21.5', ncclAsked: '2.21.6' });
  });

  it('exits 1 where a verdict asked for is unknown, unless told not to', () => {
    const silent = nearAndFar.replaceAll(' gdr="1"', '');
    expect(crowfly(['paths', '-'], { input: silent }).status).toBe(1);
    expect(crowfly(['paths', '-', '--fail-on', 'never'], { input: silent }).status).toBe(0);
  });
});

describe('explain', () => {
  it('gives the ceiling of what a change leads to, as the change itself shows it', () => {
    const offered = crowfly(['explain', 'gpu0', 'gpu5', '--system', 'dgx-1v']).out;
    const changed = crowfly(['explain', 'gpu0', 'gpu5', '--system', 'dgx-1v', '--env', 'NCCL_P2P_DISABLE=1']).out;
    expect(changed).toMatch(/^gpu0 → gpu5 {3}host-staged-rdma .* at most 12\.5 GB\/s/);
    expect(offered).toMatch(/set NCCL_P2P_DISABLE=1 {2}→ {2}host-staged-rdma, at most 12\.5 GB\/s/);
    expect(changed).toContain('NCCL_P2P_DISABLE=1 in the environment');
  });

  it('takes options before the verb, and names a verb that was nearly typed', () => {
    const { out } = crowfly(['--system', 'dgx-1v', 'explain', 'gpu0', 'gpu5']);
    expect(out).toContain('gpu0 → gpu5');
    const { status, err } = crowfly(['explian', 'gpu0']);
    expect(status).toBe(2);
    expect(err).toContain('"explain"');
    // Also where another word is a file.
    const other = crowfly(['diagnose', 'package.json']);
    expect([other.status, other.out]).toEqual([2, '']);
    expect(other.err).toContain('"doctor"');
  });

  it('says why a file cannot be written, and that what is asked for would never end', () => {
    const far = crowfly(['explain', 'gpu0', 'gpu5', '--system', 'dgx-1v', '-o', join(dir, 'no', 'such')]);
    expect([far.status, far.err]).toEqual([2, expect.stringContaining('no such file or folder')]);
    if (existsSync('/dev/full')) {
      const full = spawnSync('sh', ['-c', `"${process.execPath}" bin/crowfly.js explain PIX > /dev/full`], {
        encoding: 'utf8',
      });
      expect([full.status, full.stderr]).toEqual([2, expect.stringContaining('no space left')]);
    }
    const empty = join(dir, 'empty');
    mkdirSync(empty, { recursive: true });
    const none = crowfly([empty]);
    expect([none.status, none.err]).toEqual([2, expect.stringContaining('it holds no files')]);
    const long = crowfly([
      'move',
      'gpu0',
      'gpu1',
      '--system',
      'dgx-1v',
      '--path',
      'host-staged',
      '--sizes',
      '1024T',
      '--beside',
      'gpu2 gpu3',
    ]);
    expect([long.status, long.err]).toEqual([2, expect.stringContaining('too long to watch')]);
  });

  it('tells stages, copies, the weakest, the rule and what would flip it', () => {
    const { out, status } = crowfly([
      'explain',
      'nic1',
      'gpu0',
      join(dir, 'a.txt'),
      '--nccl',
      '2.18.3',
      '--nodes',
      '2',
    ]);
    expect(status).toBe(0);
    expect(out).toContain('distance 7 > 4');
    expect(out).toContain('NCCL_NET_GDR_LEVEL=SYS');
    expect(out).toContain('nic1 moved to');
    expect(out).toContain('weakest');
  });

  it('explains words, and offers the nearest', () => {
    expect(crowfly(['explain', 'PIX']).out).toContain('PCIe switch');
    // A word stays one beside a device or a file that is called so, too.
    expect(crowfly(['explain', 'NVSwitch']).out).toMatch(/^NVSwitch/);
    writeFileSync(join(dir, 'ring'), '');
    expect(crowfly(['explain', 'ring'], { cwd: dir }).out).toMatch(/^ring/);
    expect(crowfly(['explain', 'NCCL_TOPO_FILE=/etc/topo.xml']).out).toMatch(/^NCCL_TOPO_FILE/);
    expect(crowfly(['explain', 'pxn', '--lang', 'zh-CN']).out).toContain('NVLink');
    const { status, err } = crowfly(['explain', 'PXM']);
    expect([status, err]).toEqual([2, expect.stringMatching(/did you mean P/)]);
  });

  it('explains a line of a log, and a variable of NCCL by the releases that read it', () => {
    expect(crowfly(['explain', 'via NET/IB/0/GDRDMA']).out).toMatch(/^GPUDirect RDMA/);
    const { out } = crowfly(['explain', 'NCCL_CHECK_POINTERS=1']);
    expect(out).toContain('since 2.3.5');
    expect(out).toContain('NCCL_CHECK_MODE');
    expect(JSON.parse(crowfly(['explain', 'nccl_ib_hca', '--json']).out)).toMatchObject({
      schema: 'crowfly/term@1',
      term: 'NCCL_IB_HCA',
    });
    expect(crowfly(['explain', 'NCCL_IB_HAC']).err).toContain('NCCL_IB_HCA');
  });

  it('names the devices there are', () => {
    const { status, err } = crowfly(['explain', 'gpu7', 'nic0', join(dir, 'a.txt')]);
    expect(status).toBe(2);
    expect(err).toContain('gpu0');
  });
});

describe('two ends', () => {
  it('are needed: one alone, or inputs alone, are told which there are', () => {
    const file = join(dir, 'a.txt');
    for (const verb of ['move', 'explain']) {
      for (const words of [['gpu0', file], [file], ['gpu0', '--system', 'dgx-1v']]) {
        const { status, out, err } = crowfly([verb, ...words]);
        expect([verb, words, status, out]).toEqual([verb, words, 2, '']);
        expect(err).toContain('two ends are needed');
        expect(err).toMatch(/there are .*gpu0/);
        // What is like the one that was named stands first.
        if (verb === 'explain') expect(err).toMatch(/there are gpu0/);
      }
      expect(crowfly([verb, 'gpu0', 'no-such.yaml']).err).toContain('no-such.yaml: no such file');
    }
  });

  it('that are not there are told with their like first', () => {
    expect(crowfly(['explain', 'gpu0', 'nic99', '--system', 'dgx-h100']).err).toMatch(/there are nic0, .*nic7, gpu0/);
  });

  it('may stand behind the inputs', () => {
    const before = crowfly(['explain', 'gpu0', 'nic0', join(dir, 'a.txt')]);
    expect(crowfly(['explain', join(dir, 'a.txt'), 'gpu0', 'nic0']).out).toBe(before.out);
  });

  it('that are one device have a way that nothing ends or flips', () => {
    const { out } = crowfly(['explain', 'gpu0', 'gpu0', '--system', 'dgx-1v']);
    expect(out).toContain('both ends are the same device');
    expect(out).not.toMatch(/would end|would flip/);
  });
});

describe('learn', () => {
  it('lists its topics, each with a title in the language of the reader', () => {
    const titles = (lang: string): Record<string, string> =>
      Object.fromEntries(
        JSON.parse(crowfly(['learn', '--json', '--lang', lang]).out).topics.map(
          (x: { topic: string; title: string }) => [x.topic, x.title],
        ),
      );
    const [en, zh] = [titles('en'), titles('zh-CN')];
    expect(en['gpudirect-storage']).toContain('GPU memory');
    for (const topic of Object.keys(en)) expect([topic, en[topic] === zh[topic]]).toEqual([topic, false]);
    expect(crowfly(['learn', '--system', 'dgx-1v']).out).toMatch(/nvswitch .* NVLink rate {2}not on this machine/);
  });
});

describe('bad usage', () => {
  it.each([
    [[], 'nothing to read'],
    [['no-such-file'], 'no such file'],
    [['--system', 'dgx-a100-40'], 'did you mean dgx-a100-40g'],
    [['--assume', 'gpr=on', '-'], 'did you mean "gdr"'],
    [['--assume', 'gdr=maybe', '-'], 'neither on nor off'],
    [['--env', 'NCCL', '-'], 'NAME=VALUE'],
    [['--nodes', '0', '-'], '1 to 1000000'],
    [['--nccl', 'new', '-'], 'such as 2.21.5'],
    [['--lang', 'fr', '-'], 'en or zh-CN'],
    [['paths', '--bogus'], 'unknown option'],
    [['predict', example], `predict all_reduce ${example}`],
  ])('%j exits 2 and says why', (args, why) => {
    const { status, out, err } = crowfly(args);
    expect(status).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(why);
  });

  it('says what nothing was read from looks like, and for every format why when asked to', () => {
    const letter = { input: 'just a letter to a friend\n' };
    const short = crowfly(['-'], letter);
    expect([short.status, short.err.trim().split('\n').length]).toEqual([2, 3]);
    expect(short.err).toMatch(/plain text of another kind[\s\S]*--verbose/);
    const { status, err } = crowfly(['-', '--verbose'], letter);
    expect(status).toBe(2);
    for (const format of ['nccl-log', 'nccl-topo-xml', 'nvidia-smi-topo', 'nccl-tests', 'lsmod']) {
      expect(err).toContain(format);
      expect(short.err).not.toContain(format);
    }
  });

  it('tells a mistake in a cluster description by its line', () => {
    const { status, err } = crowfly(['-'], { input: 'node: dgx-a100-40g\nnodse: 2\n' });
    expect(status).toBe(2);
    expect(err).toContain('-:2');
    expect(err).toContain('did you mean `node`');
    // What else the file is not is no news.
    expect(err.trim().split('\n').length).toBeLessThanOrEqual(3);
  });

  it('does not answer for another machine when a description beside it has a mistake; a report says so and goes on', () => {
    const file = join(dir, 'mistake.yaml');
    writeFileSync(file, 'node: dgx-a100-40g\nnetwork: {transport: rocee}\n');
    const move = crowfly(['move', 'gpu0', 'gpu1', file, '--system', 'dgx-h100']);
    expect([move.status, move.err]).toEqual([2, expect.stringContaining('mistake.yaml:2: `network.transport`')]);
    const report = crowfly(['report', file, join(dir, 'a.txt')]);
    expect(report.status).not.toBe(2);
  });
});

describe('what is missing is named', () => {
  it('a NIC, where a matrix lists none', () => {
    const file = join(dir, 'no-nic.txt');
    writeFileSync(file, '\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tSYS\t0-7\nGPU1\tSYS\t X \t8-15\n');
    for (const to of ['node1/gpu0', 'node1/host0']) {
      const { status, err } = crowfly(['move', 'gpu0', to, file, '--nodes', '2']);
      expect([to, status]).toEqual([to, 2]);
      expect(err).toContain('the machine as described has no NIC');
    }
    expect(crowfly(['move', 'gpu0', 'gpu1', file]).status).toBe(0);
  });

  it('not a system, where one is given and tells nothing', () => {
    for (const verb of ['chain', 'env']) {
      const { status, err } = crowfly([verb, '--system', 'hgx-h100']);
      expect([verb, status]).toEqual([verb, 2]);
      expect(err).not.toContain('--system ID');
    }
  });
});

describe('a folder of which not all can be read', () => {
  it('is answered from the rest, and says what was refused', async () => {
    const folder = join(dir, 'mixed');
    mkdirSync(join(folder, 'closed'), { recursive: true });
    writeFileSync(join(folder, 'a.txt'), nearAndFar);
    writeFileSync(join(folder, 'b.txt'), nearAndFar);
    chmodSync(join(folder, 'b.txt'), 0);
    chmodSync(join(folder, 'closed'), 0);
    const { status, out } = crowfly(['report', folder, '--fail-on', 'never']);
    const found = await sourcesOf([folder]);
    chmodSync(join(folder, 'closed'), 0o700);
    expect(status).toBe(0);
    expect(out).toContain('a.txt');
    // Root may read all.
    if (process.getuid?.() === 0 || !found.ok) return;
    expect(found.value.unreadable.map((u) => u.why.code)).toEqual(['cli.why.denied', 'cli.why.denied']);
  });

  it('goes on where the system refuses a file only when it is read', () => {
    // The process's own memory opens, and fails at its first page.
    if (!existsSync('/proc/self/mem')) return;
    const { status, out } = crowfly(['report', join(dir, 'a.txt'), '/proc/self/mem', '--fail-on', 'never']);
    expect(status).toBe(0);
    expect(out).toContain('/proc/self/mem');
  });

  it('shows names without what a terminal would do', () => {
    const file = join(dir, 'red\u001b[31m.txt');
    writeFileSync(file, nearAndFar);
    const { out } = crowfly(['report', file, '--fail-on', 'never']);
    expect(out).toContain('red[31m.txt');
    expect(out).not.toContain('\u001b');
    expect(crowfly(['report', `${file}\u0007`]).err).not.toMatch(/[\u001b\u0007]/);
  });
});

describe('topo-file', () => {
  it('makes no file of a matrix, which tells no bus ids; NCCL would stop at it', () => {
    const file = join(dir, 'matrix.txt');
    writeFileSync(file, '\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV4\t0-7\nGPU1\tNV4\t X \t8-15\n');
    const { status, out, err } = crowfly(['topo-file', file]);
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain('bus ids');
    for (const id of ['hgx-h100', 'aws-p4d', 'gb200-nvl72']) {
      const made = crowfly(['topo-file', '--system', id]);
      expect([id, made.status, /busid="/.test(made.out)]).toEqual([id, 0, true]);
    }
  });
});
