import { z } from 'zod';

import type { QuoteFinder } from './quotes.js';
import { shows } from './quotes.js';

const MOST_SUMMARY_CHARACTERS = 2_000;
const MOST_FIGURES = 12;
const MOST_EVIDENCE = 80;
const MOST_QUOTE_CHARACTERS = 400;
const MOST_UNIT_CHARACTERS = 40;

/** As it can be stored: JSON in the database holds neither NUL nor half a character. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

const onOneLine = (text: string): string => storable(text).replaceAll(/\s+/gu, ' ').trim();

const line = (most: number) => z.string().transform(onOneLine).pipe(z.string().min(1).max(most));

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
    .transform((unit) => storable(onOneLine(unit ?? '').slice(0, MOST_UNIT_CHARACTERS)).trim()),
  page: Page,
  quote: line(MOST_QUOTE_CHARACTERS),
});

const Evidence = z.object({ code: line(12), page: Page, quote: line(MOST_QUOTE_CHARACTERS) });

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
export const verifiedFindings = (
  input: unknown,
  quotes: QuoteFinder,
  codes: ReadonlySet<string>,
): Findings | null => {
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
      .slice(0, MOST_FIGURES),
    esg: each(Evidence, esg)
      .filter(({ code }) => codes.has(code))
      .flatMap((evidence) => onItsPage(evidence, quotes))
      .slice(0, MOST_EVIDENCE),
  };
};

/** Paragraphs without blank lines, and within bounds. */
export const shortSummary = (text: string): string => {
  const tidy = storable(text)
    .split('\n')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .join('\n');
  return tidy.length <= MOST_SUMMARY_CHARACTERS
    ? tidy
    : `${storable(tidy.slice(0, MOST_SUMMARY_CHARACTERS - 1)).trimEnd()}…`;
};

const each = <Schema extends z.ZodType>(
  schema: Schema,
  list: readonly unknown[] | null | undefined,
): z.output<Schema>[] =>
  (list ?? []).flatMap((one) => {
    const parsed = schema.safeParse(one);
    return parsed.success ? [parsed.data] : [];
  });

const onItsPage = <Quoted extends { quote: string; page: number | null }>(
  quoted: Quoted,
  quotes: QuoteFinder,
): Quoted[] => {
  const found = quotes.find(quoted.quote, quoted.page);
  return found ? [{ ...quoted, page: found.page }] : [];
};
