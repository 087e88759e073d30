import { gridBlocks } from '../markdown/grid.js';
import type { Block } from '../markdown/pieces.js';
import { heading, numberedItem, oneLine, paragraph } from '../markdown/text.js';
import type { RemarkCode } from '../../remarks.js';
import type { Losses } from '../package/losses.js';
import { childrenOf, descendantsOf, integerOf, type XmlElement } from '../xml/xml-element.js';
import type { OdfObjects } from './odf-objects.js';
import type { OdfStyles } from './odf-styles.js';
import { tableRows } from './odf-table.js';
import type { OdfText } from './odf-text.js';

export interface OdfParts {
  styles: OdfStyles;
  text: OdfText;
  objects: OdfObjects;
  losses: Losses;
}

/** Elements without text of the document, or whose content is not read, and the warning for each. */
const LEFT_OUT: ReadonlyMap<string, RemarkCode> = new Map([
  ['text:table-of-content', 'CONTENTS_LEFT_OUT'],
  ['text:tracked-changes', 'CHANGES_ACCEPTED'],
  ['office:forms', 'FORM_LEFT_OUT'],
]);

interface Item {
  style: string | undefined;
  /** The counts of this level and those above. */
  counts: number[];
}

/** Converts block elements to Markdown. */
export class OdfBlocks {
  private readonly headingCounts: number[] = [];
  /** The last counts by list style, as later lists may continue them. */
  private readonly lastCounts = new Map<string, number>();

  constructor(private readonly parts: OdfParts) {}

  *of(elements: Iterable<XmlElement>): Generator<Block> {
    for (const element of elements) yield* this.ofOne(element, null);
  }

  private *ofOne(element: XmlElement, item: Item | null): Generator<Block> {
    const told = LEFT_OUT.get(element.name);
    if (told && childrenOf(element).length > 0) this.parts.losses.add(told);
    if (told !== undefined) return;
    switch (element.name) {
      case 'text:p':
      case 'text:h':
        return yield* this.ofParagraph(element, item);
      case 'text:list':
        return yield* this.ofList(element, item);
      case 'table:table':
        return yield* gridBlocks(tableRows(element, (cell) => new OdfBlocks(this.parts).of(cell)));
      case 'draw:frame':
        return yield* this.ofFrame(element);
      case 'office:annotation':
        return this.parts.losses.count('COMMENTS_LEFT_OUT');
      default:
        for (const child of childrenOf(element)) yield* this.ofOne(child, item);
    }
  }

  private *ofParagraph(element: XmlElement, item: Item | null): Generator<Block> {
    const read = this.parts.text.read(element);
    const first = this.parts.text.firstNoteOf(read);
    const level = this.levelOf(element);
    if (level !== null && oneLine(read.text) !== '')
      yield { markdown: heading(level, `${this.headingLabel(element, level)} ${read.text}`) };
    else if (!item) yield { markdown: paragraph(read.text) };
    else if (oneLine(read.text) !== '') {
      const label = this.parts.styles.label(item.style, item.counts);
      yield { markdown: numberedItem(item.counts.length - 1, label, read.text), isItem: true };
    }
    for (const [index, note] of read.notes.entries()) {
      const lines = [...descendantsOf(note, 'text:p', 'text:h')].map(
        (line) => this.parts.text.read(line).text,
      );
      const text = oneLine(lines.join(' '));
      if (text !== '') yield { markdown: `[^${first + index}]: ${text}` };
    }
    for (const frame of read.frames) yield* this.ofOne(frame, null);
  }

  private levelOf({ name, attributes }: XmlElement): number | null {
    const style = attributes['text:style-name'];
    if (name === 'text:h') return integerOf(attributes['text:outline-level']) ?? 1;
    return this.parts.styles.isTitle(style) ? 1 : this.parts.styles.headingLevel(style);
  }

  private headingLabel(element: XmlElement, level: number): string {
    if (element.name !== 'text:h' || level < 1 || level > 10) return '';
    if (element.attributes['text:is-list-header'] === 'true') return '';
    const counts = this.headingCounts;
    for (let outer = 0; outer < level - 1; outer++) counts[outer] ??= 1;
    counts[level - 1] = (counts[level - 1] ?? 0) + 1;
    counts.length = level;
    return this.parts.styles.headingLabel(counts);
  }

  private *ofList(list: XmlElement, outer: Item | null): Generator<Block> {
    const style = list.attributes['text:style-name'] ?? outer?.style;
    const level = (outer?.counts.length ?? 0) + 1;
    const key = `${level} ${style ?? ''}`;
    const goesOn =
      list.attributes['text:continue-numbering'] === 'true' ||
      list.attributes['text:continue-list'] !== undefined;
    let count =
      (goesOn ? this.lastCounts.get(key) : undefined) ?? this.parts.styles.startOf(style, level) - 1;
    for (const element of childrenOf(list)) {
      // An item that contains only another list just indents it.
      const isItem = element.name === 'text:list-item' && childrenOf(element)[0]?.name !== 'text:list';
      if (isItem) count = integerOf(element.attributes['text:start-value']) ?? count + 1;
      const item = { style, counts: [...(outer?.counts ?? []), Math.max(count, 1)] };
      for (const [index, child] of childrenOf(element).entries()) {
        const isText = child.name === 'text:p' && (index > 0 || element.name === 'text:list-header');
        yield* isText ? this.furtherText(child, item) : this.ofOne(child, item);
      }
    }
    this.lastCounts.set(key, count);
  }

  /** Further paragraphs of an item have no label. */
  private *furtherText(element: XmlElement, item: Item): Generator<Block> {
    const indent = '    '.repeat(Math.min(item.counts.length, 8));
    for (const { markdown } of this.ofParagraph(element, null))
      if (markdown !== '') yield { markdown: markdown.replaceAll(/^/gm, indent), isItem: true };
  }

  private *ofFrame(frame: XmlElement): Generator<Block> {
    const object = childrenOf(frame).find(({ name }) => name === 'draw:object');
    if (object) return yield* this.parts.objects.blocksOf(object);
    for (const child of childrenOf(frame)) {
      if (child.name === 'table:table') return yield* this.ofOne(child, null);
      if (child.name === 'draw:object-ole') this.parts.losses.add('OBJECTS_LEFT_OUT');
      else if (child.name === 'draw:image') this.parts.losses.count('PICTURES_LEFT_OUT');
      else if (child.name === 'draw:text-box') yield* this.ofOne(child, null);
    }
  }
}
