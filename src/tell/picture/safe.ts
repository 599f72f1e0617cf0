/** Longer names are no names; a drawing must not grow without bounds because of one. */
const longest = 120;

/**
 * A name from an input, made harmless for any output: control and escape characters, text-direction overrides, invisible
 * characters and halves of surrogate pairs become U+FFFD; an endless name is cut.
 */
export function safe(text: string): string {
  const clean = text.replace(
    /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    '\ufffd',
  );
  return clean.length > longest ? `${clean.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…` : clean;
}

/** For XML and HTML, in text and in attributes; for sentences whose names were made harmless already. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"'`]/g, (c) => `&#${c.charCodeAt(0)};`);

/** The same for a name straight from an input. */
export const escapeXml = (text: string): string => escapeMarkup(safe(text));
