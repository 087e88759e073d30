import type { DocumentRefused, ParsedSummary } from '../parsed-document.js';
import type { ReaderMessage } from './reader-messages.js';

export const MAX_WARNINGS = 20;
const MAX_CHARACTERS = 1000;
const MAX_DETAIL_CHARACTERS = 4000;

/** The last message of a document that was read, cut to the protocol's limits. */
export function endMessage({ warnings, ...summary }: ParsedSummary): ReaderMessage {
  const told = warnings.length <= MAX_WARNINGS ? warnings : warnings.slice(0, MAX_WARNINGS - 1);
  const untold = warnings.length - told.length;
  const rest = untold === 0 ? [] : [`There are ${untold} more warnings.`];
  return {
    type: 'end',
    summary: { ...summary, warnings: [...told.map((warning) => cut(warning, MAX_CHARACTERS)), ...rest] },
  };
}

/** The last message of a document that could not be read. */
export function refusedMessage({ message, cause }: DocumentRefused): ReaderMessage {
  return {
    type: 'refused',
    message: cut(message, MAX_CHARACTERS),
    detail: cause === undefined ? null : cut(detailOf(cause), MAX_DETAIL_CHARACTERS),
  };
}

function detailOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}

function cut(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters - 1)}…`;
}
