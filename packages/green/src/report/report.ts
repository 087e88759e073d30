/**
 * A report before it is a file: words only, in the reader's language, and plain data, so that it can be handed to a
 * thread. Whatever is to be read stands here; the renderers add nothing but looks.
 */
export interface Report {
  /** BCP 47. */
  language: string;
  title: string;
  /** What kind of report it is. */
  subtitle: string;
  company: string;
  /** When it was made, in words. */
  date: string;
  /** What a clock showed then: see Calendar. */
  day: Date;
  createdAt: Date;
  /** What each page is called, with `{page}` and `{pages}`. */
  pageLabel: string;
  /** What the cover tells besides. */
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

/** A number that is to be seen from afar. At most four stand in a row. */
export interface Figure extends Fact {
  detail: string;
}

export interface Table {
  columns: readonly Column[];
  /** As many cells as there are columns. */
  rows: readonly (readonly string[])[];
  /** A last row that sums the others up. */
  total?: readonly string[];
}

export interface Column {
  title: string;
  /** Its share of the width, against those of the others. */
  weight: number;
  isNumber?: boolean;
}

export interface Source {
  text: string;
  /** Only http and https become links. */
  url: string | null;
}

/** Bars beside each other on one scale, or one bar made of its parts. */
export interface Chart {
  kind: 'bars' | 'parts';
  /** Where the scale ends; null: at the largest value. */
  maximum: number | null;
  values: readonly ChartValue[];
}

export interface ChartValue {
  label: string;
  value: number;
  /** The value as it is written beside its bar. */
  text: string;
}

export const reportFormats = ['docx', 'pdf'] as const;
export type ReportFormat = (typeof reportFormats)[number];

export interface RenderedReport {
  format: ReportFormat;
  content: Uint8Array<ArrayBuffer>;
  /** Null: the program that opens it decides. */
  pages: number | null;
}

/** The address of a source if it leads to a page. */
export function linkOf({ url }: Source): string | null {
  const parsed = url === null ? null : URL.parse(url);
  return parsed && ['http:', 'https:'].includes(parsed.protocol) ? parsed.href : null;
}
