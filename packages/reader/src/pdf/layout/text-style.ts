import { compoundsIn } from './lines/join-text.js';
import type { Row } from './lines/row.js';
import { type Segment, textOf } from './lines/segment.js';

/** The typography of a document, for recognising headings. */
export interface TextStyle {
  /** The size of most text. */
  bodySize: number;
  /** Sizes of much of the text. None of them makes a heading. */
  textSizes: readonly number[];
  headingSizes: readonly number[];
  /** Whether short bold lines are headings. Not if much of the text is bold. */
  hasBoldHeadings: boolean;
  isBold: (font: string) => boolean;
  /** Hyphenated compounds within lines, in lower case. */
  compounds: ReadonlySet<string>;
  /** The headings of the outline on this page: levels by `titleKey`. */
  titles: ReadonlyMap<string, number>;
}

/** Smaller differences are rounding. */
const LARGER = 1.12;
const SAME = 1.06;
const TEXT_SHARE = 0.15;
const BOLD_SHARE = 0.35;
const MAX_LEVEL = 6;
const MAX_HEADING_SIZES = 5;
const MAX_HEADING_CHARACTERS = 250;
const MAX_BOLD_CHARACTERS = 120;

const words = /\p{L}{2}|\p{Script=Han}/u;
/** A line of a table of contents names a heading and is none. */
const leaders = /(?:\.\s?){4,}|…{2,}/;

export function titleKey(title: string): string {
  return title
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{P}]+/gu, '');
}

/** Counts the characters of each size and font. */
export class StyleSample {
  private readonly sizes = new Map<number, number>();
  private readonly fonts = new Map<string, number>();
  private readonly compounds = new Set<string>();

  add(segments: readonly Segment[]): void {
    for (const { pieces } of segments) {
      for (const compound of compoundsIn(textOf({ pieces }))) this.compounds.add(compound);
      for (const { text, size, font } of pieces) {
        const rounded = Math.round(size * 4) / 4;
        this.sizes.set(rounded, (this.sizes.get(rounded) ?? 0) + text.length);
        this.fonts.set(font, (this.fonts.get(font) ?? 0) + text.length);
      }
    }
  }

  style(isBold: (font: string) => boolean): TextStyle {
    const sizes = [...this.sizes].toSorted(([, one], [, other]) => other - one);
    const total = sizes.reduce((sum, [, characters]) => sum + characters, 0);
    const bodySize = sizes[0]?.[0] ?? 12;
    const textSizes = sizes
      .filter(([size, characters]) => characters >= TEXT_SHARE * total || size < bodySize * LARGER)
      .map(([size]) => size);
    const headingSizes: number[] = [];
    for (const [size] of sizes.toSorted(([one], [other]) => other - one)) {
      const isNew = !headingSizes.some((known) => known < size * SAME);
      if (isNew && !textSizes.includes(size) && headingSizes.length < MAX_HEADING_SIZES)
        headingSizes.push(size);
    }
    let bold = 0;
    for (const [font, characters] of this.fonts) if (isBold(font)) bold += characters;
    const hasBoldHeadings = bold > 0 && bold < BOLD_SHARE * total;
    const { compounds } = this;
    return { bodySize, textSizes, headingSizes, hasBoldHeadings, isBold, compounds, titles: new Map() };
  }
}

/** 1 to 6; null: the line is not a heading. */
export function headingLevel(row: Row, style: TextStyle): number | null {
  if (row.text.length > MAX_HEADING_CHARACTERS) return null;
  const told = row.cells[0]?.pieces[0]?.heading ?? style.titles.get(titleKey(row.text)) ?? null;
  if (told !== null) return Math.min(told, MAX_LEVEL);
  if (!words.test(row.text) || leaders.test(row.text)) return null;
  return levelBySize(row, style) ?? (isBoldHeading(row, style) ? boldLevel(style) : null);
}

function isNear(one: number, other: number): boolean {
  return one < other * SAME && other < one * SAME;
}

function levelBySize({ size }: Row, { bodySize, textSizes, headingSizes }: TextStyle): number | null {
  if (size < bodySize * LARGER || textSizes.some((known) => isNear(known, size))) return null;
  return Math.min(1 + headingSizes.filter((known) => known > size * SAME).length, MAX_LEVEL);
}

function boldLevel({ headingSizes }: TextStyle): number {
  return Math.min(headingSizes.length + 1, MAX_LEVEL);
}

function isBoldHeading(row: Row, { bodySize, hasBoldHeadings, isBold }: TextStyle): boolean {
  return (
    hasBoldHeadings &&
    row.size * SAME >= bodySize &&
    row.text.length <= MAX_BOLD_CHARACTERS &&
    !/[.,;。，；]$/u.test(row.text) &&
    row.cells.every(({ pieces }) => pieces.every(({ font }) => isBold(font)))
  );
}
