import { z } from 'zod';
import { withPlainTables } from '@palabre/text';

import type { AnalysisPiece } from '../../documents/analysis/analysis.repository.js';
import type { PageText } from './piece-text.js';

const MAX_SUMMARY_CHARACTERS = 2_000;
const MAX_FIGURES = 12;
const MAX_EVIDENCE = 80;
const MAX_QUOTE_CHARACTERS = 400;
const MAX_UNIT_CHARACTERS = 40;

/** As it can be stored: JSON in the database holds neither NUL nor half a character. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function onOneLine(text: string): string {
  return storable(text).replaceAll(/\s+/gu, ' ').trim();
}

function line(most: number) {
  return z.string().transform(onOneLine).pipe(z.string().min(1).max(most));
}

/** What a model takes from a table is shown without its signs. */
const Quote = z
  .string()
  .transform((text) => withPlainTables(text))
  .pipe(line(MAX_QUOTE_CHARACTERS));

/** Models write numbers as they come. */
const Value = z.union([z.string(), z.number().transform(String)]).pipe(line(60));
const Page = z
  .union([
    z.int().min(1),
    z
      .string()
      .regex(/^\d{1,6}$/)
      .transform(Number),
  ])
  .nullish()
  .catch(null)
  .transform((page) => page ?? null);

const Figure = z.object({
  label: line(160),
  value: Value,
  unit: z
    .string()
    .nullish()
    .transform((unit) => storable(onOneLine(unit ?? '').slice(0, MAX_UNIT_CHARACTERS)).trim()),
  page: Page,
  quote: Quote,
});

const Evidence = z.object({ code: line(12), page: Page, quote: Quote });

/** What a piece of a document says: as it is stored, each quote of it checked. */
export const Findings = z.object({
  summary: z.string(),
  figures: z.array(Figure),
  esg: z.array(Evidence),
});
export type Findings = z.output<typeof Findings>;

const Given = z.object({
  summary: z.string(),
  // Far more than are kept: a list without end is no list.
  figures: z.array(z.unknown()).max(200).nullish(),
  esg: z.array(z.unknown()).max(400).nullish(),
});

/** What holds of what a model gave, each by itself: what cannot be shown in the text is left out. Null: no use at all. */
export function verifiedFindings(
  input: unknown,
  quotes: QuoteFinder,
  codes: ReadonlySet<string>,
): Findings | null {
  const given = Given.safeParse(input);
  if (!given.success) return null;
  const { summary, figures, esg } = given.data;
  const text = shortSummary(summary);
  if (text === '') return null;
  return {
    summary: text,
    figures: each(Figure, figures)
      .filter(({ quote, value }) => shows(quote, value))
      .flatMap((figure) => onItsPage(figure, quotes))
      .slice(0, MAX_FIGURES),
    esg: each(Evidence, esg)
      .filter(({ code }) => codes.has(code))
      .flatMap((evidence) => onItsPage(evidence, quotes))
      .slice(0, MAX_EVIDENCE),
  };
}

/** Paragraphs without blank lines, and within bounds. */
export function shortSummary(text: string): string {
  const tidy = storable(text)
    .split('\n')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .join('\n');
  return tidy.length <= MAX_SUMMARY_CHARACTERS
    ? tidy
    : `${storable(tidy.slice(0, MAX_SUMMARY_CHARACTERS - 1)).trimEnd()}…`;
}

function each<Schema extends z.ZodType>(
  schema: Schema,
  list: readonly unknown[] | null | undefined,
): z.output<Schema>[] {
  return (list ?? []).flatMap((one) => {
    const parsed = schema.safeParse(one);
    return parsed.success ? [parsed.data] : [];
  });
}

function onItsPage<Quoted extends { quote: string; page: number | null }>(
  quoted: Quoted,
  quotes: QuoteFinder,
): Quoted[] {
  const found = quotes.find(quoted.quote, quoted.page);
  return found ? [{ ...quoted, page: found.page }] : [];
}

/** After so many useless answers the model is not asked for the piece again. */
const MAX_FAILURES = 2;

const Summed = z.object({ summary: z.string() });

/** Whether there is still something to be done for it. */
export function isOpen({ findings, failures }: AnalysisPiece): boolean {
  return findings === null && failures < MAX_FAILURES;
}

/** Of a piece of any level; null: it was given up. */
export function summaryOf({ findings }: AnalysisPiece): string | null {
  return Summed.safeParse(findings).data?.summary ?? null;
}

/** Of a piece that was read; null: it was given up. */
export function findingsOf({ findings }: AnalysisPiece): Findings | null {
  return Findings.safeParse(findings).data ?? null;
}

/** What is compared of a text: letters and digits, however they are written, and what makes a number another one. */
const compared = /[\p{L}\p{N}%‰€$£°]|(?<=\p{N})[.,/-](?=\p{N})/gu;

export function comparable(text: string): string {
  return (text.normalize('NFKC').toLowerCase().match(compared) ?? []).join('');
}

/** Shorter quotes match by chance. */
const FEWEST = 6;

interface Part {
  page: number | null;
  start: number;
  end: number;
}

/** Tells whether words stand in a text, and where. Typography, marks of Markdown, breaks and blanks make no difference. */
export class QuoteFinder {
  private readonly text: string;
  private readonly parts: Part[] = [];

  constructor(pages: readonly PageText[]) {
    let text = '';
    for (const { page, text: own } of pages) {
      const start = text.length;
      text += comparable(own);
      this.parts.push({ page, start, end: text.length });
    }
    this.text = text;
  }

  /** If it does on the page that is named for it, or on any where none is; else null. */
  find(quote: string, named: number | null): { page: number | null } | null {
    const wanted = comparable(quote);
    if (wanted.length < FEWEST) return null;
    for (let at = this.text.indexOf(wanted); at >= 0; at = this.text.indexOf(wanted, at + 1)) {
      const touched = this.parts.filter(({ start, end }) => start < at + wanted.length && end > at);
      const pages = touched.map(({ page }) => page);
      if (named === null || pages.every((page) => page === null)) return { page: pages[0] ?? null };
      if (pages.includes(named)) return { page: named };
    }
    return null;
  }
}

const digits = /\p{N}+/gu;

/** Whether all digits of a value stand in the words that are to show it, in their order. */
export function shows(quote: string, value: string): boolean {
  const wanted = comparable(value).match(digits);
  return (
    wanted !== null &&
    comparable(quote)
      .replaceAll(/[^\p{N}]/gu, '')
      .includes(wanted.join(''))
  );
}
