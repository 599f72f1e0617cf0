/** Gb/s named by `200Gb/s`, `200 Gbps`, `200G`, `800GbE`, `25000 Mb/s`; nothing for anything else. */
export function parseRate(text: string): number | undefined {
  const found = /^(\d{1,7}(?:\.\d{1,6})?)\s*(g|m)(?:b\/s|bps|bit\/s|be)?$/i.exec(text.trim());
  if (found === null) return undefined;
  const rate = Number(found[1]) / (found[2]!.toLowerCase() === 'm' ? 1000 : 1);
  return rate > 0 && rate <= 10_000 ? rate : undefined;
}
