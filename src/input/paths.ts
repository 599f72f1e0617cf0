export interface SafePath {
  readonly path: string;
  /** The name tried to leave its folder (`..`, an absolute path, a drive letter). */
  readonly escaped: boolean;
}

/** The name of an archive member as a plain relative path. Nothing is ever written, but names are shown and compared. */
export function safePath(name: string): SafePath {
  const slashes = name.replaceAll('\\', '/').replace(/[\u0000-\u001f\u007f]/g, '');
  const parts: string[] = [];
  let escaped = slashes.startsWith('/') || /^[A-Za-z]:/.test(slashes);
  for (const part of slashes.replace(/^[A-Za-z]:/, '').split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      escaped = true;
      continue;
    }
    parts.push(part.length > 255 ? part.slice(0, 255) : part);
  }
  return { path: parts.slice(-32).join('/') || '(no name)', escaped };
}
