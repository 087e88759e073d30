import { z } from 'zod';
import { withPlainTables } from '@palabre/text';

import type { AnalysisPiece } from '../../documents/analysis/analysis.repository.js';
import type { PageText } from './piece-text.js';
import { wellFormed } from '../../common/well-formed.js';

const MAX_SUMMARY_CHARACTERS = 2_000;
const MAX_FIGURES = 12;
const MAX_EVIDENCE = 80;
const MAX_QUOTE_CHARACTERS = 400;
const MAX_UNIT_CHARACTERS = 40;

function onOneLine(text: string): string {
  return wellFormed(text).replaceAll(/\s+/gu, ' ').trim();
}

function line(most: number) {
  return z.string().transform(onOneLine).pipe(z.string().min(1).max(most));
}

/** A model's quote from a table, without table marks. */
const Quote = z
  .string()
  .transform((text) => withPlainTables(text))
  .pipe(line(MAX_QUOTE_CHARACTERS));

/** Models write numbers as text or as numbers. */
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
    .transform((unit) => wellFormed(onOneLine(unit ?? '').slice(0, MAX_UNIT_CHARACTERS)).trim()),
  page: Page,
  quote: Quote,
});

const Evidence = z.object({ code: line(12), page: Page, quote: Quote });

/** The stored findings of a piece. Each quote is verified. */
export const Findings = z.object({
  summary: z.string(),
  figures: z.array(Figure),
  evidence: z.array(Evidence),
});
export type Findings = z.output<typeof Findings>;

const EarlierEvidence = z.looseObject({ esg: z.unknown() });

/** Old rows store evidence as `esg`, once the only package of indicators. */
const StoredFindings = z.preprocess((stored) => {
  const earlier = EarlierEvidence.safeParse(stored);
  return earlier.success ? { evidence: earlier.data.esg, ...earlier.data } : stored;
}, Findings);

// Far more than is kept. Longer lists are endless repetitions.
const GivenEvidence = z.array(z.unknown()).max(400).nullish();

const Given = z.looseObject({
  summary: z.string(),
  figures: z.array(z.unknown()).max(200).nullish(),
});

/** The valid parts of a model's findings. One whose quote is not in the text is dropped. Null: nothing usable. */
export function verifiedFindings(
  input: unknown,
  quotes: QuoteFinder,
  lookedFor: { focus: string; indicators: readonly { code: string }[] } | null,
): Findings | null {
  const given = Given.safeParse(input);
  if (!given.success) return null;
  const { summary, figures } = given.data;
  const evidence = GivenEvidence.safeParse(lookedFor && given.data[lookedFor.focus]);
  if (!evidence.success) return null;
  const codes = new Set(lookedFor?.indicators.map(({ code }) => code));
  const text = shortSummary(summary);
  if (text === '') return null;
  return {
    summary: text,
    figures: each(Figure, figures)
      .filter(({ quote, value }) => shows(quote, value))
      .flatMap((figure) => onItsPage(figure, quotes))
      .slice(0, MAX_FIGURES),
    evidence: each(Evidence, evidence.data)
      .filter(({ code }) => codes.has(code))
      .flatMap((evidence) => onItsPage(evidence, quotes))
      .slice(0, MAX_EVIDENCE),
  };
}

/** Paragraphs without blank lines, cut to the limit. */
export function shortSummary(text: string): string {
  const tidy = wellFormed(text)
    .split('\n')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .join('\n');
  return tidy.length <= MAX_SUMMARY_CHARACTERS
    ? tidy
    : `${wellFormed(tidy.slice(0, MAX_SUMMARY_CHARACTERS - 1)).trimEnd()}…`;
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

/** After this many useless answers the piece is given up. */
const MAX_FAILURES = 2;

const Summed = z.object({ summary: z.string() });

/** Whether the piece still needs work. */
export function isOpen({ findings, failures }: AnalysisPiece): boolean {
  return findings === null && failures < MAX_FAILURES;
}

/** The summary of a piece of any level. Null: given up. */
export function summaryOf({ findings }: AnalysisPiece): string | null {
  return Summed.safeParse(findings).data?.summary ?? null;
}

/** The findings of a piece that was read. Null: given up. */
export function findingsOf({ findings }: AnalysisPiece): Findings | null {
  return StoredFindings.safeParse(findings).data ?? null;
}

/** The characters that are compared: letters and digits in any form, and signs that change a number. */
const compared = /[\p{L}\p{N}%‰€$£°]|(?<=\p{N})[.,/-](?=\p{N})/gu;

export function comparable(text: string): string {
  return (text.normalize('NFKC').toLowerCase().match(compared) ?? []).join('');
}

/** Shorter quotes match by chance. */
const FEWEST = 6;

/** Finds a quote in a text. Ignores typography, Markdown, line breaks and blanks. */
export class QuoteFinder {
  private readonly text: string;
  private readonly parts: { page: number | null; start: number; end: number }[] = [];

  constructor(pages: readonly PageText[]) {
    let text = '';
    for (const { page, text: own } of pages) {
      const start = text.length;
      text += comparable(own);
      this.parts.push({ page, start, end: text.length });
    }
    this.text = text;
  }

  /** The place on the named page, or on any page if none is named. Null: not found. */
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

/** Whether a quote has all digits of a value, in order. */
export function shows(quote: string, value: string): boolean {
  const wanted = comparable(value).match(digits);
  return (
    wanted !== null &&
    comparable(quote)
      .replaceAll(/[^\p{N}]/gu, '')
      .includes(wanted.join(''))
  );
}
