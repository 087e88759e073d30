import { gridBlocks } from '../markdown/grid.js';
import type { Block } from '../markdown/pieces.js';
import { oneLine, paragraph } from '../markdown/text.js';
import type { OfficePackage } from '../package/office-package.js';
import { childrenOf, descendantsOf, type XmlElement } from '../xml/xml-element.js';
import { elementOf } from '../xml/xml-reader.js';
import { OdfStyles } from './odf-styles.js';
import { tableRows } from './odf-table.js';
import { OdfText } from './odf-text.js';

/** Reads charts and formulas. They are in folders of their own. */
export class OdfObjects {
  constructor(private readonly file: OfficePackage) {}

  *blocksOf(object: XmlElement): Generator<Block> {
    const inline = childrenOf(object).find(({ name }) => name === 'math:math');
    if (inline) return yield { markdown: paragraph(formulaOf(inline)) };
    const folder = (object.attributes['xlink:href'] ?? '').replace(/^\.\//, '').replace(/\/$/, '');
    if (folder === '' || folder.includes(':')) return;
    const root = this.file.find(`${folder}/content.xml`, 'OBJECT_MISSING', (bytes) => elementOf(bytes));
    if (!root) return;
    if (root.name === 'math:math') return yield { markdown: paragraph(formulaOf(root)) };
    const text = this.textIn(root);
    const wordsOf = (elements: readonly XmlElement[]): string => {
      const paragraphs = descendantsOf({ name: '', attributes: {}, children: elements }, 'text:p');
      return [...paragraphs].map((paragraph) => text.read(paragraph).text).join(' ');
    };
    const title = oneLine(wordsOf([...descendantsOf(root, 'chart:title')]));
    if (title !== '') yield { markdown: `Chart: ${title}` };
    for (const table of descendantsOf(root, 'table:table'))
      yield* gridBlocks(tableRows(table, (cell) => [{ markdown: wordsOf(cell) }]));
  }

  /** An object has its own styles, with names that the document uses for others. */
  private textIn(root: XmlElement): OdfText {
    const styles = new OdfStyles();
    for (const own of descendantsOf(root, 'office:automatic-styles')) styles.add(own);
    return new OdfText(styles, this.file.losses);
  }
}

/** The visible part of a formula, without its annotation, which repeats it as typed. */
function formulaOf(element: XmlElement): string {
  return element.children
    .map((child) => {
      if (typeof child === 'string') return child;
      return child.name === 'math:annotation' ? '' : formulaOf(child);
    })
    .join(' ');
}
