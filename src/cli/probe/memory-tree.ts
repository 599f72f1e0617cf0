import type { Tree } from './files.ts';

type Node =
  | { readonly kind: 'folder'; readonly names: Map<string, Node> }
  | { readonly kind: 'file'; bytes: Uint8Array }
  | { readonly kind: 'link'; readonly target: string };

/** Links that lead to links end somewhere, or are a circle. */
const mostLinks = 40;

/** A saved tree held in memory. Links are followed inside it alone, absolute ones from its root. */
export class MemoryTree implements Tree {
  private readonly root: Node & { readonly kind: 'folder' } = { kind: 'folder', names: new Map() };

  addFile(path: string, bytes: Uint8Array): void {
    this.put(path, { kind: 'file', bytes });
  }

  addLink(path: string, target: string): void {
    this.put(path, { kind: 'link', target });
  }

  private put(path: string, node: Node): void {
    const parts = path.split('/').filter((p) => p !== '' && p !== '.');
    const last = parts.pop();
    if (last === undefined) return;
    let folder = this.root;
    for (const part of parts) {
      let next = folder.names.get(part);
      if (next?.kind !== 'folder') {
        next = { kind: 'folder', names: new Map() };
        folder.names.set(part, next);
      }
      folder = next;
    }
    folder.names.set(last, node);
  }

  list(path: string): string[] {
    const node = this.at(path);
    return node?.kind === 'folder' ? [...node.names.keys()].sort() : [];
  }

  bytes(path: string, most: number): Uint8Array | undefined {
    const node = this.at(path);
    return node?.kind === 'file' ? node.bytes.subarray(0, most) : undefined;
  }

  line(path: string): string | undefined {
    return this.text(path, 4096)?.split('\n', 1)[0]?.trim();
  }

  text(path: string, most = 1 << 20): string | undefined {
    const bytes = this.bytes(path, most);
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  }

  link(path: string): string | undefined {
    const parts = path.split('/');
    const name = parts.pop()!;
    const folder = this.at(parts.join('/'));
    const node = folder?.kind === 'folder' ? folder.names.get(name) : undefined;
    return node?.kind === 'link'
      ? node.target
          .split('/')
          .filter((p) => p !== '')
          .pop()
      : undefined;
  }

  /** The node behind a path, links followed; undefined where it leads out of the tree or nowhere. */
  private at(path: string): Node | undefined {
    let todo = path.split('/');
    let way: (Node & { readonly kind: 'folder' })[] = [this.root];
    let links = 0;
    let here: Node = this.root;
    while (todo.length > 0) {
      const part = todo.shift()!;
      if (part === '' || part === '.') continue;
      if (part === '..') {
        if (way.length < 2) return undefined;
        way.pop();
        here = way[way.length - 1]!;
        continue;
      }
      if (here.kind !== 'folder') return undefined;
      const next: Node | undefined = here.names.get(part);
      if (!next) return undefined;
      if (next.kind === 'link') {
        if (++links > mostLinks) return undefined;
        if (next.target.startsWith('/')) {
          way = [this.root];
          here = this.root;
        }
        todo = [...next.target.split('/'), ...todo];
        continue;
      }
      if (next.kind === 'folder') way.push(next);
      here = next;
    }
    return here;
  }
}
