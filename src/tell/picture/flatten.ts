import type { Picture, PictureBox } from './model.ts';

/** A device as a row: what a table or another program wants of a picture. */
export interface PictureRow {
  readonly box: PictureBox;
  /** Whole name of the box it sits in; empty for a NUMA node. */
  readonly parent: string;
  /** Index of its host in the picture. */
  readonly host: number;
}

/** All boxes of a picture in drawing order. */
export function rowsOf(picture: Picture): PictureRow[] {
  const rows: PictureRow[] = [];
  picture.hosts.forEach((host, index) => {
    const walk = (box: PictureBox, parent: string): void => {
      rows.push({ box, parent, host: index });
      for (const child of box.children) walk(child, box.id);
    };
    for (const cpu of host.cpus) walk(cpu, '');
  });
  return rows;
}
