/** What a terminal would do with the line rather than show: colours, underlines, titles (ECMA-48 CSI, OSC and two-byte escapes). */
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]+[0-~]|[0-Z\\^-~])/g;

export function withoutEscapes(line: string): string {
  return line.replace(escapes, '').replaceAll('\u001b', '');
}

/** Blanks that come with a paste from a web page or a chat, as plain blanks. */
export function plainBlanks(line: string): string {
  return line.replace(/[\u00a0\u2002-\u200a\u202f\u3000]/g, ' ').replace(/[\u200b-\u200d\ufeff]/g, '');
}
