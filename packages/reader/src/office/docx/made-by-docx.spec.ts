import {
  CommentRangeEnd,
  CommentRangeStart,
  CommentReference,
  DeletedTextRun,
  Document,
  FootnoteReferenceRun,
  HeadingLevel,
  type ILevelsOptions,
  InsertedTextRun,
  LevelFormat,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from 'docx';

import { sentences } from '../../remarks.js';
import { readAll } from '../fixtures.double.js';
import { readDocx } from './read-docx.js';

const by = { author: 'A', date: '2026-01-01T00:00:00Z' };

function cell(text: string, options: { columnSpan?: number; rowSpan?: number } = {}): TableCell {
  return new TableCell({ children: [new Paragraph(text)], ...options });
}

function level(index: number, text: string): ILevelsOptions {
  const style = { paragraph: { indent: { left: 360 } } };
  return { level: index, format: LevelFormat.DECIMAL, text, style };
}

it('reads what the library docx writes, and says what it left out', async () => {
  const document = new Document({
    numbering: { config: [{ reference: 'chapters', levels: [level(0, '%1.'), level(1, '%1.%2')] }] },
    footnotes: { 1: { children: [new Paragraph('Source: the annual report.')] } },
    comments: { children: [{ id: 0, ...by, date: new Date(0), children: [new Paragraph('Really?')] }] },
    sections: [
      {
        children: [
          new Paragraph({
            text: 'Energy',
            heading: HeadingLevel.HEADING_1,
            numbering: { reference: 'chapters', level: 0 },
          }),
          new Paragraph({
            text: 'Electricity',
            heading: HeadingLevel.HEADING_2,
            numbering: { reference: 'chapters', level: 1 },
          }),
          new Paragraph({
            children: [
              new CommentRangeStart(0),
              new TextRun('The roof carries '),
              new DeletedTextRun({ id: 1, ...by, text: 'thirty' }),
              new InsertedTextRun({ id: 2, ...by, text: 'forty' }),
              new TextRun(' panels'),
              new CommentRangeEnd(0),
              new CommentReference(0),
              new FootnoteReferenceRun(1),
              new TextRun('.'),
            ],
          }),
          new Table({
            rows: [
              new TableRow({ children: [cell('Site'), cell('2023 and 2024', { columnSpan: 2 })] }),
              new TableRow({ children: [cell('Kolda', { rowSpan: 2 }), cell('1'), cell('2')] }),
              new TableRow({ children: [cell('3'), cell('4')] }),
            ],
          }),
        ],
      },
    ],
  });
  const { pages, summary } = await readAll(readDocx, await Packer.toBuffer(document));
  const markdown = pages.map((page) => page.markdown).join('\n\n');
  expect(markdown.split('\n\n').slice(0, 4)).toEqual([
    '# 1. Energy',
    '## 1.1 Electricity',
    'The roof carries forty panels[^1].',
    '[^1]: Source: the annual report.',
  ]);
  expect(markdown).toContain('| Kolda | 1 | 2 |');
  expect(markdown).toMatch(/\| (?:Kolda)? *\| 3 \| 4 \|/);
  expect(summary.warnings).toEqual([
    '1 comment left out: comments are not read.',
    sentences.CHANGES_ACCEPTED,
  ]);
});
