import type { Language, Message } from '../../words/message.ts';
import { say } from '../../words/message.ts';
import { drawSvg } from './draw-svg.ts';
import { rowsOf } from './flatten.ts';
import type { Picture, PictureBox } from './model.ts';
import { escapeMarkup, escapeXml } from './safe.ts';
import { sentence, words } from './words.ts';

/** Nothing may be loaded or run; only the style in the page itself counts. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const style = [
  ':root{color-scheme:light dark}body{margin:1.5rem auto;max-width:72rem;padding:0 1rem;font:15px/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}',
  'h1{font-size:1.2rem}h2{font-size:1rem}figure{margin:0;overflow-x:auto}table{border-collapse:collapse;font-size:13px;width:100%}',
  'th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid color-mix(in srgb,CanvasText 18%,transparent)}td.n{font-variant-numeric:tabular-nums}',
].join('');

/** One page that stands on its own: the drawing, the notes, and a table of every box. */
export function drawHtml(picture: Picture, language: Language = 'en'): string {
  const title = escapeMarkup(sentence(picture.title, language));
  const listed = rowsOf(picture);
  // A column that only says `1` says nothing.
  const counted = listed.some(({ box }) => box.count > 1);
  const head = (['device', 'count', 'name', 'bus', 'link', 'parent', 'nvlinks', 'note'] as const)
    .filter((column) => column !== 'count' || counted)
    .map((column) => `<th scope="col">${escapeMarkup(words(say(`show.table.${column}`), language))}</th>`)
    .join('');
  const rows = listed.map(({ box, parent }) => `<tr>${cellsOf(box, parent, counted, language).join('')}</tr>`);
  const notes = picture.notes.map(
    (note) =>
      `<li><strong>${escapeMarkup(words(say(`show.mark.${note.mark}`), language))}</strong>: ${escapeMarkup(sentence(note.message, language))}</li>`,
  );
  return [
    '<!doctype html>',
    `<html lang="${language}"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer">',
    `<title>${title}</title><style>${style}</style></head><body>`,
    `<h1>${title}</h1>`,
    `<figure>${drawSvg(picture, { language, untitled: true })}</figure>`,
    ...(notes.length === 0
      ? []
      : [`<h2>${escapeMarkup(words(say('show.notes.title'), language))}</h2><ul>${notes.join('')}</ul>`]),
    `<h2>${escapeMarkup(words(say('show.table.title'), language))}</h2>`,
    `<table><thead><tr>${head}</tr></thead><tbody>`,
    ...rows,
    '</tbody></table></body></html>',
    '',
  ].join('\n');
}

function cellsOf(box: PictureBox, parent: string, counted: boolean, language: Language): string[] {
  const cell = (text: string | Message | undefined): string =>
    `<td>${text === undefined ? '' : escapeXml(words(text, language))}</td>`;
  return [
    cell(box.id || box.label),
    ...(counted ? [`<td class="n">${box.count}</td>`] : []),
    cell(
      [box.name, box.detail]
        .filter((part) => part !== undefined)
        .map((part) => words(part, language))
        .join(' · '),
    ),
    cell(box.busId),
    cell(box.link),
    cell(parent),
    `<td class="n">${box.nvlinks > 0 ? box.nvlinks : ''}</td>`,
    cell(box.mark === undefined ? undefined : say(`show.mark.${box.mark}`)),
  ];
}
