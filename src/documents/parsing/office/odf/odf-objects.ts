import { gridBlocks } from '../markdown/grid.js';
import type { Block } from '../markdown/pieces.js';
import { oneLine, paragraph } from '../markdown/text.js';
import type { OfficePackage } from '../package/office-package.js';
import { childrenOf, descendantsOf, textOf, type XmlElement } from '../xml/xml-element.js';
import { elementOf } from '../xml/xml-reader.js';
import { tableRows } from './odf-table.js';

/** Reads charts and formulas, which lie in folders of their own. */
export class OdfObjects {
  constructor(private readonly file: OfficePackage) {}

  *blocksOf(object: XmlElement): Generator<Block> {
    const inline = childrenOf(object).find(({ name }) => name === 'math:math');
    if (inline) return yield { markdown: paragraph(formulaOf(inline)) };
    const folder = (object.attributes['xlink:href'] ?? '').replace(/^\.\//, '').replace(/\/$/, '');
    if (folder === '' || folder.includes(':')) return;
    const root = this.file.find(`${folder}/content.xml`, 'An object is', (bytes) => elementOf(bytes));
    if (!root) return;
    if (root.name === 'math:math') return yield { markdown: paragraph(formulaOf(root)) };
    const title = [...descendantsOf(root, 'chart:title')].map(textOf).join(' ');
    if (oneLine(title) !== '') yield { markdown: `Chart: ${oneLine(title)}` };
    for (const table of descendantsOf(root, 'table:table'))
      yield* gridBlocks(tableRows(table, (cell) => cell.map((text) => ({ markdown: textOf(text) }))));
  }
}

/** What a formula shows; how somebody typed it stands beside it once more. */
const formulaOf = (element: XmlElement): string =>
  element.children
    .map((child) => {
      if (typeof child === 'string') return child;
      return child.name === 'math:annotation' ? '' : formulaOf(child);
    })
    .join(' ');
