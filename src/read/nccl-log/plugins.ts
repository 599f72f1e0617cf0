import type { PluginLine } from './types.ts';

interface Wording {
  readonly pattern: RegExp;
  readonly state: PluginLine['state'];
  readonly kind?: PluginLine['kind'];
}

/** What NCCL prints about plugins, by release (logs sheet §4). Group 1 is the name, when there is one. */
const wordings: readonly Wording[] = [
  { pattern: /: Loaded (?:net|coll|collnet|gin) plugin (\S+)/, state: 'loaded' },
  { pattern: /: Loaded (\S+) \(v\d+\)/, state: 'loaded' },
  { pattern: /^Successfully loaded external (?:network|tuner|profiler) plugin (\S+)/, state: 'loaded' },
  { pattern: /^Initialized NET plugin (\S+)/, state: 'loaded' },
  { pattern: /^Failed to initialize NET plugin (\S+)/, state: 'failed' },
  { pattern: /^Assigned (?:NET|GIN) plugin (\S+) to comm/, state: 'assigned' },
  { pattern: /: Assigned plugin (\S+)(?: type \d+)? to comm/, state: 'assigned' },
  // The HPC-X and Spectrum plugin names itself so.
  { pattern: /^P2P plugin (\S+)/, state: 'loaded', kind: 'net' },
  { pattern: /^Plugin Path : (\S+)/, state: 'named', kind: 'net' },
  { pattern: /^NCCL_(?:NET|TUNER)_PLUGIN set by environment to (\S+)/, state: 'named' },
  { pattern: /Plugin name set by env to (\S+)/, state: 'named' },
  { pattern: /No plugin found(?: \(([^)]*)\))?/, state: 'missing' },
  { pattern: /: Could not find:\s*(\S+?)[.,]?(?:\s|$)/, state: 'missing' },
  { pattern: /Plugin load (?:\(([^)]*)\) )?returned -?\d+/, state: 'failed' },
  { pattern: /Failed to find (\S+) symbol/, state: 'failed' },
  { pattern: /^TUNER\/Plugin: Using (?:internal tuner plugin)/, state: 'internal', kind: 'tuner' },
  {
    pattern: /(?:Using tuner plugin:? '?|Opened tuner: '?|TUNER\/Plugin: Using )([^\s']+)/,
    state: 'loaded',
    kind: 'tuner',
  },
  { pattern: /^PROFILER\/Plugin: loaded (\S+)/i, state: 'loaded', kind: 'profiler' },
  { pattern: /^PROFILER\/Plugin: failed to find (\S+)/i, state: 'missing', kind: 'profiler' },
  { pattern: /^ENV\/Plugin: Using (\S+)/, state: 'loaded', kind: 'env' },
];

const kindOf = (message: string): PluginLine['kind'] => {
  if (/^TUNER|tuner|TUNER_PLUGIN/.test(message)) return 'tuner';
  if (/^PROFILER|profiler/.test(message)) return 'profiler';
  if (message.startsWith('ENV/')) return 'env';
  return /\bGIN\b/.test(message) ? 'gin' : 'net';
};

/** The line's meaning, or undefined when it is about no plugin. */
export function parsePlugin(message: string): Omit<PluginLine, 'count' | 'at' | 'text'> | undefined {
  if (!/plugin|tuner/i.test(message)) return undefined;
  for (const { pattern, state, kind } of wordings) {
    const found = pattern.exec(message);
    if (!found) continue;
    return { kind: kind ?? kindOf(message), state, ...(found[1] ? { name: found[1] } : {}) };
  }
  return undefined;
}
