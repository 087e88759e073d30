import { numeral, type Numerals, numeralsByFormat } from '../markdown/numerals.js';
import type { TextHeight } from '../markdown/raised-text.js';
import { ancestryOf, childAt, childrenOf, integerOf, type XmlElement } from '../xml/xml-element.js';

interface ListLevel {
  numerals: Numerals | null;
  start: number;
  prefix: string;
  suffix: string;
  /** The number of levels that the label shows. */
  shown: number;
}

/** The styles of an OpenDocument file by family and name. */
export class OdfStyles {
  private readonly styles = new Map<string, XmlElement>();
  private readonly lists = new Map<string, ReadonlyMap<number, ListLevel>>();
  private outline: ReadonlyMap<number, ListLevel> = new Map();

  /** Adds the content of office:styles or office:automatic-styles. Later styles take precedence. */
  add(styles: XmlElement | undefined): void {
    for (const style of childrenOf(styles)) {
      const name = style.attributes['style:name'] ?? '';
      if (style.name === 'style:style')
        this.styles.set(`${style.attributes['style:family'] ?? ''} ${name}`, style);
      else if (style.name === 'text:list-style') this.lists.set(name, levelsOf(style));
      else if (style.name === 'text:outline-style') this.outline = levelsOf(style);
    }
  }

  isTitle(name: string | undefined): boolean {
    return this.ancestryOf('paragraph', name).some((style) => style.attributes['style:name'] === 'Title');
  }

  /** Null: a paragraph with this style is not a heading. */
  headingLevel(name: string | undefined): number | null {
    for (const style of this.ancestryOf('paragraph', name)) {
      const level = integerOf(style.attributes['style:default-outline-level']);
      if (level !== null) return level;
    }
    return null;
  }

  /** Whether words with this style are hidden. */
  isHidden(name: string | undefined): boolean {
    return this.property('text', name, 'text:display') === 'none';
  }

  heightOf(name: string | undefined): TextHeight {
    return heightAt(this.property('text', name, 'style:text-position') ?? '');
  }

  isHiddenSheet(name: string | undefined): boolean {
    return this.property('table', name, 'table:display') === 'false';
  }

  isHiddenSlide(name: string | undefined): boolean {
    return this.property('drawing-page', name, 'presentation:visibility') === 'hidden';
  }

  /** What a style sets, or else the nearest that it is based on. */
  private property(family: string, name: string | undefined, attribute: string): string | undefined {
    for (const style of this.ancestryOf(family, name)) {
      const value = childAt(style, `style:${family}-properties`)?.attributes[attribute];
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** The label of an item by the counts of all levels down to its own; `-` for a bullet. */
  label(list: string | undefined, counts: readonly number[]): string {
    const label = labelOf(this.lists.get(list ?? ''), counts);
    return label === '' ? '-' : label;
  }

  startOf(list: string | undefined, level: number): number {
    return this.lists.get(list ?? '')?.get(level)?.start ?? 1;
  }

  /** The number of a heading; empty: none. */
  headingLabel(counts: readonly number[]): string {
    return labelOf(this.outline, counts);
  }

  private ancestryOf(family: string, name: string | undefined): XmlElement[] {
    const find = (name = ''): XmlElement | undefined => this.styles.get(`${family} ${name}`);
    return ancestryOf(find(name), ({ attributes }) => find(attributes['style:parent-style-name']));
  }
}

/** `super 58%`, or the rise above the baseline, such as `33% 58%` or `-33% 58%`. */
function heightAt(position: string): TextHeight {
  const height = Number.parseFloat(position);
  if (position.startsWith('super') || height > 0) return 'raised';
  return position.startsWith('sub') || height < 0 ? 'lowered' : null;
}

/** By level, from 1. */
function levelsOf(list: XmlElement): ReadonlyMap<number, ListLevel> {
  return new Map(
    childrenOf(list).map((level) => [integerOf(level.attributes['text:level']) ?? 0, levelOf(level)]),
  );
}

function levelOf({ name, attributes }: XmlElement): ListLevel {
  const format = attributes['style:num-format'] ?? '';
  const eastern = format.startsWith('壹') ? 'legal' : /^[一\u58f9]/.test(format) ? 'chinese' : null;
  return {
    numerals: name === 'text:list-level-style-bullet' ? null : (numeralsByFormat[format] ?? eastern),
    start: integerOf(attributes['text:start-value']) ?? 1,
    prefix: (attributes['style:num-prefix'] ?? '').slice(0, 50),
    suffix: (attributes['style:num-suffix'] ?? '').slice(0, 50),
    shown: integerOf(attributes['text:display-levels']) ?? 1,
  };
}

function labelOf(levels: ReadonlyMap<number, ListLevel> | undefined, counts: readonly number[]): string {
  const level = levels?.get(counts.length);
  if (!levels || !level?.numerals) return '';
  const from = Math.max(0, counts.length - level.shown);
  const numbers = counts.slice(from).flatMap((count, index) => {
    const numerals = levels.get(from + index + 1)?.numerals;
    return numerals ? [numeral(count, numerals)] : [];
  });
  return `${level.prefix}${numbers.join('.')}${level.suffix}`.trim();
}
