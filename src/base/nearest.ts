/** Edit distance with an upper bound: stops as soon as it must exceed `limit`. */
export function editDistance(a: string, b: string, limit = 8): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const value = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + cost);
      next.push(value);
      if (value < least) least = value;
    }
    if (least > limit) return limit + 1;
    row = next;
  }
  return row[b.length]!;
}

/** The known word closest to `word`, when it is close enough to be what was meant. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const lower = word.toLowerCase();
  let best: string | undefined;
  // Of a short word no more than half may differ: every two letters are two changes from any other two.
  let bestDistance = Math.min(Math.max(2, Math.floor(word.length / 3)), Math.floor(word.length / 2)) + 1;
  for (const candidate of known) {
    const distance = editDistance(lower, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
