/**
 * A report before it is a file: plain data with all texts in the reader's language, so that it can be sent to a
 * thread. Renderers add the layout only.
 */
export interface Report {
  /** BCP 47. */
  language: string;
  title: string;
  /** The kind of report. */
  subtitle: string;
  company: string;
  /** The date of creation, in words. */
  date: string;
  /** The local day: see Calendar. */
  day: Date;
  createdAt: Date;
  /** The label of each page, with `{page}` and `{pages}`. */
  pageLabel: string;
  facts: readonly Fact[];
  blocks: readonly Block[];
}

export interface Fact {
  label: string;
  value: string;
}

export type Block =
  | { type: 'heading'; level: 1 | 2; text: string }
  | { type: 'paragraph'; text: string }
  | { type: 'list'; items: readonly string[] }
  | { type: 'facts'; facts: readonly Fact[] }
  | { type: 'figures'; figures: readonly Figure[] }
  | { type: 'note'; tone: 'plain' | 'caution'; text: string }
  | ({ type: 'table' } & Table)
  | { type: 'chart'; title: string; chart: Chart }
  | { type: 'sources'; sources: readonly Source[] };

export type BlockOf<Type extends Block['type']> = Extract<Block, { type: Type }>;

/** A large number. At most four are in a row. */
export interface Figure extends Fact {
  detail: string;
}

export interface Table {
  columns: readonly Column[];
  /** One cell a column. */
  rows: readonly (readonly string[])[];
  /** A last row with sums. */
  total?: readonly string[];
}

export interface Column {
  title: string;
  /** Its share of the width, relative to the others. */
  weight: number;
  isNumber?: boolean;
}

export interface Source {
  text: string;
  /** Only http and https become links. */
  url: string | null;
}

/** Bars side by side on one scale. */
export interface Chart {
  /** The end of the scale. Null: the largest value. */
  maximum: number | null;
  values: readonly ChartValue[];
}

export interface ChartValue {
  label: string;
  value: number;
  /** The value as written beside its bar. */
  text: string;
}

export const reportFormats = ['docx', 'pdf'] as const;
export type ReportFormat = (typeof reportFormats)[number];

export interface RenderedReport {
  format: ReportFormat;
  content: Uint8Array<ArrayBuffer>;
  /** Null: the program that opens the file decides. */
  pages: number | null;
}

/** The address of a source, if it is a web page. */
export function linkOf({ url }: Source): string | null {
  const parsed = url === null ? null : URL.parse(url);
  return parsed && ['http:', 'https:'].includes(parsed.protocol) ? parsed.href : null;
}
