import { nearest } from '../base/nearest.ts';
import { cloudSystems } from './system/cloud.ts';
import { nvidiaSystems } from './system/nvidia.ts';
import { pcieBoxes } from './system/pcie-boxes.ts';
import type { SystemEntry } from './system/system.ts';

export type { SystemEntry } from './system/system.ts';

/** Every system of the catalogue, by id. */
export const systems: ReadonlyMap<string, SystemEntry> = new Map(
  [...nvidiaSystems, ...cloudSystems, ...pcieBoxes].map((system) => [system.id, system]),
);

const byAlias = new Map<string, SystemEntry>();
for (const system of systems.values()) for (const alias of system.aliases) byAlias.set(alias, system);

/** A system by its id or by what people call it; case does not matter. */
export function findSystem(name: string): SystemEntry | undefined {
  const key = name.trim().toLowerCase();
  return systems.get(key) ?? byAlias.get(key);
}

/** The id closest to a name that is no system, when one is close. */
export function nearestSystem(name: string): string | undefined {
  const close = nearest(name, [...systems.keys(), ...byAlias.keys()]);
  return close === undefined ? undefined : findSystem(close)?.id;
}
