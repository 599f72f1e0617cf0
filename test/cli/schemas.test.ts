import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { crowfly } from './run.ts';

const ajv = new Ajv({ allErrors: true, strict: false });
const validate = new Map(
  readdirSync('schemas').map((file) => {
    const schema = JSON.parse(readFileSync(join('schemas', file), 'utf8')) as { $id: string };
    return [schema.$id, ajv.compile(schema)] as const;
  }),
);

describe('JSON', () => {
  it.each([
    ['paths', 'examples/h100-two-nodes'],
    ['paths', '--system', 'dgx-1v', '--nodes', '2'],
    ['paths', '--system', 'gh200', '--nodes', '2', '--assume', 'gdr=off'],
    ['graph', 'examples/h100-two-nodes'],
    ['graph', '--system', 'gh200'],
    ['graph', '--system', 'hgx-b200', '--nodes', '4', '--nccl', '2.27.7'],
    ['env', '--env', 'NCCL_P2P_DISABEL=1', '--system', 'dgx-1v'],
    ['topo-file', '--system', 'azure-ndv5'],
    ['chain', 'examples/h100-two-nodes'],
    ['diff', 'examples/h100-two-nodes', 'examples/h100-two-nodes'],
    ['predict', 'all_reduce', 'examples/h100-two-nodes'],
    ['train', '--system', 'hgx-h100', '--nodes', '2', '--strategy', 'fsdp'],
    ['predict', 'alltoall', '--system', 'dgx-1v', '--nodes', '2', '--datatype', 'half'],
    ['explain', 'gpu0', 'node1/gpu0', 'examples/h100-two-nodes'],
    ['explain', 'gpu0', 'gpu7', '--system', 'dgx-1v'],
    ['explain', 'PXN'],
    ['explain', 'acs-enabled'],
    ['doctor', 'examples/h100-two-nodes'],
    ['doctor', 'test/cli/fixtures/sick-host'],
    ['report', 'examples/h100-two-nodes'],
    ['report', '--system', 'dgx-a100-40g'],
    ['show', '--system', 'hgx-h100'],
    ['move', 'gpu0', 'node1/gpu0', 'examples/h100-two-nodes'],
    ['move', 'host0', 'gpu0', '--system', 'gh200'],
    ['move', 'gpu0', 'host0', '--system', 'dgx-1v', '--beside', 'gpu1 host0'],
    ['move', 'gpus', 'node1/gpus', 'examples/h100-two-nodes'],
    ['move', 'client', 'gpu0', 'examples/h100-two-nodes'],
    ['move', 'capture0', 'gpu0', '--system', 'hgx-h100'],
    ['gain', 'examples/h100-two-nodes'],
    ['learn', 'gpudirect-rdma'],
    ['learn', '--system', 'gh200'],
    ['learn', 'nccl', '--system', 'dgx-a100-80g'],
    ['predict', 'all_reduce', 'test/cli/fixtures/plain.yaml'],
  ])('%s %s %s %s %s is what its schema says', (...args) => {
    const json = JSON.parse(crowfly([...args, '--json']).out) as { schema: string };
    const check = validate.get(json.schema);
    if (!check) throw new Error(`no schema ${json.schema}`);
    check(json);
    expect(check.errors ?? []).toEqual([]);
  });
});
