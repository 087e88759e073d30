import { type JsonValue, parseJson } from '@palabre/json';

import type { Attachment } from '../documents/attachments/attachments.service.js';

/** A part as a message's row holds it. What stands in the message's text is not stored twice. */
export type StoredPart =
  /** The message's text: one part of a message at most. */
  | { type: 'text' }
  | { type: 'reasoning'; text: string }
  /** The value that the message's text is the JSON of. */
  | { type: 'data' };

/** What a question was asked with. */
export interface AttachedPart {
  type: 'image' | 'file';
  attachment: Attachment;
}

/** A part of a message, whole. */
export type MessagePart = SaidPart | AttachedPart;

type SaidPart =
  { type: 'text'; text: string } | { type: 'reasoning'; text: string } | { type: 'data'; value: JsonValue };

/** A message's parts, in order. A row without parts is its text alone. */
export function partsOf({ parts, text }: { parts: StoredPart[] | null; text: string }): SaidPart[] {
  return (parts ?? [{ type: 'text' }]).map((part) => {
    if (part.type === 'text') return { type: 'text', text };
    return part.type === 'data' ? { type: 'data', value: valueIn(text) } : part;
  });
}

const FENCE = '```';

/** The JSON value that a text is, also in a code block of Markdown; null: it is no JSON, or the JSON is null. */
export function valueIn(text: string): JsonValue {
  const whole = text.trim();
  const isFenced = whole.startsWith(FENCE) && whole.endsWith(FENCE) && whole.includes('\n');
  const written = isFenced ? whole.slice(whole.indexOf('\n'), -FENCE.length) : whole;
  return parseJson(written) as JsonValue;
}
