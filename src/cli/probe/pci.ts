import type { PciFunction, PciTree, SysfsLink } from '../../machine/pci-tree.ts';
import { readConfigSpace } from '../../read/pci/config-space.ts';
import type { Tree } from './files.ts';

const address = /^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$/;
/** Buses below buses; hardware ends far before. */
const deepest = 32;
const mostFunctions = 8192;

/** All PCI functions below /sys/devices, as they hang together. */
export function readPciTree(files: Tree): PciTree {
  const left = { count: mostFunctions };
  const roots = files
    .list('sys/devices')
    .flatMap((name) => (/^pci[0-9a-f]{4,8}:[0-9a-f]{2}$/.test(name) ? [name] : []))
    .map((name) => ({ bus: name.slice(3), functions: below(files, `sys/devices/${name}`, 0, left) }));
  return { roots };
}

function below(files: Tree, folder: string, depth: number, left: { count: number }): PciFunction[] {
  if (depth > deepest) return [];
  return files.list(folder).flatMap((name) => {
    if (!address.test(name) || left.count-- <= 0) return [];
    const f = functionAt(files, `${folder}/${name}`, name, depth, left);
    return f ? [f] : [];
  });
}

function functionAt(
  files: Tree,
  path: string,
  name: string,
  depth: number,
  left: { count: number },
): PciFunction | undefined {
  const read = (file: string): string | undefined => files.line(`${path}/${file}`);
  const [classCode, vendor, device] = [read('class'), read('vendor'), read('device')];
  if (classCode === undefined || vendor === undefined || device === undefined) return undefined;
  const config = files.bytes(`${path}/config`, 4096);
  const space = config && readConfigSpace(config);
  const numa = read('numa_node');
  return {
    address: name,
    classCode,
    vendor,
    device,
    ...given('subsystemVendor', read('subsystem_vendor')),
    ...given('subsystemDevice', read('subsystem_device')),
    ...given('revision', read('revision')),
    ...given('numa', numa === undefined || !/^-?\d+$/.test(numa) ? undefined : Number(numa)),
    ...given('localCpus', read('local_cpulist')),
    ...given('driver', files.link(`${path}/driver`)),
    ...given('iommuGroup', files.link(`${path}/iommu_group`)),
    ...given('maxLink', linkOf(read('max_link_speed'), read('max_link_width'))),
    ...given('currentLink', linkOf(read('current_link_speed'), read('current_link_width'))),
    ...given('config', space),
    rdma: files.list(`${path}/infiniband`),
    interfaces: files.list(`${path}/net`),
    nvme: files.list(`${path}/nvme`),
    children: below(files, path, depth + 1, left),
  };
}

const given = <K extends string, T>(key: K, value: T | undefined): { readonly [k in K]?: T } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [k in K]?: T };

/** Links that are not there print width 0 or 255, and an unknown speed. */
function linkOf(speed: string | undefined, width: string | undefined): SysfsLink | undefined {
  const lanes = Number(width);
  if (speed === undefined || !/^\d/.test(speed) || !(lanes > 0 && lanes < 64)) return undefined;
  return { speed, width: lanes };
}
