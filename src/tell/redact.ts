/** Takes names, addresses and serial numbers out of a text that goes to others; the same thing gets the same stand-in. */
export type Redact = (text: string) => string;

const uuid = /\b(?:GPU-|MIG-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const guid = /\b0x[0-9a-f]{16}\b|(?<![0-9a-f])[0-9a-f]{16}(?![0-9a-f])/gi;
// Four parts below ten at the front are versions, not addresses.
const ipv4 = /(?<![\d.])(?:[1-9]\d|1\d\d|2[0-4]\d|25[0-5])(?:\.(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])){3}(?![\d.])/g;
const ipv6 =
  /(?<![\w:.])(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}(?![\w:])|(?<![\w:.])(?:[0-9a-f]{1,4}:){1,6}:(?:[0-9a-f]{1,4}:){0,5}[0-9a-f]{1,4}(?![\w:.])/gi;
/** An IPv4 address as a GID holds it. */
const mapped = /(?<![\w:.])(?:(?:0{4}:){5}|::)ffff:([0-9a-f]{4}):([0-9a-f]{4})(?![\w:])/gi;
const dotted = (hex: string): string => [0, 2, 4, 6].map((i) => Number.parseInt(hex.slice(i, i + 2), 16)).join('.');
const serial = /((?:[Ss]erial [Nn]umber|[Ss]erial|S\/N)\s*[:=]\s*)([A-Z0-9]{6,24})\b/g;
const home = /((?:\/home|\/Users)\/)([^/\s:"']{1,64})/g;
const account = /(?<![\w.-])([a-z_][\w-]{0,31})(?=@[\w-])/g;

/** Loopback and the like say nothing about anybody. */
const harmless = /^(?:127\.|255\.255|224\.|::1$)/;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** `hosts` and `users` are known by name; each is replaced as a whole word, never inside another. */
export function redactor(hosts: readonly string[] = [], users: readonly string[] = []): Redact {
  const known = new Map<string, string>();
  const counts = new Map<string, number>();
  const standIn = (kind: string, what: string): string => {
    const key = `${kind} ${what.toLowerCase()}`;
    let name = known.get(key);
    if (name === undefined) {
      const n = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, n);
      name = `${kind}-${n}`;
      known.set(key, name);
    }
    return name;
  };
  const words = (kind: string, names: readonly string[]): ((text: string) => string) => {
    const real = [...new Set(names)]
      .filter((n) => n.length > 0 && n !== 'localhost')
      .sort((a, b) => b.length - a.length);
    if (real.length === 0) return (text) => text;
    const any = new RegExp(`(?<![\\w-])(?:${real.slice(0, 5000).map(escaped).join('|')})(?![\\w-])`, 'gi');
    return (text) => text.replace(any, (name) => standIn(kind, name));
  };
  const ofHosts = words('HOST', hosts);
  const ofUsers = words('USER', users);
  return (text) => {
    const plain = text
      .replace(uuid, (x) => standIn('UUID', x))
      .replace(guid, (x) => standIn('GUID', x))
      .replace(mapped, (_, high: string, low: string) => `::ffff:${standIn('ADDRESS', dotted(high + low))}`)
      // That an address reaches the same link alone, or holds an IPv4 address, tells nobody's name and decides a lot.
      .replace(ipv6, (x) => (harmless.test(x) ? x : `${/^fe80:/i.test(x) ? 'fe80::' : ''}${standIn('ADDRESS', x)}`))
      .replace(ipv4, (x) => (harmless.test(x) ? x : standIn('ADDRESS', x)))
      .replace(serial, (_, label: string, x: string) => label + standIn('SERIAL', x))
      .replace(home, (_, path: string, x: string) => path + standIn('USER', x))
      .replace(account, (x) => standIn('USER', x));
    return ofUsers(ofHosts(plain));
  };
}
