import { element, type Xml } from './xml.js';

/** A twentieth of a point, as Word measures lengths. */
export const TWIPS = 20;

/** A4 and its margins in twips. */
export const sheet = {
  width: 11_906,
  height: 16_838,
  side: 1160,
  top: 1560,
  bottom: 1360,
  edge: 640,
} as const;
export const bodyTwips = sheet.width - 2 * sheet.side;

export interface ParagraphOptions {
  style?: string;
  isEnd?: boolean;
  keepsNext?: boolean;
}

export const text = (words: string): Xml =>
  element('w:r', {}, element('w:t', { 'xml:space': 'preserve' }, words));

export const paragraph = (options: ParagraphOptions, ...runs: readonly Xml[]): Xml => {
  const { style, isEnd, keepsNext } = options;
  const properties = [
    style !== undefined && element('w:pStyle', { 'w:val': style }),
    keepsNext === true && element('w:keepNext'),
    isEnd === true && element('w:jc', { 'w:val': 'right' }),
  ];
  return element('w:p', {}, element('w:pPr', {}, ...properties), ...runs);
};

export const words = (style: string, content: string): Xml => paragraph({ style }, text(content));

/** A field that Word fills in, with what stands there until it does. */
export const field = (instruction: string, shown: string): Xml[] => [
  element('w:r', {}, element('w:fldChar', { 'w:fldCharType': 'begin' })),
  element('w:r', {}, element('w:instrText', { 'xml:space': 'preserve' }, ` ${instruction} `)),
  element('w:r', {}, element('w:fldChar', { 'w:fldCharType': 'separate' })),
  text(shown),
  element('w:r', {}, element('w:fldChar', { 'w:fldCharType': 'end' })),
];

export const border = (side: string, colour: string | null, size = 4): Xml =>
  element(`w:${side}`, {
    'w:val': colour === null ? 'nil' : 'single',
    'w:sz': colour === null ? undefined : size,
    'w:space': colour === null ? undefined : 0,
    'w:color': colour ?? undefined,
  });
