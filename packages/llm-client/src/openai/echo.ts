import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '@palabre/json';

import type { Echo } from '../chat-model.js';

/** For one step. A longer echo costs more than it is worth, in every later prompt and in the database. */
export const MAX_ECHO_BYTES = 256 * 1024;

/** What came with a step that its model may want back, under the names that it came by. */
export interface EchoContent {
  reasoning_content?: string | undefined;
  reasoning_details?: JsonObject[] | undefined;
  extra_content?: JsonObject | undefined;
  /** By the id of the call that it came with. */
  calls?: [id: string, extra: JsonObject][] | undefined;
  /** Of a response: what it was made of, in its order. */
  items?: EchoedItem[] | undefined;
}

const echoedItem = z.discriminatedUnion('type', [
  // An encrypted item, or its words, as they came.
  z.object({ type: z.literal('thoughts'), item: z.custom<JsonObject>(isJsonObject) }),
  // What was said; the words stand in the message.
  z.object({ type: z.literal('text'), phase: z.enum(['commentary', 'final_answer']).optional() }),
  z.object({ type: z.literal('call'), id: z.string() }),
]);
/** One of the items that a response was made of. */
export type EchoedItem = z.infer<typeof echoedItem>;

/** Who made a step. At another address the same name may be another model, which cannot read the echo. */
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

/** Null: there is none, or it is not for the model that is asked. */
export function readEcho(echo: Echo | undefined, { provider, model }: Origin): EchoContent | null {
  if (!echo || echo.model !== model) return null;
  const { success, data } = written.safeParse(parseJson(echo.data));
  return success && data.provider === provider ? data : null;
}

/** What one chunk brings that its model may want back; what its calls bring goes with these. */
export interface EchoPieces {
  reasoningContent: string;
  reasoningDetails: JsonObject[];
  /** Beside the text: the signature of what was said. */
  extra: JsonObject | null;
}

/** Collects what a model may want back with a step, while it streams. */
export class EchoCollector {
  private readonly details = new ReasoningDetails();
  private reasoningContent = '';
  private extra: JsonObject | null = null;

  add({ reasoningContent, reasoningDetails, extra }: EchoPieces): void {
    this.reasoningContent += reasoningContent;
    this.details.add(reasoningDetails);
    if (extra) this.extra = { ...this.extra, ...extra };
  }

  /** Null where nothing came. `extras`: what came with each of the calls. */
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

/** Details that stream in pieces, with the key that holds the text. Encrypted ones come whole. */
const TEXT_KEYS: Readonly<Record<string, string>> = {
  'reasoning.text': 'text',
  'reasoning.summary': 'summary',
};

/**
 * Joins OpenRouter's `reasoning_details`, which a stream brings in pieces: a signature is one of the whole text, and
 * fits no piece of it.
 */
export class ReasoningDetails {
  readonly whole: JsonObject[] = [];

  /** Takes those of one chunk. Without an index two of them are two, while one may go on with the last of a chunk before. */
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

/** Written in place: there may be a piece for every word. */
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
