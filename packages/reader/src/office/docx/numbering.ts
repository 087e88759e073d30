import { numeral, type Numerals } from '../markdown/numerals.js';
import { childAt, childrenOf, integerOf, isOn, type XmlElement } from '../xml/xml-element.js';
import type { Styles } from './styles.js';

interface Level {
  start: number;
  /** Null: a bullet, or nothing. */
  numerals: Numerals | null;
  /** Such as `%1.%2`, the numbers of the first two levels; for a bullet its character. */
  pattern: string;
  /** Legal numbering: all numbers are arabic. */
  isLegal: boolean;
}

interface List {
  abstractId: string;
  levels: ReadonlyMap<number, Level>;
  /** Start values by level, for the first use of the list. */
  restarts: ReadonlyMap<number, number>;
}

const byFormat: Readonly<Record<string, Numerals>> = {
  decimalZero: 'zero',
  lowerLetter: 'letters',
  upperLetter: 'LETTERS',
  lowerRoman: 'roman',
  upperRoman: 'ROMAN',
  chineseCounting: 'chinese',
  chineseCountingThousand: 'chinese',
  taiwaneseCounting: 'chinese',
  taiwaneseCountingThousand: 'chinese',
  taiwaneseDigital: 'chinese',
  japaneseCounting: 'chinese',
  ideographDigital: 'chinese',
  ideographTraditional: 'chinese',
  chineseLegalSimplified: 'legal',
  ideographLegalTraditional: 'legal',
  japaneseLegal: 'legal',
};

/** Counts list items: Word does not write their numbers into the text. */
export class Numbering {
  private readonly lists = new Map<string, List>();
  private readonly counts = new Map<string, number[]>();
  private readonly begun = new Set<string>();

  constructor(root: XmlElement | null, styles: Styles) {
    const abstracts = new Map(
      childrenOf(root ?? undefined, 'w:abstractNum').map((abstract) => [
        abstract.attributes['w:abstractNumId'] ?? '',
        abstract,
      ]),
    );
    const elements = childrenOf(root ?? undefined, 'w:num');
    const abstractOf = (list: XmlElement | undefined): XmlElement | undefined =>
      abstracts.get(childAt(list, 'w:abstractNumId')?.attributes['w:val'] ?? '');
    for (const list of elements) {
      const abstract = abstractOf(list);
      const linked = childAt(abstract, 'w:numStyleLink')?.attributes['w:val'];
      const other = linked === undefined ? null : styles.get(linked).list.id;
      const shown = other === null ? undefined : elements.find((one) => one.attributes['w:numId'] === other);
      this.lists.set(list.attributes['w:numId'] ?? '', listOf(list, abstractOf(shown) ?? abstract));
    }
  }

  /** The label of the next item at a level from 0, such as `1.`, or `-` for a bullet. Null: not a list. */
  next(listId: string, level: number): string | null {
    const list = this.lists.get(listId);
    if (!list || level < 0 || level > 8) return null;
    this.count(listId, list, level);
    const shown = list.levels.get(level);
    return shown?.numerals ? this.labelOf(list, shown) : '-';
  }

  private count(listId: string, list: List, level: number): void {
    const counts = this.counts.get(list.abstractId) ?? [];
    this.counts.set(list.abstractId, counts);
    if (!this.begun.has(listId)) {
      this.begun.add(listId);
      for (const [restarted, start] of list.restarts) counts[restarted] = start - 1;
    }
    for (let outer = 0; outer < level; outer++) counts[outer] ??= startOf(list, outer);
    counts[level] = (counts[level] ?? startOf(list, level) - 1) + 1;
    counts.length = level + 1;
  }

  private labelOf(list: List, shown: Level): string {
    const counts = this.counts.get(list.abstractId) ?? [];
    return shown.pattern
      .replaceAll(/%(\d)/g, (_, digit: string) => {
        const level = Number(digit) - 1;
        const numerals = shown.isLegal ? 'decimal' : (list.levels.get(level)?.numerals ?? 'decimal');
        return numeral(counts[level] ?? startOf(list, level), numerals);
      })
      .trim();
  }
}

function startOf(list: List, level: number): number {
  return list.levels.get(level)?.start ?? 1;
}

function listOf(list: XmlElement, abstract: XmlElement | undefined): List {
  const overrides = childrenOf(list, 'w:lvlOverride');
  const levels = [
    ...childrenOf(abstract, 'w:lvl'),
    ...overrides.flatMap((override) => childrenOf(override, 'w:lvl')),
  ];
  const restarts = overrides.flatMap((override): [number, number][] => {
    const level = integerOf(override.attributes['w:ilvl']);
    const start = integerOf(childAt(override, 'w:startOverride')?.attributes['w:val']);
    return level === null || start === null || level < 0 || level > 8 ? [] : [[level, start]];
  });
  return {
    abstractId: abstract?.attributes['w:abstractNumId'] ?? '',
    levels: new Map(levels.map((level) => [integerOf(level.attributes['w:ilvl']) ?? 0, levelOf(level)])),
    restarts: new Map(restarts),
  };
}

function levelOf(level: XmlElement): Level {
  const valueOf = (name: string): string | undefined => childAt(level, name)?.attributes['w:val'];
  const format = valueOf('w:numFmt') ?? 'decimal';
  return {
    start: integerOf(valueOf('w:start')) ?? 1,
    numerals: format === 'bullet' || format === 'none' ? null : (byFormat[format] ?? 'decimal'),
    pattern: (valueOf('w:lvlText') ?? '').slice(0, 100),
    isLegal: isOn(childAt(level, 'w:isLgl'), 'w:val'),
  };
}
