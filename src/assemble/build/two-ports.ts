import type { NodeParts } from '../../catalogue/node.ts';
import { genNumber } from '../../catalogue/pcie.ts';
import type { Transport } from '../../machine/machine.ts';
import type { Slot } from './plan.ts';

/** Gb/s that a card of sixteen lanes passes, headers taken off. */
const ofSlot: Readonly<Record<number, number>> = { 3: 100, 4: 200, 5: 400, 6: 800 };

const verbs: ReadonlySet<Transport> = new Set(['infiniband', 'roce']);

/**
 * Are ports that a description counts the two of a card each? So boards are made where a switch has twice as many ports as GPUs and two of
 * them are what a slot passes (BM.GPU4.8 and BM.GPU.H100.8 of OCI: https://docs.oracle.com/en-us/iaas/Content/Compute/References/computeshapes.htm).
 */
export function twoPorts(
  { behindSwitch, gpus, nics }: Pick<Slot, 'behindSwitch' | 'gpus' | 'nics'>,
  { nicGbps = 0, pcie }: Pick<NodeParts, 'nicGbps' | 'pcie'>,
  { transport, networkGbps = 0 }: { readonly transport?: Transport; readonly networkGbps?: number },
): boolean {
  if (!behindSwitch || gpus.length === 0 || nics.length !== 2 * gpus.length) return false;
  const slot = ofSlot[genNumber(pcie)] ?? 0;
  return transport !== undefined && verbs.has(transport) && 2 * (nicGbps || networkGbps) === slot;
}
