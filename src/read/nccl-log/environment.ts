import type { Where } from '../../fact/fact.ts';
import { Bounded, own } from '../own.ts';
import type { EnvSetting } from './types.ts';
import type { Thread } from './who.ts';

type Kept = Omit<EnvSetting, 'count' | 'hosts'> & { count: number; readonly hosts: Set<string> };

/** `NAME set by environment to VALUE` and its relatives (logs sheet §10). */
const setting =
  /^((?:NCCL|RCCL|OFI_NCCL|FI|HSA|HIP|UCX|CUDA)_[A-Z0-9_]+) set (?:(?:by|from) (environment|.*?conf\w*|.*?config\w*(?: file)?) )?to ?(.*?)\s*$/;

/** Variables in force as the log shows them. */
export class Environment {
  readonly #found = new Bounded<Kept>(4096);
  readonly #at: (line: number) => Where;

  constructor(at: (line: number) => Where) {
    this.#at = at;
  }

  line(message: string, thread: Thread, number: number): boolean {
    if (message.startsWith('Invalid value ')) {
      const found = /^Invalid value (.*?) for ((?:NCCL|RCCL)_[A-Z0-9_]+)/.exec(message);
      if (!found) return false;
      this.#keep(found[2]!, found[1]!, 'environment', true, thread, number);
      return true;
    }
    const found = setting.exec(message);
    if (!found) return false;
    // Integer variables end in a full stop.
    const value = /^-?\d+\.$/.test(found[3]!) ? found[3]!.slice(0, -1) : found[3]!;
    const source = found[2] === undefined || found[2] === 'environment' ? 'environment' : 'conf';
    this.#keep(found[1]!, value, source, false, thread, number);
    return true;
  }

  #keep(
    name: string,
    value: string,
    source: EnvSetting['source'],
    invalid: boolean,
    thread: Thread,
    number: number,
  ): void {
    const entry = this.#found.take(`${name}=${value} ${source} ${invalid}`, () => ({
      name: own(name),
      value: own(value.slice(0, 1024)),
      source,
      ...(invalid ? { invalid } : {}),
      hosts: new Set(),
      count: 0,
      at: this.#at(number),
    }));
    if (!entry) return;
    entry.count++;
    if (entry.hosts.size < 4096) entry.hosts.add(thread.host.name);
  }

  result(): EnvSetting[] {
    return this.#found.values().map(({ hosts, ...entry }) => ({ ...entry, hosts: [...hosts] }));
  }
}
