import type { Where } from '../../fact/fact.ts';
import { lineFormat } from '../kit/lines.ts';
import { own } from '../own.ts';

/** State and history of systemd units, of `systemctl status`, `is-active`, `list-units` and the journal. */
export interface Services {
  readonly kind: 'services';
  readonly file: string;
  readonly events: readonly ServiceEvent[];
}

export interface ServiceEvent {
  /** `nvidia-fabricmanager`, without `.service`; for the journal, what the unit calls itself. */
  readonly unit: string;
  readonly what: 'active' | 'inactive' | 'failed' | 'missing' | 'starting' | 'started' | 'stopped';
  readonly at: Where;
}

type Entry =
  | ServiceEvent
  | { readonly head: string; readonly at: Where }
  | { readonly active: ServiceEvent['what']; readonly at: Where };

const journal: Readonly<Record<string, ServiceEvent['what']>> = {
  Starting: 'starting',
  Started: 'started',
  Stopped: 'stopped',
  Stopping: 'stopped',
};

export const services = lineFormat<Entry>({
  id: 'systemd',
  example: '     Active: active (running) since …',
  hints: ['.service', 'Active:', 'systemd'],
  entry: (line, at) => {
    const missing =
      /Unit (\S{1,80}?)(?:\.service)? (?:could not be found|not found)|Failed to \w+ (\S{1,80}?)\.service: Unit .{0,80}not found/.exec(
        line,
      );
    if (missing) return { unit: own(missing[1] ?? missing[2]!), what: 'missing', at };
    const event = /systemd(?:\[\d+\])?: (Starting|Started|Stopped|Stopping) (.{1,100}?)\.{0,3}\s*$/.exec(line);
    if (event) return { unit: own(event[2]!), what: journal[event[1]!] ?? 'started', at };
    const failed = /systemd(?:\[\d+\])?: (\S{1,80}?)\.service: (?:Failed with result|Main process exited)/.exec(line);
    if (failed) return { unit: own(failed[1]!), what: 'failed', at };
    const job = /Job for (\S{1,80}?)\.service failed/.exec(line);
    if (job) return { unit: own(job[1]!), what: 'failed', at };
    const row = /^[\s●*○×]*(\S{1,80}?)\.service\s+(?:loaded|not-found|masked)\s+(active|inactive|failed)\b/.exec(line);
    if (row) return { unit: own(row[1]!), what: row[2] as ServiceEvent['what'], at };
    const head = /^[\s●*○×?]*(\S{1,80}?)\.service(?:\s+-\s.*)?\s*$/.exec(line);
    if (head) return { head: own(head[1]!), at };
    const active = /^\s*Active:\s+(active|inactive|failed|activating)\b/.exec(line);
    if (!active) return undefined;
    return { active: active[1] === 'activating' ? 'starting' : (active[1] as ServiceEvent['what']), at };
  },
  build: (entries, { file }) => {
    const events: ServiceEvent[] = [];
    let head = '';
    for (const entry of entries) {
      if ('head' in entry) head = entry.head;
      else if ('active' in entry) events.push({ unit: head, what: entry.active, at: entry.at });
      else events.push(entry);
    }
    return events.length === 0 ? undefined : { kind: 'services', file, events };
  },
});
