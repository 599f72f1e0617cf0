import type { NodeParts } from '../../catalogue/node.ts';
import { pcieBytesPerSecond } from '../../catalogue/pcie.ts';
import type { Transport } from '../../machine/machine.ts';
import type { Slot } from './plan.ts';

const verbs: ReadonlySet<Transport> = new Set(['infiniband', 'roce']);

/**
 * Are ports that a description counts the two of a card each? So boards are made where a switch has twice as many ports as GPUs and a slot
 * passes two of them, but not four (BM.GPU4.8 and BM.GPU.H100.8 of OCI: https://docs.oracle.com/en-us/iaas/Content/Compute/References/computeshapes.htm).
 */
export function twoPorts(
  { behindSwitch, gpus, nics }: Pick<Slot, 'behindSwitch' | 'gpus' | 'nics'>,
  { nicGbps = 0, pcie }: Pick<NodeParts, 'nicGbps' | 'pcie'>,
  { transport, networkGbps = 0 }: { readonly transport?: Transport; readonly networkGbps?: number },
): boolean {
  if (!behindSwitch || gpus.length === 0 || nics.length !== 2 * gpus.length) return false;
  if (transport === undefined || !verbs.has(transport)) return false;
  const gbps = nicGbps || networkGbps;
  const slot = (pcieBytesPerSecond(pcie, 16) * 8) / 1e9;
  return 2 * gbps <= slot && 4 * gbps > slot;
}
