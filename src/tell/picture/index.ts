export { type PictureOptions, picture } from './build.ts';
export type { Ink, Styler } from './canvas.ts';
export { drawDot } from './draw-dot.ts';
export { drawHtml } from './draw-html.ts';
export { type PictureJson, pictureJson } from './draw-json.ts';
export { drawMermaid } from './draw-mermaid.ts';
export { drawSvg, type SvgOptions } from './draw-svg.ts';
export { drawText, type TextOptions } from './draw-text.ts';
export type { Mark, NvlinkMesh, Picture, PictureBox, PictureHost, PictureNote } from './model.ts';
