import { gpuByDeviceId } from '../../catalogue/gpus.ts';

/** Class codes of PCI functions by lspci's words (https://pci-ids.ucw.cz/read/PD), as far as they matter here. */
const byWords: readonly (readonly [RegExp, string])[] = [
  [/^PCI bridge/, '0x060400'],
  [/^Host bridge/, '0x060000'],
  [/^Bridge/, '0x068000'],
  [/^3D controller/, '0x030200'],
  [/^VGA compatible/, '0x030000'],
  [/^Display controller/, '0x038000'],
  [/^Processing acc/, '0x120000'],
  [/^Infini[Bb]and/, '0x020700'],
  [/^Ethernet/, '0x020000'],
  [/^Network/, '0x028000'],
  [/^Non-Volatile/, '0x010802'],
];

export const otherClass = '0xff0000';

export const classOfWords = (words: string): string => byWords.find(([re]) => re.test(words))?.[1] ?? otherClass;

/** Functions beside the one that the card is bought for. */
const companion = /Audio|USB|UCSI|Serial|SoC (?:Management|Crypto|PCIe)|\bDMA\b|RAID|\bVMD\b|SMBus|ISA\b/i;

/**
 * The class that a function must have by its name alone: `lspci -tv` writes no classes. What no name tells is `otherClass`: a
 * number instead of a name (`Device 2901`) is a GPU only where the catalogue knows that number.
 */
export function classOfName(name: string, ids?: string): string {
  if (companion.test(name)) return otherClass;
  if (/NVSwitch/i.test(name)) return '0x068000';
  const vendor = vendorOf(name, ids);
  const device = ids?.slice(5) ?? /^NVIDIA Corporation Device ([0-9a-f]{4})$/.exec(name)?.[1];
  if (vendor !== undefined && device !== undefined && gpuByDeviceId(vendor, `0x${device}`)) return '0x030200';
  // Chips of NVIDIA's GPUs: two letters of the generation and a number.
  if (/^NVIDIA Corporation (?:G[A-Z]|TU|AD)\d{2,3}[A-Z]{0,4}\b/.test(name) && !/Bridge|Controller|Switch/i.test(name))
    return '0x030200';
  if (/\bAMD\b.*(?:Instinct|\bMI\d{2,3})/.test(name)) return '0x120000';
  if (/NVMe|NVM Express|Non-Volatile memory/i.test(name)) return '0x010802';
  if (/\b(?:bridge|switch)\b/i.test(name)) return otherClass;
  return network.test(name) ? '0x020000' : otherClass;
}

const network =
  /ConnectX|Ethernet|Network (?:Adapter|Connection|Controller|Device)|NetXtreme|Elastic Fabric|Omni-Path|InfiniBand|Cassini|\bS?FP\b/i;

/** `0x10de`; only of makers that a name tells beyond doubt. */
export function vendorOf(name: string, ids?: string): string | undefined {
  if (ids !== undefined) return `0x${ids.slice(0, 4)}`;
  if (name.startsWith('NVIDIA Corporation')) return '0x10de';
  if (name.startsWith('Mellanox Technologies')) return '0x15b3';
  return /^Advanced Micro Devices, Inc\. \[AMD\/ATI\]/.test(name) ? '0x1002' : undefined;
}

/** Network cards that do RDMA: beside one, NCCL takes no other. */
export const rdmaName =
  /Mellanox|ConnectX|BlueField|E810|E8[23]\d|BCM57[4-9]\d\d|Elastic Fabric|Omni-Path|Cassini|InfiniBand/i;
