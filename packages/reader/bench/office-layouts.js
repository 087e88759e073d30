/**
 * Ways in which slides, workbooks, texts of a word processor and web pages are laid out, as people and programs make them.
 * Each takes sections, which have a title and a body, and gives the file, the page of each where the format has pages, and
 * how each is read if not as its body.
 */
import { pageLayouts } from './page-layouts.js';
import { sheetLayouts } from './sheet-layouts.js';
import { slideLayouts } from './slide-layouts.js';
import { textLayouts } from './text-layouts.js';

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
function cleaned({ title, body }) {
  return { title: escaped(title), body: escaped(body) };
}

const all = { pptx: slideLayouts, xlsx: sheetLayouts, docx: textLayouts, html: pageLayouts };

/** By the extension of their files. */
export const officeLayouts = Object.fromEntries(
  Object.entries(all).map(([extension, layouts]) => [
    extension,
    Object.fromEntries(
      Object.entries(layouts).map(([name, of]) => [name, (sections) => of(sections.map(cleaned))]),
    ),
  ]),
);
