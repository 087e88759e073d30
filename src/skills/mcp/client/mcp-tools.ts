import { setImmediate } from 'node:timers/promises';

import { z } from 'zod';
import { BadSchema } from '@palabre/json-schema';
import { singleLine, withoutAccents } from '@palabre/text';
import type { JsonObject, JsonValue } from '@palabre/json';

import { harmlessSchema, sizeOf, usableSchema } from './tool-schema.js';

const MAX_TOOLS = 500;
const MAX_LISTING_CHARACTERS = 2_000_000;
/** The limit for all schemas together, because all are compiled when the listing is first read. */
const MAX_PARTS = 10_000;
const MAX_PAGES = 100;
const MAX_DESCRIPTION_CHARACTERS = 1_024;
const MAX_NAME_CHARACTERS = 120;
const MAX_KEY_CHARACTERS = 64;
export const MAX_NOTES = 50;

export interface McpTool {
  /** The server's name for it. */
  name: string;
  /** Its name for people. */
  title: string;
  /** One paragraph in the server's own words: data. */
  description: string;
  parameters: JsonObject;
  /** JSON Schema of its structured results. Null: none that is usable. */
  outputSchema: JsonObject | null;
  /** The server's claim that a second call has no further effect, which may be false. */
  saysIdempotent: boolean;
  /** The server's claim that a call changes nothing, which may be false. */
  saysReadOnly: boolean;
}

export interface ToolListing {
  tools: McpTool[];
  /** The unused tools, with reasons for people. */
  notes: string[];
  /** How long the listing is valid according to the server. Null: not stated. */
  ttlMs: number | null;
}

export const ToolPage = z.object({
  tools: z.array(z.unknown()),
  nextCursor: z.string().max(10_000).nullish(),
  ttlMs: z.number().nonnegative().nullish().catch(null),
});
type ToolPage = z.output<typeof ToolPage>;

const Tool = z.object({
  name: z.string().min(1).max(256),
  title: z.string().nullish().catch(null),
  description: z.string().nullish().catch(null),
  inputSchema: z.custom<JsonObject>().nullish(),
  outputSchema: z.record(z.string(), z.custom<JsonValue>()).nullish().catch(null),
  execution: z.object({ taskSupport: z.unknown() }).nullish().catch(null),
  annotations: z
    .object({
      title: z.string().nullish().catch(null),
      readOnlyHint: z.boolean().nullish().catch(null),
      idempotentHint: z.boolean().nullish().catch(null),
    })
    .nullish()
    .catch(null),
});

/** Reads page after page, up to the limits. */
export async function readListing(
  askFor: (cursor: string | undefined) => Promise<ToolPage>,
): Promise<ToolListing> {
  const found: unknown[] = [];
  const asked = new Set<string>();
  let size = 0;
  let cursor: string | undefined;
  let ttlMs: number | null = null;
  let isCut = false;
  for (;;) {
    const page = await askFor(cursor);
    if (cursor === undefined) ttlMs = page.ttlMs ?? null;
    for (const tool of page.tools) {
      size += JSON.stringify(tool)?.length ?? 0;
      isCut ||= found.length === MAX_TOOLS || size > MAX_LISTING_CHARACTERS;
      if (!isCut) found.push(tool);
    }
    cursor = page.nextCursor ?? undefined;
    if (isCut || cursor === undefined || asked.has(cursor) || asked.size === MAX_PAGES) break;
    asked.add(cursor);
  }
  const { tools, notes } = await readTools(found);
  const cut = `Only the first ${found.length} tools are used: there are more, or they are too large.`;
  return { tools, notes: (isCut ? [cut, ...notes] : notes).slice(0, MAX_NOTES), ttlMs };
}

async function readTools(found: readonly unknown[]): Promise<Pick<ToolListing, 'tools' | 'notes'>> {
  const tools = new Map<string, McpTool>();
  const notes: string[] = [];
  let parts = 0;
  for (const [index, given] of found.entries()) {
    if (parts > MAX_PARTS) {
      notes.unshift(`Only the first ${index} tools are used: the schemas of their arguments are too large.`);
      break;
    }
    const read = readTool(given);
    if (typeof read === 'string') notes.push(read);
    else if (tools.has(read.name)) notes.push(`${read.name}: There is another tool of this name.`);
    else {
      tools.set(read.name, read);
      parts += sizeOf(read.parameters);
    }
    // Lets other work run.
    await setImmediate();
  }
  return { tools: [...tools.values()], notes };
}

/** The tool, or the reason for leaving it out. */
function readTool(given: unknown): McpTool | string {
  const parsed = Tool.safeParse(given);
  if (!parsed.success) return 'A tool without a usable name.';
  const { name: told, title, description, inputSchema, outputSchema, annotations, execution } = parsed.data;
  const name = storableText(told);
  if (name !== told) return 'A tool without a usable name.';
  if (execution?.taskSupport === 'required')
    return `${singleLine(name, MAX_NAME_CHARACTERS)}: Its calls have to be tasks, which are not used here.`;
  const shown = singleLine(title ?? annotations?.title ?? '', MAX_NAME_CHARACTERS);
  try {
    return {
      name,
      title: shown || singleLine(name, MAX_NAME_CHARACTERS),
      description: singleLine(description ?? '', MAX_DESCRIPTION_CHARACTERS) || shown || name,
      parameters: usableSchema(storable(inputSchema ?? { type: 'object' })),
      outputSchema: outputSchema ? outputSchemaOf(outputSchema) : null,
      saysIdempotent: annotations?.readOnlyHint === true || annotations?.idempotentHint === true,
      saysReadOnly: annotations?.readOnlyHint === true,
    };
  } catch (error) {
    if (error instanceof BadSchema) return `${singleLine(name, MAX_NAME_CHARACTERS)}: ${error.message}`;
    throw error;
  }
}

/** The output schema. Null: unusable. */
function outputSchemaOf(schema: JsonObject): JsonObject | null {
  try {
    return harmlessSchema(storable(schema));
  } catch (error) {
    if (error instanceof BadSchema) return null;
    throw error;
  }
}

/** Removes NUL and lone surrogates, which PostgreSQL cannot store. Throws BadSchema for names with them. */
function storable(value: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(value), (name, item: unknown) => {
    if (name !== storableText(name)) throw new BadSchema('Its schemas have a name that is not text.');
    return typeof item === 'string' ? storableText(item) : item;
  }) as JsonObject;
}

function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/**
 * The keys of a server's tools by name: `server__tool`, shortened to fit, with a number to distinguish duplicates.
 * The order of tools does not matter. `server` contains no `__`, so servers never collide. `kept`: keys of earlier
 * tools, which stay theirs, so that no tool inherits another's switches.
 */
export function keysOf(
  server: string,
  names: readonly string[],
  kept: ReadonlyMap<string, string> = new Map(),
): Map<string, string> {
  const keys = new Map<string, string>();
  const taken = new Set(kept.values());
  const isAsItIs = (name: string): boolean => keyOf(server, name, '') === `${server}__${name}`;
  // A name that needs no change keeps its form.
  const ordered = names.toSorted((a, b) => Number(isAsItIs(b)) - Number(isAsItIs(a)) || (a < b ? -1 : 1));
  const freeFor = (name: string): string => {
    let key = keyOf(server, name, '');
    for (let number = 2; taken.has(key); number += 1) key = keyOf(server, name, `_${number}`);
    return key;
  };
  for (const name of ordered) {
    const key = kept.get(name) ?? freeFor(name);
    taken.add(key);
    keys.set(name, key);
  }
  return keys;
}

function keyOf(server: string, name: string, ending: string): string {
  const fit = withoutAccents(name).replaceAll(/[^A-Za-z0-9_-]+/g, '_');
  const room = MAX_KEY_CHARACTERS - server.length - 2 - ending.length;
  return `${server}__${fit.slice(0, room)}${ending}`;
}

export const MAX_SERVER_KEY_CHARACTERS = 30;

/** Letters and digits with single `_` or `-` between them. */
export function isServerKey(text: string): boolean {
  return text.length <= MAX_SERVER_KEY_CHARACTERS && /^[A-Za-z0-9]+([_-][A-Za-z0-9]+)*$/.test(text);
}
