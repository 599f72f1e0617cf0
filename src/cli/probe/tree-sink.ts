import type { ByteSink, TreeSink } from '../../input/expand.ts';
import { MemoryTree } from './memory-tree.ts';

/** Of a file of a saved tree as much is kept: config space has 4 KiB, /proc/modules a few dozen. */
const mostBytes = 1 << 18;
const mostTrees = 64;

/** One host saved in an archive. */
interface Saved {
  /** As the user knows the place: `host.tar.gz!node1/`. */
  readonly name: string;
  readonly tree: MemoryTree;
  readonly files: Map<string, Uint8Array>;
}

const place = /^(.*?)((?:sys\/(?:devices|class|bus|kernel|block|module|firmware)|proc)\/.*)$/;

/** Gathers saved trees of /sys and /proc out of archives, one for each folder that holds one. */
export class TreeCollector implements TreeSink {
  private readonly saved = new Map<string, Saved>();

  wants(path: string): boolean {
    const found = place.exec(path);
    return found !== null && (found[1] === '' || found[1]!.endsWith('/'));
  }

  open(archive: string, path: string): ByteSink {
    const { saved, inside } = this.of(archive, path);
    let bytes = new Uint8Array(0);
    return {
      push(chunk) {
        if (bytes.length >= mostBytes) return;
        const joined = new Uint8Array(Math.min(mostBytes, bytes.length + chunk.length));
        joined.set(bytes);
        joined.set(chunk.subarray(0, joined.length - bytes.length), bytes.length);
        bytes = joined;
      },
      note() {},
      end() {
        saved?.tree.addFile(inside, bytes);
        saved?.files.set(inside, bytes);
      },
    };
  }

  link(archive: string, path: string, target: string): void {
    const { saved, inside } = this.of(archive, path);
    saved?.tree.addLink(inside, target);
  }

  private of(archive: string, path: string): { readonly saved: Saved | undefined; readonly inside: string } {
    const [, before = '', inside = path] = place.exec(path) ?? [];
    const name = `${archive}!${before}`;
    let saved = this.saved.get(name);
    if (!saved && this.saved.size < mostTrees) {
      saved = { name, tree: new MemoryTree(), files: new Map() };
      this.saved.set(name, saved);
    }
    return { saved, inside };
  }

  /** Trees with the buses of a host or its RDMA devices, soft ones too; and files of those that hold only a few, to be read as any other file. */
  *trees(): Generator<{
    readonly name: string;
    readonly tree?: MemoryTree;
    readonly files: ReadonlyMap<string, Uint8Array>;
  }> {
    for (const { name, tree, files } of this.saved.values()) {
      const whole =
        tree.list('sys/devices').some((n) => /^pci[0-9a-f]{4,8}:/.test(n)) ||
        tree.list('sys/class/infiniband').some((n) => tree.list(`sys/class/infiniband/${n}`).length > 0);
      yield whole ? { name, tree, files } : { name, files };
    }
  }
}
