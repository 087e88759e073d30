import { z } from 'zod';

import { documentFormats } from '../format/formats.js';
import type { DocumentRefused, ParsedSummary } from '../parsed-document.js';
import { MAX_PIECE_CHARACTERS } from './frames.js';
import { remark, type Remark, type RemarkCode, sentences } from '../remarks.js';

/** The limit of a value in a sentence for people. */
const MAX_VALUE_CHARACTERS = 300;
const MAX_DETAIL_CHARACTERS = 4000;
const MAX_WARNINGS = 20;

const RemarkMessage = z.object({
  code: z.custom<RemarkCode>((code) => typeof code === 'string' && Object.hasOwn(sentences, code)),
  values: z.record(z.string().max(50), z.union([z.number(), z.string().max(MAX_VALUE_CHARACTERS)])),
});

const Summary = z.object({
  format: z.enum(documentFormats),
  mediaType: z.string().max(200),
  pages: z.int().min(0).nullable(),
  warnings: z.array(RemarkMessage).max(MAX_WARNINGS),
});

/** The messages of the reading process, each a frame of JSON. */
export const ReaderMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('page'),
    number: z.int().min(1).nullable(),
    markdown: z.string().max(MAX_PIECE_CHARACTERS),
  }),
  z.object({ type: z.literal('end'), summary: Summary }),
  z.object({
    type: z.literal('refused'),
    remarks: z.array(RemarkMessage).min(1).max(MAX_WARNINGS),
    /** For the log, if a reader failed. */
    detail: z.string().max(MAX_DETAIL_CHARACTERS).nullable(),
  }),
]);
export type ReaderMessage = z.infer<typeof ReaderMessage>;

/** The first message to the process, before the bytes of the file. */
export interface ReaderOrder {
  /** As uploaded. */
  name: string;
}

/** The last message of a document that was read, cut to the protocol's limits. */
export function endMessage({ warnings, ...summary }: ParsedSummary): ReaderMessage {
  const told = warnings.length <= MAX_WARNINGS ? warnings : warnings.slice(0, MAX_WARNINGS - 1);
  const untold = warnings.length - told.length;
  const rest = untold === 0 ? [] : [remark('MORE_WARNINGS', { count: untold })];
  return { type: 'end', summary: { ...summary, warnings: [...told, ...rest].map(fitting) } };
}

/** The last message of a document that could not be read. */
export function refusedMessage({ remarks, cause }: DocumentRefused): ReaderMessage {
  return {
    type: 'refused',
    remarks: remarks.map(fitting),
    detail: cause === undefined ? null : cut(detailOf(cause), MAX_DETAIL_CHARACTERS),
  };
}

/** With values that the protocol and databases take. */
function fitting({ code, values }: Remark): Remark {
  const fitted = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'number' ? value : cut(value.toWellFormed(), MAX_VALUE_CHARACTERS),
  ]);
  return remark(code, Object.fromEntries(fitted));
}

function detailOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}

function cut(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters - 1)}…`;
}
