import { type ContentBlock, isSpecType } from '@modelcontextprotocol/client';
import { isDeepStrictEqual } from 'node:util';
import { SchemaCompiler, type Validator } from '@palabre/json-schema';
import { singleLine } from '@palabre/text';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '@palabre/json';

import { parseExactly } from '../../http/exact-json.js';
import { ServiceError, SkillError } from '../../skill.js';
import { harmlessSchema } from './tool-schema.js';

const MAX_CHARACTERS = 400_000;
const MAX_ERROR_CHARACTERS = 4_000;

/** A server's answer to a call, with its parts unchanged. */
export interface ToolResult {
  content?: unknown;
  structuredContent?: unknown;
  isError?: boolean | undefined;
}

/** A server's answer in a form for models. Throws SkillError if the tool reports failure. */
export function resultOf(result: ToolResult, outputSchema: JsonObject | null): JsonValue {
  const blocks = blocksOf(result.content);
  const parts = blocks.map(partOf);
  const text = textsOf(parts).join('\n\n');
  const structured = (result.structuredContent ?? undefined) as JsonValue | undefined;
  const beside = structured === undefined ? [] : unstructuredTexts(structured, textsOf(parts));
  if (result.isError) {
    const words = structured === undefined ? text : [...beside, JSON.stringify(structured)].join('\n\n');
    if (words === '') throw new ServiceError('The tool failed and does not say why.');
    throw new SkillError(shortened(words, MAX_ERROR_CHARACTERS));
  }
  const leftOut = parts.flatMap(({ leftOut }) => leftOut ?? []);
  if (structured === undefined) return withNotes(valueOf(text), leftOut);
  const texts = blocks.flatMap((block) => (block?.type === 'text' ? block.text : []));
  const exact = withExactNumbers(structured, texts);
  const notes = [...exact.notes, ...leftOut];
  const words = shortened(beside.join('\n\n'), MAX_CHARACTERS);
  const json = JSON.stringify(exact.value);
  if (json.length > MAX_CHARACTERS) return withNotes(shortened(json, MAX_CHARACTERS), notes, words);
  // Checks the client's parsed result, because in the exact one large integers are texts.
  const fault = outputSchema && mismatchOf(structured, outputSchema);
  return withNotes(exact.value, fault === null ? notes : [fault, ...notes], words);
}

type Part = { text: string; leftOut?: undefined } | { text?: undefined; leftOut: string };

function textsOf(parts: readonly Part[]): string[] {
  return parts.flatMap(({ text }) => text ?? []);
}

/** Null: unknown to the protocol. */
function blocksOf(content: unknown): (ContentBlock | null)[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return [content].flat().map((block) => (isSpecType.ContentBlock(block) ? block : null));
}

function partOf(block: ContentBlock | null): Part {
  if (!block) return { leftOut: '[of an unknown kind, left out]' };
  switch (block.type) {
    case 'text':
      return { text: block.text };
    case 'image':
    case 'audio':
      return { leftOut: leftOutOf(block.mimeType, block.data) };
    case 'resource_link':
      return { text: `${block.title ?? block.name}: ${block.uri}` };
    case 'resource': {
      const { resource } = block;
      if ('text' in resource) return { text: `${resource.uri}\n${resource.text}` };
      return { leftOut: `${resource.uri} ${leftOutOf(resource.mimeType ?? 'data', resource.blob)}` };
    }
  }
}

/** `base64`: four characters for each three bytes. */
function leftOutOf(mediaType: string, base64: string): string {
  return `[${singleLine(mediaType, 100)}, ${Math.ceil((base64.length * 3) / 4 / 1000)} kB, left out]`;
}

/** Parses JSON text: as a string it would be quoted again, and could not be cut between elements. */
function valueOf(text: string): JsonValue {
  const whole = text.trim();
  if (text.length > MAX_CHARACTERS) return shortened(text, MAX_CHARACTERS);
  if (!/^[[{]/.test(whole)) return text;
  try {
    return parseExactly(whole);
  } catch {
    return text;
  }
}

function shortened(text: string, most: number): string {
  return text.length <= most
    ? text
    : `${text.slice(0, most).toWellFormed()}… [only the first ${most} of ${text.length} characters]`;
}

/** `text`: the server's further text. */
function withNotes(result: JsonValue, notes: readonly string[], text = ''): JsonValue {
  return notes.length === 0 && text === ''
    ? result
    : { result, ...(text !== '' && { text }), ...(notes.length > 0 && { notes: [...notes] }) };
}

/** Null: it fits, or the schema is unusable. */
function mismatchOf(value: JsonValue, schema: JsonObject): string | null {
  // Results are nearly always objects; others are not checked.
  const validate = isJsonObject(value) ? validatorOf(schema) : null;
  try {
    if (!validate || validate(value)) return null;
  } catch {
    return null; // nested too deep
  }
  const [error] = validate.errors ?? [];
  const where = error?.instancePath.slice(1).replaceAll('/', '.') || 'the whole';
  return `The result does not fit the form that the server promises: ${where} ${error?.message ?? 'differs'}.`;
}

const results = new SchemaCompiler({ validateFormats: false });
const validators = new WeakMap<JsonObject, Validator | null>();

/** Null: the schema cannot be compiled. */
function validatorOf(schema: JsonObject): Validator | null {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const validate = compiled(schema);
  validators.set(schema, validate);
  return validate;
}

function compiled(schema: JsonObject): Validator | null {
  try {
    return results.validatorOf(harmlessSchema(schema));
  } catch {
    return null;
  }
}

/** Numbers that may have been rounded have this many digits. */
const MAYBE_ROUNDED = /[\d.]{16}/;
/** Larger numbers are printed with an exponent, so they are not identifiers. */
const LARGEST_PRINTED = 1e21;
/** The limit for all texts of a result. */
const MAX_COMPARED_CHARACTERS = 400_000;

const ROUNDED =
  'Whole numbers of 16 digits or more in it may have been rounded on the way: none of them is an identifier to go by.';

/** JSON as JavaScript parses it, and as it was written. */
interface Reading {
  rounded: JsonValue;
  exact: JsonValue;
}

/**
 * A structured result with numbers as the server wrote them, and a note if that is unknown. The client's parser
 * rounds them, but servers should repeat the JSON in a text (MCP, Structured Content).
 */
function withExactNumbers(
  structured: JsonValue,
  texts: readonly string[],
): { value: JsonValue; notes: string[] } {
  if (!MAYBE_ROUNDED.test(JSON.stringify(structured))) return { value: structured, notes: [] };
  for (const { rounded, exact } of readingsOf(texts)) {
    if (isDeepStrictEqual(rounded, structured)) return { value: exact, notes: [] };
    // The official SDK for Python wraps values that are not objects.
    if (isDeepStrictEqual({ result: rounded }, structured)) return { value: { result: exact }, notes: [] };
  }
  return { value: structured, notes: mayBeRounded(structured) ? [ROUNDED] : [] };
}

/** Each text, and all as a list, because the Python SDK sends each element of a list as a text. */
function readingsOf(texts: readonly string[]): Reading[] {
  let left = MAX_COMPARED_CHARACTERS;
  const compared = texts.filter((text) => {
    const hasRoom = text.length <= left;
    if (hasRoom) left -= text.length;
    return hasRoom;
  });
  const found = compared.flatMap((text) => readingOf(text) ?? []);
  if (found.length < texts.length) return found;
  const all = { rounded: found.map(({ rounded }) => rounded), exact: found.map(({ exact }) => exact) };
  return [...found, all];
}

/** Null: not JSON. */
function readingOf(text: string): Reading | null {
  try {
    return { rounded: JSON.parse(text) as JsonValue, exact: parseExactly(text) };
  } catch {
    return null;
  }
}

function mayBeRounded(value: JsonValue): boolean {
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < LARGEST_PRINTED;
  return typeof value === 'object' && value !== null && Object.values(value).some(mayBeRounded);
}

/**
 * The texts of a result that add to its structured part. Servers should repeat that part as JSON text (MCP,
 * Structured Content). Some send only one value of it, others their own text.
 */
function unstructuredTexts(structured: JsonValue, texts: readonly string[]): string[] {
  const said = valuesIn(structured);
  return texts.filter((text) => text.trim() !== '' && !said.has(text.trim()) && !isJson(text));
}

/** All scalar values as text. A loop: deep nesting would overflow the stack of a recursion. */
function valuesIn(whole: JsonValue): Set<string> {
  const said = new Set<string>();
  const open = [whole];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) said.add(String(value).trim());
    else for (const inner of Object.values(value)) open.push(inner);
  }
  return said;
}

function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text) && parseJson(text) !== null;
}
