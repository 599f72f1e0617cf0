import { type Sourced, sourced } from './sourced.ts';

/**
 * Peak memory bandwidth of one socket by CPU id: channels times transfer rate times 8 bytes, as the vendor's data sheet counts
 * it with the fastest memory it names. Read and write share it.
 */
export const socketMemory: ReadonlyMap<string, Sourced> = new Map([
  [
    'intel-bdw',
    sourced(
      76.8,
      'GB/s per socket',
      'https://ark.intel.com/content/www/us/en/ark/products/91753/intel-xeon-processor-e5-2698-v4-50m-cache-2-20-ghz.html',
    ),
  ],
  [
    'intel-skl',
    sourced(
      128,
      'GB/s per socket',
      'https://ark.intel.com/content/www/us/en/ark/products/120504/intel-xeon-platinum-8168-processor-33m-cache-2-70-ghz.html',
    ),
  ],
  [
    'intel-icx',
    sourced(
      204.8,
      'GB/s per socket',
      'https://www.intel.com/content/www/us/en/products/docs/processors/xeon/3rd-gen-xeon-scalable-processors-brief.html',
    ),
  ],
  [
    'intel-spr',
    sourced(
      307.2,
      'GB/s per socket',
      'https://ark.intel.com/content/www/us/en/ark/products/231746/intel-xeon-platinum-8480-processor-105m-cache-2-00-ghz.html',
    ),
  ],
  [
    'intel-emr',
    sourced(
      358.4,
      'GB/s per socket',
      'https://www.intel.com/content/www/us/en/products/docs/processors/xeon/5th-gen-xeon-scalable-processors.html',
    ),
  ],
  [
    'amd-rome',
    sourced(
      204.8,
      'GB/s per socket',
      'https://www.amd.com/content/dam/amd/en/documents/products/processors/epyc-7002-series-datasheet.pdf',
    ),
  ],
  [
    'amd-milan',
    sourced(204.8, 'GB/s per socket', 'https://www.amd.com/en/products/processors/server/epyc/7003-series.html'),
  ],
  [
    'amd-genoa',
    sourced(
      460.8,
      'GB/s per socket',
      'https://www.amd.com/content/dam/amd/en/documents/epyc-technical-docs/white-papers/58015-epyc-9004-tg-architecture-overview.pdf',
    ),
  ],
  [
    'amd-turin',
    sourced(
      576,
      'GB/s per socket',
      'https://www.amd.com/content/dam/amd/en/documents/epyc-business-docs/white-papers/5th-gen-amd-epyc-processor-architecture-white-paper.pdf',
    ),
  ],
  ['power9', sourced(170, 'GB/s per socket', 'https://www.redbooks.ibm.com/redpapers/pdfs/redp5472.pdf')],
  ['gb10', sourced(273, 'GB/s per socket', 'https://docs.nvidia.com/dgx/dgx-spark/hardware.html')],
  ['grace', sourced(500, 'GB/s per socket', 'https://resources.nvidia.com/en-us-grace-cpu/nvidia-grace-cpu-superchip')],
]);
