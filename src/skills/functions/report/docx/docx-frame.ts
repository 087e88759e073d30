import type { Report } from '../report.js';
import { frameRule } from './docx-styles.js';
import { bodyTwips, field, text } from './docx-text.js';
import { documentOf, element, namespaces, type Xml } from './xml.js';

const MAX_CHARACTERS = 60;

const shortened = (words: string): string => {
  const characters = Array.from(words);
  return characters.length <= MAX_CHARACTERS ? words : `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`;
};

/** Something at the left, something at the right. */
const line = (side: 'top' | 'bottom', left: readonly Xml[], right: readonly Xml[]): Xml =>
  element(
    'w:p',
    {},
    element(
      'w:pPr',
      {},
      element('w:pStyle', { 'w:val': 'Muted' }),
      frameRule(side),
      element('w:tabs', {}, element('w:tab', { 'w:val': 'right', 'w:pos': bodyTwips })),
    ),
    ...left,
    element('w:r', {}, element('w:tab')),
    ...right,
  );

const names = { 'xmlns:w': namespaces['xmlns:w'], 'xmlns:r': namespaces['xmlns:r'] };

export const headerPart = ({ company, title }: Report): string =>
  documentOf(element('w:hdr', names, line('bottom', [text(shortened(company))], [text(shortened(title))])));

export const footerPart = ({ date, pageLabel }: Report): string =>
  documentOf(element('w:ftr', names, line('top', [text(date)], numbered(pageLabel))));

/** The label with fields in the places of its numbers. */
const numbered = (label: string): Xml[] =>
  label.split(/(\{pages?\})/).flatMap((part) => {
    if (part === '{page}') return field('PAGE', '1');
    if (part === '{pages}') return field('NUMPAGES', '1');
    return part === '' ? [] : [text(part)];
  });
