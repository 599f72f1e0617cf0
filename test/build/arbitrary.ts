import fc from 'fast-check';
import { cpus } from '../../src/catalogue/cpus.ts';
import { meshLinks } from '../../src/catalogue/cube-mesh.ts';
import { gpus } from '../../src/catalogue/gpus.ts';
import { linkKinds, type NodeParts, transports } from '../../src/catalogue/node.ts';
import { pcieGenerations } from '../../src/catalogue/pcie.ts';

/** Any description the reader would accept, as YAML text and as the parts it means. */
export const anyParts: fc.Arbitrary<NodeParts> = fc
  .record({
    gpu: fc.constantFrom(...gpus.keys()),
    gpus: fc.integer({ min: 1, max: 20 }),
    link: fc.constantFrom(...linkKinds),
    nicGbps: fc.constantFrom(25, 100, 200, 400, 800),
    nics: fc.integer({ min: 0, max: 36 }),
    cpu: fc.constantFrom(...cpus.keys()),
    sockets: fc.integer({ min: 1, max: 4 }),
    numaPerSocket: fc.constantFrom(1, 1, 2, 4),
    pcie: fc.constantFrom(...pcieGenerations.keys()),
    gpusPerSwitch: fc.integer({ min: 0, max: 5 }),
    nicsPerSwitch: fc.integer({ min: 0, max: 4 }),
    gpuStage: fc.boolean(),
  })
  .map((parts) => {
    const gpu = gpus.get(parts.gpu)!;
    const links = gpu.nvlink?.links.value ?? 0;
    const mesh = parts.link === 'nvlink-hybrid-cube-mesh';
    const all = parts.link === 'nvlink-all-to-all' && parts.gpus - 1 > links;
    const odd = parts.link === 'nvlink-pairs' && parts.gpus % 2 !== 0;
    const thick = mesh && meshLinks(Math.min(8, parts.gpus)) > links;
    const possible = links > 0 && !all && !odd && !thick;
    return {
      ...parts,
      link: possible ? parts.link : ('pcie' as const),
      gpus: mesh ? Math.min(8, parts.gpus) : parts.gpus,
      sockets: Math.min(parts.sockets, cpus.get(parts.cpu)!.maxSockets.value),
    };
  });

export const anyTransport = fc.option(fc.constantFrom(...transports), { nil: undefined });

export const toYaml = (p: NodeParts): string =>
  `node: {gpu: ${p.gpu}, gpus: ${p.gpus}, link: ${p.link}, nic: ${p.nicGbps}Gb/s, nics: ${p.nics}, cpu: ${p.cpu}, ` +
  `sockets: ${p.sockets}, numaPerSocket: ${p.numaPerSocket ?? 1}, pcie: ${p.pcie}, gpusPerSwitch: ${p.gpusPerSwitch}, nicsPerSwitch: ${p.nicsPerSwitch}}`;
