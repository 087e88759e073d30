import { type DocumentFormat, DocumentRefused } from './parsed-document.js';

const formatsInWords: Record<DocumentFormat, string> = {
  pdf: 'PDF',
  docx: 'Word document',
  xlsx: 'Excel workbook',
  pptx: 'PowerPoint presentation',
  odt: 'OpenDocument text',
  ods: 'OpenDocument spreadsheet',
  odp: 'OpenDocument presentation',
  rtf: 'RTF document',
  html: 'web page',
  markdown: 'Markdown text',
  csv: 'table of separated values',
  text: 'text',
};

function damaged(what: string): string {
  return `The file is damaged or not ${what}. Open it in its program, save it again and upload that.`;
}

export const DAMAGED = damaged('what its name says');

export const TAKES_TOO_MUCH_MEMORY =
  'Reading the file takes too much memory. Split it into smaller files, or save it without its pictures, and upload that.';

const NESTED_TOO_DEEP =
  'The parts of the file are nested too deep to be read. Open it in its program, save it again and upload that.';

const OUT_OF_MEMORY =
  /allocation failed|out of memory|invalid (?:string|array|typed array|array buffer) length/i;

/** The refusal for people when a reader fails. The cause is for the log. */
export function refusalOf(cause: unknown, format: DocumentFormat | null): DocumentRefused {
  return cause instanceof DocumentRefused ? cause : new DocumentRefused(messageOf(cause, format), { cause });
}

function messageOf(cause: unknown, format: DocumentFormat | null): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  const isRange = cause instanceof Error && cause.name === 'RangeError';
  if (isRange && /call stack/i.test(message)) return NESTED_TOO_DEEP;
  if (OUT_OF_MEMORY.test(message)) return TAKES_TOO_MUCH_MEMORY;
  return format === null ? DAMAGED : damaged(`a real ${formatsInWords[format]}`);
}
