import type { Where } from '../../fact/fact.ts';
import type { Language } from '../../words/message.ts';
import { rowsOf } from './flatten.ts';
import type { Picture } from './model.ts';
import { safe } from './safe.ts';
import { sentence, words } from './words.ts';

/** The picture as data; fields may be added, never changed. */
export interface PictureJson {
  readonly schema: 'crowfly/show@1';
  readonly title: string;
  readonly hosts: readonly {
    readonly id: string;
    readonly name?: string;
    /** Equal nodes this one stands for. */
    readonly count: number;
    readonly nvswitch?: string;
    readonly nvlinkMesh?: { readonly gpus: readonly string[]; readonly links: readonly (readonly number[])[] };
    readonly links: readonly string[];
  }[];
  readonly hiddenHosts: number;
  readonly devices: readonly {
    readonly id: string;
    /** What stands on its box: `gpu0`, or `gpu0…gpu15` for a folded row. */
    readonly label: string;
    readonly kind: string;
    readonly host: number;
    /** Equal devices this one stands for. */
    readonly count: number;
    readonly parent?: string;
    readonly name?: string;
    readonly busId?: string;
    readonly link?: string;
    readonly nvlinks: number;
    readonly detail?: string;
    readonly mark?: string;
    readonly at: readonly Where[];
  }[];
  readonly legend: readonly string[];
  readonly notes: readonly {
    readonly mark: string;
    readonly code: string;
    readonly text: string;
    readonly devices: readonly string[];
  }[];
}

/** Everything the drawings show, for programs. */
export function pictureJson(picture: Picture, language: Language = 'en'): PictureJson {
  return {
    schema: 'crowfly/show@1',
    title: sentence(picture.title, language),
    hosts: picture.hosts.map((host) => ({
      id: host.label === '' ? 'node0' : host.label,
      ...(host.name === undefined ? {} : { name: host.name }),
      count: host.count,
      ...(host.band === undefined ? {} : { nvswitch: sentence(host.band, language) }),
      ...(host.mesh === undefined ? {} : { nvlinkMesh: { gpus: host.mesh.gpus, links: host.mesh.counts } }),
      links: host.lines.map((line) => sentence(line, language)),
    })),
    hiddenHosts: picture.hidden,
    devices: rowsOf(picture).map(({ box, parent, host }) => ({
      id: box.id,
      label: safe(box.label),
      kind: box.kind,
      host,
      count: box.count,
      ...(parent === '' ? {} : { parent }),
      ...(box.name === undefined ? {} : { name: box.name }),
      ...(box.busId === undefined ? {} : { busId: box.busId }),
      ...(box.link === undefined ? {} : { link: box.link }),
      nvlinks: box.nvlinks,
      ...(box.detail === undefined ? {} : { detail: words(box.detail, language) }),
      ...(box.mark === undefined ? {} : { mark: box.mark }),
      at: box.at,
    })),
    legend: picture.legend.map((message) => sentence(message, language)),
    notes: picture.notes.map((note) => ({
      mark: note.mark,
      code: note.message.code,
      text: sentence(note.message, language),
      devices: note.devices,
    })),
  };
}
