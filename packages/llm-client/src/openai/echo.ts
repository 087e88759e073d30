import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '@palabre/json';

import type { Echo } from '../chat-model.js';

/** The limit for one step. A longer echo costs too much in later prompts and in the database. */
export const MAX_ECHO_BYTES = 256 * 1024;

/** Data of a step that its model may need back, under its original names. */
export interface EchoContent {
  reasoning_content?: string | undefined;
  reasoning_details?: JsonObject[] | undefined;
  extra_content?: JsonObject | undefined;
  /** By call id. */
  calls?: [id: string, extra: JsonObject][] | undefined;
  /** For a response: its items, in order. */
  items?: EchoedItem[] | undefined;
}

const echoedItem = z.discriminatedUnion('type', [
  // An encrypted or plain item, as it came.
  z.object({ type: z.literal('thoughts'), item: z.custom<JsonObject>(isJsonObject) }),
  // A text. Its words are in the message.
  z.object({ type: z.literal('text'), phase: z.enum(['commentary', 'final_answer']).optional() }),
  z.object({ type: z.literal('call'), id: z.string() }),
]);
export type EchoedItem = z.infer<typeof echoedItem>;

/** The model of a step. The same name at another address may be another model, which cannot read the echo. */
export interface Origin {
  provider: string;
  model: string;
}

export const jsonObject = z.custom<JsonObject>(isJsonObject);

const written = z.object({
  provider: z.string(),
  reasoning_content: z.string().optional(),
  reasoning_details: z.array(jsonObject).optional(),
  extra_content: jsonObject.optional(),
  calls: z.array(z.tuple([z.string(), jsonObject])).optional(),
  items: z.array(echoedItem).optional(),
});

export function writeEcho(content: EchoContent, { provider, model }: Origin): Echo {
  return {
    model,
    data: JSON.stringify({ provider, ...content }),
  };
}

/** Null: there is no echo for this model. */
export function readEcho(echo: Echo | undefined, { provider, model }: Origin): EchoContent | null {
  if (!echo || echo.model !== model) return null;
  const { success, data } = written.safeParse(parseJson(echo.data));
  return success && data.provider === provider ? data : null;
}

/** The echo of a chunk, apart from that of its calls. */
export interface EchoPieces {
  reasoningContent: string;
  reasoningDetails: JsonObject[];
  /** The signature of a text. */
  extra: JsonObject | null;
}

/** Collects the echo of a step while it streams. */
export class EchoCollector {
  private readonly details = new ReasoningDetails();
  private reasoningContent = '';
  private extra: JsonObject | null = null;

  add({ reasoningContent, reasoningDetails, extra }: EchoPieces): void {
    this.reasoningContent += reasoningContent;
    this.details.add(reasoningDetails);
    if (extra) this.extra = { ...this.extra, ...extra };
  }

  /** Null: no echo. `extras`: the extra data of each call. */
  finish(extras: readonly (readonly [id: string, extra: JsonObject | null])[]): EchoContent | null {
    const calls = extras.flatMap(([id, extra]): [string, JsonObject][] => (extra ? [[id, extra]] : []));
    const content: EchoContent = {
      ...(this.reasoningContent !== '' && { reasoning_content: this.reasoningContent }),
      ...(this.details.whole.length > 0 && { reasoning_details: this.details.whole }),
      ...(this.extra && { extra_content: this.extra }),
      ...(calls.length > 0 && { calls }),
    };
    return Object.keys(content).length > 0 ? content : null;
  }
}

/** The text field of details that stream in pieces. Encrypted ones come whole. */
const TEXT_KEYS: Readonly<Record<string, string>> = {
  'reasoning.text': 'text',
  'reasoning.summary': 'summary',
};

/** Joins OpenRouter's streamed `reasoning_details`. A signature covers the whole text, not a piece of it. */
export class ReasoningDetails {
  readonly whole: JsonObject[] = [];

  /** Adds the details of one chunk. Without an index they are different; the first may continue the last one. */
  add(details: readonly JsonObject[]): void {
    const before = this.whole.at(-1);
    for (const [position, piece] of details.entries()) {
      const begun = isNumbered(piece)
        ? this.whole.findLast((known) => goesOn(known, piece))
        : position === 0 && before && goesOn(before, piece)
          ? before
          : undefined;
      if (begun) join(begun, piece);
      else this.whole.push({ ...piece });
    }
  }
}

function isNumbered({ index }: JsonObject): boolean {
  return typeof index === 'number';
}

function goesOn(known: JsonObject, piece: JsonObject): boolean {
  return (
    String(piece['type']) in TEXT_KEYS &&
    known['type'] === piece['type'] &&
    (known['index'] ?? null) === (piece['index'] ?? null) &&
    (isBlank(known['id']) || isBlank(piece['id']) || known['id'] === piece['id'])
  );
}

/** Changes `known` in place, because each word may be a piece. */
function join(known: JsonObject, piece: JsonObject): void {
  const textKey = TEXT_KEYS[String(piece['type'])] ?? 'text';
  for (const [key, value] of Object.entries(piece)) {
    if (key === textKey && typeof value === 'string') known[key] = textOf(known[key]) + value;
    else if (isBlank(known[key])) known[key] = value;
  }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function isBlank(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '';
}
