import { gpus } from '../../catalogue/gpus.ts';
import { transports } from '../../catalogue/node.ts';
import { systems } from '../../catalogue/systems.ts';
import type { Fact } from '../../fact/fact.ts';
import { say } from '../../words/message.ts';
import { readNode } from './node.ts';
import { parseRate } from './rate.ts';
import type { ClusterDescription, StorageDescription } from './types.ts';
import type { Section } from './values.ts';

const some = <K extends string, T>(key: K, value: T | undefined): { readonly [k in K]?: T } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [k in K]?: T };

/** The whole description; absent when it has no usable node. Problems are collected in the section. */
export function readDescription(top: Section): ClusterDescription | undefined {
  const node = readNode(top);
  const nodes = top.number('nodes', 1, 100_000) ?? { value: 1, at: [], by: 'assumed' as const };
  const gpusPerNode = top.number('gpusPerNode', 1, 256);
  const nicsPerNode = top.number('nicsPerNode', 0, 256);
  const nvlinkDomain = top.number('nvlinkDomain', 1, 100_000);
  const network = readNetwork(top.section('network'));
  const software = readSoftware(top.section('software'));
  const parts =
    node?.kind === 'parts' ? node.parts : node?.kind === 'system' ? systems.get(node.system)!.parts : undefined;
  const launch = readLaunch(top.section('launch'), gpusPerNode?.value ?? parts?.gpus);
  const storage = readStorage(top.section('storage'));
  top.finish();
  if (node === undefined) return undefined;

  const within = (key: string, asked: Fact<number> | undefined, have: number | undefined): void => {
    if (asked === undefined || have === undefined || asked.value <= have) return;
    top.problem(
      say('cluster.outOfRange', { key, value: asked.value, low: key === 'gpusPerNode' ? 1 : 0, high: have }),
      asked.at[0],
    );
  };
  within('gpusPerNode', gpusPerNode, parts?.gpus);
  within('nicsPerNode', nicsPerNode, parts?.nics);
  if (nvlinkDomain !== undefined && parts !== undefined && gpus.get(parts.gpu)?.nvlink === undefined) {
    top.problem(say('cluster.noNvlink', { gpu: parts.gpu, link: 'nvlinkDomain' }), nvlinkDomain.at[0]);
  } else if (nvlinkDomain !== undefined && nvlinkDomain.value > (parts?.gpus ?? 1) && parts?.link === 'pcie') {
    top.problem(say('cluster.domainWithoutNvlink'), nvlinkDomain.at[0]);
  }
  return {
    node,
    nodes,
    ...some('gpusPerNode', gpusPerNode),
    ...some('nicsPerNode', nicsPerNode),
    ...some('nvlinkDomain', nvlinkDomain),
    network,
    software,
    ...some('launch', launch),
    ...some('storage', storage),
  };
}

function readNetwork(section: Section | undefined): ClusterDescription['network'] {
  if (section === undefined) return {};
  const rate = section.text('rate');
  const gbps = rate === undefined ? undefined : parseRate(rate.value);
  if (rate !== undefined && gbps === undefined) {
    section.problem(
      say('cluster.wrongType', { key: 'network.rate', wanted: say('cluster.want.rate'), got: rate.value.slice(0, 60) }),
      rate.at[0],
    );
  }
  const network = {
    ...some('transport', section.choice('transport', transports)),
    ...some('rateGbps', rate === undefined || gbps === undefined ? undefined : { ...rate, value: gbps }),
    ...some('mtu', section.number('mtu', 256, 65_536)),
    ...some('fabric', section.choice('fabric', ['single-switch', 'fat-tree', 'rail'])),
    ...some('oversubscription', section.number('oversubscription', 1, 1000, false)),
  };
  section.finish();
  return network;
}

function readSoftware(section: Section | undefined): ClusterDescription['software'] {
  const env = new Map<string, Fact<string>>();
  if (section === undefined) return { env };
  const version = (key: string): Fact<string> | undefined => {
    const text = section.text(key);
    if (text === undefined || /^v?\d{1,4}(?:\.\d{1,5}){0,3}(?:-\d{1,4})?$/.test(text.value)) return text;
    return section.problem(
      say('cluster.wrongType', {
        key: `software.${key}`,
        wanted: say('cluster.want.version'),
        got: text.value.slice(0, 60),
      }),
      text.at[0],
    );
  };
  const software = {
    ...some('nccl', version('nccl')),
    ...some('driver', version('driver')),
    ...some('cuda', version('cuda')),
    ...some('gdr', section.yesNo('gdr', true)),
    ...some('p2p', section.yesNo('p2p', true)),
    ...some('iommu', section.yesNo('iommu', true)),
    ...some('acs', section.yesNo('acs', true)),
    env,
  };
  const variables = section.section('env');
  if (variables !== undefined) {
    for (const name of variables.places().keys()) {
      if (!/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name)) {
        variables.problem(say('cluster.badVariable', { name: name.slice(0, 60) }), variables.where(name));
        continue;
      }
      // An empty value is a value: `NCCL_ALGO:` unsets nothing, it sets the empty string.
      if (variables.raw(name)?.kind === 'nothing') {
        env.set(name, { value: '', at: [variables.where(name)], by: 'input' });
        continue;
      }
      const value = variables.text(name);
      if (value !== undefined) env.set(name, value);
    }
  }
  section.finish();
  return software;
}

function readLaunch(section: Section | undefined, most = 1024): ClusterDescription['launch'] {
  if (section === undefined) return undefined;
  const mode = section.choice('mode', ['graph', 'stream', 'unknown'])?.value ?? 'unknown';
  const gpus = section.number('gpusPerThread', 1, most)?.value;
  section.finish();
  return { mode, ...some('gpusPerThread', gpus) };
}

function readStorage(section: Section | undefined): StorageDescription | undefined {
  if (section === undefined) return undefined;
  const type = section.choice('type', ['nvme', 'nvmeof', 'nfs-rdma', 'nfs']);
  const count = section.number('count', 1, 1024)?.value ?? 1;
  const storage = {
    count,
    ...some('perDeviceGBps', section.number('perDeviceGBps', 0.001, 1000, false)?.value),
    ...some('readLatencyUs', section.number('readLatencyUs', 0.1, 1e6, false)?.value),
    ...some('perDeviceWriteGBps', section.number('perDeviceWriteGBps', 0.001, 1000, false)?.value),
    ...some('writeLatencyUs', section.number('writeLatencyUs', 0.1, 1e6, false)?.value),
    placement:
      section.choice('placement', ['same-switch', 'same-socket', 'other-socket'])?.value ?? ('same-socket' as const),
    ...some('filesystem', section.text('filesystem')?.value),
    ...some('gds', section.yesNo('gds', true)?.value),
    at: section.at,
  };
  if (!section.has('type')) section.missing('type');
  section.finish();
  return type === undefined ? undefined : { type: type.value, ...storage };
}
