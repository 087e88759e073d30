/**
 * Forty ways in which pages are laid out. Each names only what it does otherwise than the plain page that `plain` is. All
 * lengths are in points.
 */
export const plain = {
  page: { size: 'A4' },
  columns: 1,
  /** Between two columns. */
  gap: 18,
  font: 'Times-Roman',
  size: 10,
  pitch: 14,
  /** After a section, in lines. */
  after: 1,
  /** By how much the first line of a section is moved to the right. */
  indent: 0,
  /** Before a section's text: nothing, or its name in the same line, beside its text, or above it as a heading. */
  label: 'none',
  /** How much room there is beside the text for labels. */
  hang: 0,
  /** What stands at the head and at the foot of each page; {page} is its number. */
  head: '',
  foot: '',
  /** The parts of a line that are written by one command each: it, its words, or its characters. */
  written: 'line',
  /** Column by column, or line by line over all columns, as some programs write. */
  order: 'columns',
  /** Lines drawn around the page, or between columns. */
  rules: 'none',
  isJustified: false,
  /** What stands before each sentence, which begins a line then. */
  bullet: '',
  /** Numbers of lines in the margin, each fifth. */
  areLinesNumbered: false,
  /** A word across the page behind the text. */
  watermark: '',
  /** A text of its own in a box, right of each page's columns. */
  aside: '',
  /** In small letters under the text of each page. */
  footnote: '',
  /** By how much a viewer turns the page. */
  rotation: 0,
};

export const layouts = {
  'one column': {},
  'one column, US letter': { page: { size: 'LETTER' } },
  'one column, A5': { page: { size: 'A5' }, size: 9, pitch: 12 },
  'one column, A4 across': { page: { size: 'A4', layout: 'landscape' } },
  'one column, A4 turned by 90 degrees': { rotation: 90 },
  'one column, sans serif': { font: 'Helvetica' },
  'one column, typewriter': { font: 'Courier', size: 9 },
  'one column, small print': { size: 7, pitch: 8.5 },
  'one column, large print': { size: 16, pitch: 22 },
  'one column, tight lines': { pitch: 11 },
  'one column, double spacing': { pitch: 26 },
  'one column, justified': { isJustified: true },
  'one column, indented paragraphs without space': { indent: 16, after: 0 },
  'one column, paragraphs that hang': { indent: -16, hang: 16 },
  'one column, each word by itself': { written: 'word' },
  'one column, each character by itself': { written: 'character' },
  'two columns, 10 points apart': { columns: 2, gap: 10 },
  'two columns, 24 points apart': { columns: 2, gap: 24 },
  'two columns, justified': { columns: 2, isJustified: true },
  'two columns, written line by line': { columns: 2, order: 'lines' },
  'two columns, each word by itself': { columns: 2, written: 'word' },
  'two columns, a rule between': { columns: 2, rules: 'columns' },
  'two columns, headings': { columns: 2, label: 'above' },
  'two columns, head and foot': { columns: 2, head: 'Coopérative', foot: '{page}' },
  'three columns, A4 across': { columns: 3, page: { size: 'A4', layout: 'landscape' } },
  'three columns, small print': { columns: 3, size: 8, pitch: 10 },
  'labels before the text': { label: 'before', after: 0 },
  'labels beside the text': { label: 'beside', hang: 70, after: 0 },
  'labels above the text': { label: 'above' },
  'labels before the text, two columns': { label: 'before', columns: 2, after: 0 },
  'head of the document': { head: 'Internal — do not pass on' },
  'number of the page at the foot': { foot: '{page}' },
  'words with the number of the page': { foot: 'Page {page}' },
  'head and foot': { head: 'Internal — do not pass on', foot: '- {page} -' },
  footnotes: { footnote: '* See the annex, which is sent on request.' },
  'a frame around the page': { rules: 'page' },
  lists: { bullet: '• ' },
  'numbers of lines': { areLinesNumbered: true },
  'a watermark': { watermark: 'DRAFT' },
  'a box beside the text': { aside: 'Office hours are posted at the door of the main building.' },
};
