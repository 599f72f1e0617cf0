import type { AcsBits, ConfigLink, ConfigSpace, PortType } from '../../machine/pci-tree.ts';

const capabilityExpress = 0x10;
const extendedAcs = 0x000d;
const speeds = [0, 2.5, 5, 8, 16, 32, 64] as const;

const portTypes: Readonly<Record<number, PortType>> = {
  0: 'Endpoint',
  1: 'Legacy Endpoint',
  4: 'Root Port',
  5: 'Upstream Port',
  6: 'Downstream Port',
};

/**
 * Link, access control and bus numbers out of a function's configuration space (64, 256 or 4,096 bytes). Chains of
 * capabilities come from hardware, but a file may hold anything: each is followed once round at most.
 */
export function readConfigSpace(bytes: Uint8Array): ConfigSpace | undefined {
  if (bytes.length < 64) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // A device that does not answer reads as ones; a virtual function does so for its ids alone.
  if (view.getUint32(0, true) === 0xffffffff && view.getUint32(0x34, true) === 0xffffffff) return undefined;
  const bridge = (view.getUint8(0x0e) & 0x7f) === 1;
  const short = bytes.length < 256;
  return {
    ...(bridge
      ? { buses: { primary: view.getUint8(0x18), secondary: view.getUint8(0x19), subordinate: view.getUint8(0x1a) } }
      : {}),
    ...(short ? {} : express(view)),
    ...acs(view),
    short,
  };
}

function express(view: DataView): { portType?: PortType; linkCap?: ConfigLink; linkSta?: ConfigLink } {
  // Bit 4 of the status register: there is a list.
  if ((view.getUint16(0x06, true) & 0x10) === 0) return {};
  let at = view.getUint8(0x34) & 0xfc;
  for (let i = 0; i < 48 && at >= 0x40 && at + 0x14 <= 256; i++) {
    if (view.getUint8(at) === capabilityExpress) {
      const portType = portTypes[(view.getUint16(at + 2, true) >> 4) & 0xf] ?? 'other';
      const cap = view.getUint32(at + 0x0c, true);
      const sta = view.getUint16(at + 0x12, true);
      const linkCap = link(cap & 0xf, (cap >> 4) & 0x3f);
      const linkSta = link(sta & 0xf, (sta >> 4) & 0x3f);
      return { portType, linkCap, linkSta };
    }
    at = view.getUint8(at + 1) & 0xfc;
  }
  return {};
}

function link(code: number, width: number): ConfigLink {
  return { speed: speeds[code] ?? 0, width };
}

function acs(view: DataView): { acs?: AcsBits } {
  let at = 0x100;
  for (let i = 0; i < 256 && at >= 0x100 && at + 8 <= view.byteLength; i++) {
    const head = view.getUint32(at, true);
    if (head === 0 || head === 0xffffffff) return {};
    if ((head & 0xffff) === extendedAcs) {
      return { acs: { able: view.getUint16(at + 4, true) & 0x7f, inForce: view.getUint16(at + 6, true) & 0x7f } };
    }
    at = (head >>> 20) & 0xffc;
  }
  return {};
}
