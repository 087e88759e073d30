import { type JsonValue, parseJson } from '@palabre/json';

import type { Attachment } from '../documents/attachments/attachments.service.js';

/** A part in the message's row. The message's text is not repeated in it. */
export type StoredPart =
  /** The message's text. At most one part a message. */
  | { type: 'text' }
  | { type: 'reasoning'; text: string }
  /** The JSON value of the message's text. */
  | { type: 'data' };

export interface AttachedPart {
  type: 'image' | 'file';
  attachment: Attachment;
}

/** A complete part of a message. */
export type MessagePart = SaidPart | AttachedPart;

type SaidPart =
  { type: 'text'; text: string } | { type: 'reasoning'; text: string } | { type: 'data'; value: JsonValue };

/** A message's parts, in order. A row without parts has only its text. */
export function partsOf({ parts, text }: { parts: StoredPart[] | null; text: string }): SaidPart[] {
  return (parts ?? [{ type: 'text' }]).map((part) => {
    if (part.type === 'text') return { type: 'text', text };
    return part.type === 'data' ? { type: 'data', value: valueIn(text) } : part;
  });
}

const FENCE = '```';

/** The JSON value of a text, which may be one Markdown code block. Null: not JSON, or the JSON is null. */
export function valueIn(text: string): JsonValue {
  const whole = text.trim();
  const isFenced = whole.startsWith(FENCE) && whole.endsWith(FENCE) && whole.includes('\n');
  const written = isFenced ? whole.slice(whole.indexOf('\n'), -FENCE.length) : whole;
  return parseJson(written) as JsonValue;
}
