import type { Where } from '../../fact/fact.ts';
import type { AcsControl, PciLink } from './types.ts';

/** `ACSCtl: SrcValid+ TransBlk- ReqRedir+ …`, with blanks or tabs, whole or cut. */
export function acsControl(line: string, at: Where): AcsControl | undefined {
  const start = line.indexOf('ACSCtl:');
  if (start < 0) return undefined;
  const text = line.slice(start + 7);
  const set = (name: string): boolean => text.includes(`${name}+`);
  if (!/[A-Z]\w+[+-]/.test(text)) return undefined;
  const sourceValidation = set('SrcValid');
  const redirect = set('ReqRedir') || set('CmpltRedir') || set('P2PReqRedir');
  return { sourceValidation, redirect, off: !text.includes('+'), at };
}

/** What `setpci -v -s … ECAP_ACS+6.w` prints: `0000:00:07.1 (ecap 000d @2a0) @2a6 = 001d`. */
const register =
  /(?:^|[\s>|:])((?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]) \((?:e?cap) 0*0?d @[0-9a-f]{2,4}\) @[0-9a-f]{2,4}(?: =)? ([0-9a-f]{4})\s*$/i;

/** A loop that prints the address itself before what `setpci` without `-v` prints: `00:07.1 001d`. */
const bare = /(?:^|[\s>|:])((?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])\s*[:=]?\s*([0-9a-f]{4})\s*$/i;

/** A command that reads the control register of ACS, whatever shell stands around it. */
export const asksAcs = /setpci\b.*ECAP_ACS\+(?:0x)?0?6\.w(?!\s*=|=)/i;

/** `asked`: a command above read this register, so that an address and four digits alone are its answer. */
export function acsRegister(line: string, asked: boolean, at: Where): AcsControl | undefined {
  const found = line.includes('cap 0') ? register.exec(line) : asked ? bare.exec(line) : null;
  if (!found) return undefined;
  const bits = Number.parseInt(found[2]!, 16);
  // PCIe Base 7.7.11.3: source validation, translation blocking, request and completion redirect, upstream forwarding.
  return {
    sourceValidation: (bits & 1) !== 0,
    redirect: (bits & 12) !== 0,
    off: bits === 0,
    address: fullAddress(found[1]!),
    at,
  };
}

/** `LnkCap:` and `LnkSta:`: speed and width, with the remarks of newer releases. */
export function pciLink(text: string, at: Where): PciLink | undefined {
  const speed = /Speed (\d{1,3}(?:\.\d)?)GT\/s(?: \((ok|downgraded|overdriven|strange)\))?/.exec(text);
  const width = /Width x(\d{1,2})(?: \((ok|downgraded|strange)\))?/.exec(text);
  if (!speed && !width) return undefined;
  return {
    ...(speed ? { speed: Number(speed[1]) } : {}),
    ...(width ? { width: Number(width[1]) } : {}),
    downgraded: { speed: speed?.[2] === 'downgraded', width: width?.[2] === 'downgraded' },
    at,
  };
}

/** `17:00.0` and `0000:17:00.0` become the same. */
export function fullAddress(text: string): string {
  const low = text.toLowerCase();
  return low.length === 7 ? `0000:${low}` : low;
}
