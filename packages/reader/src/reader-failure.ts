import type { DocumentFormat } from './format/formats.js';
import { DocumentRefused } from './parsed-document.js';
import { remark, type Remark } from './remarks.js';

const OUT_OF_MEMORY =
  /allocation failed|out of memory|invalid (?:string|array|typed array|array buffer) length/i;

/** The refusal for people when a reader fails. The cause is for the log. */
export function refusalOf(cause: unknown, format: DocumentFormat | null): DocumentRefused {
  return cause instanceof DocumentRefused ? cause : new DocumentRefused(reasonOf(cause, format), { cause });
}

function reasonOf(cause: unknown, format: DocumentFormat | null): Remark {
  const message = cause instanceof Error ? cause.message : String(cause);
  const isRange = cause instanceof Error && cause.name === 'RangeError';
  if (isRange && /call stack/i.test(message)) return remark('NESTED_TOO_DEEP');
  if (OUT_OF_MEMORY.test(message)) return remark('TOO_MUCH_MEMORY');
  return format === null ? remark('DAMAGED') : remark('DAMAGED_FORMAT', { format: format.toUpperCase() });
}
