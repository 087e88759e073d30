/** What a file turned out to be. */
export const documentFormats = [
  'pdf',
  'docx',
  'xlsx',
  'pptx',
  'odt',
  'ods',
  'odp',
  'rtf',
  'html',
  'markdown',
  'csv',
  'text',
] as const;
export type DocumentFormat = (typeof documentFormats)[number];

export type TextFormat = Extract<DocumentFormat, 'html' | 'markdown' | 'csv' | 'text'>;
export type BinaryFormat = Exclude<DocumentFormat, TextFormat>;

/** A part of a document that stands by itself: a page, a slide, a sheet, or some of a text that has no pages. */
export interface ParsedPage {
  /** From 1; null: the document has no pages. */
  number: number | null;
  /** Headings, lists and tables as Markdown, with blank lines between blocks; may be empty. */
  markdown: string;
}

/** What a document is, told when all its pages were given. */
export interface ParsedSummary {
  format: DocumentFormat;
  /** As the bytes say. */
  mediaType: string;
  /** Null: it has none. */
  pages: number | null;
  /** What was lost or is doubtful, for people, in English sentences; at most 20. */
  warnings: string[];
}

/** Why a document cannot be read. `message` is for people: what is the matter, and what they can do. */
export class DocumentRefused extends Error {
  override readonly name = 'DocumentRefused';
}
