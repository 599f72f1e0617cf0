import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The rooms from top to bottom; a room may use those above it. See ARCHITECTURE.md. */
const rooms = [
  'base', 'words', 'fact', 'catalogue', 'machine', 'input', 'read', 'physics', 'support', 'nccl', 'assemble', 'way', 'schedule',
  'wire', 'device', 'move', 'engine', 'collective', 'predict', 'workload', 'flip', 'doctor', 'answer', 'tell',
]; // biome-ignore format: one list
/** Faces touch the outside world; nothing uses them. */
const faces = ['cli', 'web', 'probe'];

const src = resolve('src');

function files(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : path.endsWith('.ts') || path.endsWith('.tsx') ? [path] : [];
  });
}

interface Import {
  readonly from: string;
  readonly to: string;
  readonly types: boolean;
}

const all = files(src);
const imports: Import[] = all.flatMap((file) => {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)/g)].map(
    (m) => ({
      from: relative(src, file),
      to: (m[2] ?? m[3]!).startsWith('.') ? relative(src, resolve(dirname(file), m[2] ?? m[3]!)) : (m[2] ?? m[3]!),
      types: m[1] !== undefined,
    }),
  );
});
/** A file without comments and texts. */
const code = (file: string): string => readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'/g, '');

const roomOf = (file: string): string => file.split('/')[0]!;

describe('the house', () => {
  it('knows every folder of src', () => {
    const folders = readdirSync(src).filter((n) => statSync(join(src, n)).isDirectory());
    expect(folders.filter((f) => !rooms.includes(f) && !faces.includes(f))).toEqual([]);
  });

  it('is read at all', () => {
    expect(imports.length).toBeGreaterThan(300);
  });

  it('is walked one way: a room uses only rooms above it', () => {
    const wrong = imports.filter((i) => {
      if (!i.to.endsWith('.ts') || !i.to.includes('/')) return false;
      const from = rooms.indexOf(roomOf(i.from));
      const to = rooms.indexOf(roomOf(i.to));
      if (faces.includes(roomOf(i.to))) return roomOf(i.from) !== roomOf(i.to);
      return from >= 0 && to > from;
    });
    // Facts carry messages, and messages name nothing of facts: types only.
    expect(wrong.map((i) => `${i.from} -> ${i.to}`)).toEqual([]);
  });

  it('keeps the outside world to the faces', () => {
    const outside = imports.filter((i) => /^node:|^commander$/.test(i.to) && !faces.includes(roomOf(i.from)));
    expect(outside.map((i) => `${i.from} -> ${i.to}`)).toEqual([]);
    const timed = all.filter((f) => {
      const room = roomOf(relative(src, f));
      return rooms.includes(room) && /\b(?:Date\.now|new Date\(|Math\.random|performance\.now|process\.)/.test(code(f));
    });
    expect(timed.map((f) => relative(src, f))).toEqual([]);
  });

  it('has no circle of files', () => {
    const graph = new Map<string, string[]>();
    for (const i of imports) {
      if (!i.types && i.to.endsWith('.ts')) graph.set(i.from, [...(graph.get(i.from) ?? []), i.to]);
    }
    const state = new Map<string, 'open' | 'done'>();
    const circles: string[] = [];
    const visit = (file: string, path: string[]): void => {
      if (state.get(file) === 'done') return;
      if (state.get(file) === 'open') {
        circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
        return;
      }
      state.set(file, 'open');
      for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
      state.set(file, 'done');
    };
    for (const file of graph.keys()) visit(file, []);
    expect(circles).toEqual([]);
  });

  it('has no any and keeps files small', () => {
    const any = all.filter((f) => /:\s*any\b|\bas any\b|<any>/.test(code(f)));
    expect(any.map((f) => relative(src, f))).toEqual([]);
    const sizes = all.map((f) => readFileSync(f, 'utf8').split('\n').length).sort((a, b) => a - b);
    expect(sizes[sizes.length >> 1]).toBeLessThan(180);
  });
});
