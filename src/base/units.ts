/**
 * Branded quantities. Inside crowfly everything is bytes, seconds and bytes per second;
 * GB/s, Gb/s and µs appear only where text is read or written, always through these functions.
 */
declare const unit: unique symbol;
type Quantity<Name extends string> = number & { readonly [unit]: Name };

export type Bytes = Quantity<'bytes'>;
export type Seconds = Quantity<'seconds'>;
export type BytesPerSecond = Quantity<'bytes/second'>;

export const bytes = (n: number): Bytes => n as Bytes;
export const seconds = (n: number): Seconds => n as Seconds;
export const bytesPerSecond = (n: number): BytesPerSecond => n as BytesPerSecond;

/** Decimal gigabytes per second, as vendors and NCCL count them. */
export const fromGBps = (gb: number): BytesPerSecond => (gb * 1e9) as BytesPerSecond;
export const toGBps = (rate: BytesPerSecond): number => rate / 1e9;
/** Decimal gigabits per second, as NIC ports are sold. */
export const fromGbps = (gb: number): BytesPerSecond => ((gb * 1e9) / 8) as BytesPerSecond;
export const toGbps = (rate: BytesPerSecond): number => (rate * 8) / 1e9;
/** Megabits per second, as NCCL's topology file gives NIC speeds. */
export const fromMbps = (mb: number): BytesPerSecond => ((mb * 1e6) / 8) as BytesPerSecond;
export const fromMicroseconds = (us: number): Seconds => (us * 1e-6) as Seconds;
export const toMicroseconds = (s: Seconds): number => s * 1e6;
