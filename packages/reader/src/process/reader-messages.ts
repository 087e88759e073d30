import { z } from 'zod';

import { MAX_PIECE_CHARACTERS } from './page-pieces.js';
import { documentFormats } from '../parsed-document.js';

/** The longest line. JSON escapes make a piece longer. */
export const MAX_LINE_BYTES = 8 * MAX_PIECE_CHARACTERS;

/** The limit of a sentence for people. */
const MAX_CHARACTERS = 1000;

const Summary = z.object({
  format: z.enum(documentFormats),
  mediaType: z.string().max(200),
  pages: z.int().min(0).nullable(),
  warnings: z.array(z.string().max(MAX_CHARACTERS)).max(20),
});

/** The messages of the reading process, one JSON object per line. */
export const ReaderMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('page'),
    number: z.int().min(1).nullable(),
    markdown: z.string().max(MAX_PIECE_CHARACTERS),
  }),
  z.object({ type: z.literal('end'), summary: Summary }),
  z.object({
    type: z.literal('refused'),
    /** For people. */
    message: z.string().max(MAX_CHARACTERS),
    /** For the log, if a reader failed. */
    detail: z.string().max(4000).nullable(),
  }),
]);
export type ReaderMessage = z.infer<typeof ReaderMessage>;

/** The first message to the process, before the bytes of the file. */
export interface ReaderOrder {
  /** As uploaded. */
  name: string;
}
