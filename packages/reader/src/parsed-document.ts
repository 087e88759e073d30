import type { DocumentFormat } from './format/formats.js';
import { inEnglish, type Remark } from './remarks.js';

export type TextFormat = Extract<DocumentFormat, 'html' | 'markdown' | 'csv' | 'text'>;
export type BinaryFormat = Exclude<DocumentFormat, TextFormat>;

/** A page, a slide, a sheet, or a part of a text without pages. */
export interface ParsedPage {
  /** From 1; null: the document has no pages. */
  number: number | null;
  /** Headings, lists and tables as Markdown, with blank lines between blocks; may be empty. */
  markdown: string;
}

/** Returned after all pages. */
export interface ParsedSummary {
  format: DocumentFormat;
  /** Detected from the bytes. */
  mediaType: string;
  /** Null: it has none. */
  pages: number | null;
  /** What was lost or is doubtful, for people; at most 20. */
  warnings: Remark[];
}

/** The document cannot be read. `remarks` tell people what is wrong and what they can do; `message` is them in English. */
export class DocumentRefused extends Error {
  override readonly name = 'DocumentRefused';
  readonly remarks: readonly Remark[];

  constructor(remarks: Remark | readonly Remark[], options?: ErrorOptions) {
    const all = 'code' in remarks ? [remarks] : remarks;
    super(all.map(inEnglish).join(' '), options);
    this.remarks = all;
  }
}
