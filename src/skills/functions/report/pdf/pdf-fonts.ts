import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { unpackWoff } from './woff.js';

const require = createRequire(import.meta.url);

/** A stretch of text in one font. */
export interface Run {
  font: string;
  text: string;
  /** Drawn with an outline: the font has no bold of its own. */
  isThickened: boolean;
}

interface Range {
  start: number;
  end: number;
  subset: string;
}

interface Family {
  name: string;
  /** The slices that are asked first stand first. */
  ranges: readonly Range[];
  hasBold: boolean;
  /** What it is asked for: the list of its slices names characters that are in none. */
  scripts: RegExp;
}

/** Which characters are in which file: the fonts come in slices. Ranges may overlap: the first slice has them. */
const readRanges = (family: string, subsets?: readonly string[]): Range[] => {
  const file = require.resolve(`@fontsource/${family}/unicode.json`);
  const slices = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>).map(
    ([key, ranges]) => ({ subset: key.replaceAll(/[[\]]/g, ''), ranges }),
  );
  const wanted = subsets ?? slices.map(({ subset }) => subset).filter((subset) => /^\d+$/.test(subset));
  return wanted.flatMap((name) =>
    slices
      .filter(({ subset }) => subset === name)
      .flatMap(({ ranges }) => ranges.split(',').map((range) => rangeOf(range, name))),
  );
};

const rangeOf = (text: string, subset: string): Range => {
  const [start = '', end = start] = text.replace('U+', '').split('-');
  return { start: Number.parseInt(start, 16), end: Number.parseInt(end, 16), subset };
};

/** In this order: the first that has a character gives it. */
const families: readonly Family[] = [
  {
    name: 'noto-sans',
    ranges: readRanges('noto-sans', ['latin', 'latin-ext', 'vietnamese', 'greek', 'cyrillic']),
    hasBold: true,
    scripts: /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/u,
  },
  {
    name: 'chocolate-classical-sans',
    ranges: readRanges('chocolate-classical-sans'),
    hasBold: false,
    scripts: /[\p{Script=Han}\p{Script=Bopomofo}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Common}]/u,
  },
];

interface Slice {
  family: Family;
  subset: string;
}

/** A character, or a part of it, and where it is drawn. */
interface Shown extends Slice {
  text: string;
}

/** Nothing is drawn for a character that no font has, so it is shown that something stood there. */
const MISSING = '\ufffd';

const sliceOf = (character: string): Slice | null => {
  const point = character.codePointAt(0) ?? 0;
  for (const family of families.filter(({ scripts }) => scripts.test(character))) {
    const range = family.ranges.find(({ start, end }) => start <= point && point <= end);
    if (range) return { family, subset: range.subset };
  }
  return null;
};

/** The character itself, or what it is made of: a subscript two is a two, and a narrow space a space. */
const findShown = (character: string): readonly Shown[] => {
  const spelled = character === '\u202f' ? '\u00a0' : character;
  for (const text of [spelled, spelled.normalize('NFKC'), MISSING]) {
    const parts = Array.from(text, (part) => ({ text: part, slice: sliceOf(part) }));
    const found = parts.flatMap(({ text, slice }) => (slice ? [{ text, ...slice }] : []));
    if (found.length === parts.length) return found;
  }
  return [];
};

/** Gives every character a font that has it. Only the slices that are used are read, and only their used glyphs stay. */
export class PdfFonts {
  private readonly document: PDFKit.PDFDocument;
  private readonly registered = new Set<string>();
  private readonly characters = new Map<string, readonly Shown[]>();

  constructor(document: PDFKit.PDFDocument) {
    this.document = document;
  }

  runs(text: string, isBold: boolean): Run[] {
    const runs: Run[] = [];
    for (const character of text) {
      for (const { text: shown, ...slice } of this.shown(character)) {
        const { font, isThickened } = this.fontOf(slice, isBold);
        const last = runs.at(-1);
        if (last?.font === font && last.isThickened === isThickened) last.text += shown;
        else runs.push({ font, text: shown, isThickened });
      }
    }
    return runs;
  }

  private shown(character: string): readonly Shown[] {
    const known = this.characters.get(character);
    if (known) return known;
    const found = findShown(character);
    this.characters.set(character, found);
    return found;
  }

  private fontOf({ family, subset }: Slice, isBold: boolean): { font: string; isThickened: boolean } {
    const weight = isBold && family.hasBold ? 700 : 400;
    const font = `${family.name}-${subset}-${weight}-normal`;
    if (!this.registered.has(font)) {
      const file = require.resolve(`@fontsource/${family.name}/files/${font}.woff`);
      this.document.registerFont(font, unpackWoff(readFileSync(file)));
      this.registered.add(font);
    }
    return { font, isThickened: isBold && !family.hasBold };
  }
}
