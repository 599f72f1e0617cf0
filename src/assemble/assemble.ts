import type { Conflict, Fact, Where } from '../fact/fact.ts';
import type { Host } from '../machine/host.ts';
import type { Fabric, Machine, Software } from '../machine/machine.ts';
import type { Document } from '../read/documents.ts';
import { type Message, say } from '../words/message.ts';
import { compareWithMatrix } from './compare-matrix.ts';
import { hostFromMatrix } from './from-matrix.ts';
import { hostFromXml } from './from-nccl-xml.ts';
import { identify } from './identify.ts';

export interface Note {
  readonly message: Message;
  readonly at: readonly Where[];
}

/**
 * One machine from all documents of all inputs. A topology file tells most (bus ids, link speeds), then the tree in an
 * NCCL log, then a matrix; what tells less is compared with what tells more, and contradictions are kept as conflicts.
 */
export function assemble(documents: readonly Document[], _system?: string): Machine {
  const conflicts: Conflict[] = [];
  const notes: Note[] = [];
  const hosts: Host[] = [];
  const matrices = documents.filter((d) => d.kind === 'topo-matrix');
  for (const document of documents) {
    if (document.kind !== 'nccl-topo-xml') continue;
    const read = hostFromXml(document);
    notes.push(...read.notes);
    if (read.refused) notes.push({ message: read.refused.reason, at: read.refused.at });
    hosts.push(identify(read.host));
  }
  matrices.forEach((matrix, i) => {
    const read = hostFromMatrix(matrix);
    conflicts.push(...read.conflicts);
    const base = hosts[i];
    if (base) conflicts.push(...compareWithMatrix(base, matrix));
    else hosts.push(identify(read.host));
  });
  const software: Software = { env: new Map<string, Fact<string>>() };
  const fabric: Fabric = {};
  if (hosts.length === 0) notes.push({ message: say('assemble.no-topology'), at: [] });
  return { hosts, nodes: Math.max(1, hosts.length), fabric, software, conflicts, notes };
}
