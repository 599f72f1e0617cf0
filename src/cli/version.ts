import { readFileSync } from 'node:fs';

/** The package's own version, read beside the built file or the source. */
export const version: string = (() => {
  for (const up of ['../package.json', '../../package.json']) {
    try {
      const text = readFileSync(new URL(up, import.meta.url), 'utf8');
      const parsed = JSON.parse(text) as { name?: string; version?: string };
      if (parsed.name === 'crowfly' && parsed.version !== undefined) return parsed.version;
    } catch {
      // The other place.
    }
  }
  return '0.0.0';
})();
