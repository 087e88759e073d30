import type { CallToolResult, ContentBlock, InputRequiredResult } from '@modelcontextprotocol/client';
import type { ValidateFunction } from 'ajv/dist/2020.js';

import { isJsonObject, type JsonObject, type JsonValue } from '../../../../common/json.js';
import { parseExactly } from '../../../http/answer/exact-json.js';
import { SchemaCompiler } from '../../../schema/compiled-schema.js';
import { SkillError } from '../../../skill.js';
import { besideStructured } from './beside-structured.js';
import { withExactNumbers } from './exact-result.js';
import { oneLine } from '../mcp-tools.js';
import { isUnknown } from './packed-result.js';
import { harmlessSchema } from '../tool-schema.js';

const MAX_CHARACTERS = 400_000;
const MAX_ERROR_CHARACTERS = 4_000;
const MOST_FIELDS = 30;

/** What a server answered, as a model can read it. Throws SkillError where the tool says that it failed. */
export const resultOf = (result: CallToolResult, outputSchema: JsonObject | null): JsonValue => {
  const parts = result.content.map(partOf);
  const text = textsOf(parts).join('\n\n');
  const structured = result.structuredContent as JsonValue | undefined;
  const beside = structured === undefined ? [] : besideStructured(structured, textsOf(parts));
  if (result.isError) {
    const words = structured === undefined ? text : [...beside, JSON.stringify(structured)].join('\n\n');
    throw new SkillError(shortened(words, MAX_ERROR_CHARACTERS) || 'The tool failed and does not say why.');
  }
  const leftOut = parts.flatMap(({ leftOut }) => leftOut ?? []);
  if (structured === undefined) return withNotes(valueOf(text), leftOut);
  const texts = result.content.flatMap((block) =>
    block.type === 'text' && !isUnknown(block) ? block.text : [],
  );
  const exact = withExactNumbers(structured, texts);
  const notes = [...exact.notes, ...leftOut];
  const words = shortened(beside.join('\n\n'), MAX_CHARACTERS);
  const json = JSON.stringify(exact.value);
  if (json.length > MAX_CHARACTERS) return withNotes(shortened(json, MAX_CHARACTERS), notes, words);
  // As the client has read it: what was promised as an integer may be a text by now.
  const fault = outputSchema && mismatchOf(structured, outputSchema);
  return withNotes(exact.value, fault === null ? notes : [fault, ...notes], words);
};

/** What the server wants to know first, for the model to ask in the conversation. */
export const questionOf = ({ inputRequests }: InputRequiredResult): SkillError => {
  const questions = Object.values(inputRequests ?? {}).map(({ method, params }) =>
    method === 'elicitation/create' ? elicitationInWords(params as JsonObject) : beyondUs,
  );
  const words = questions.length > 0 ? questions.join(' ') : 'It does not say what.';
  return new SkillError(
    `The server needs to know more before it does this. ${words} Ask the person in the conversation, then call again ` +
      'with the answer among the arguments, if they have a place for it.',
  );
};

const beyondUs = 'It asks for something that it is not given here.';

const elicitationInWords = (params: JsonObject): string => {
  const message = typeof params.message === 'string' ? oneLine(params.message, 500) : '';
  if (typeof params.url === 'string') {
    return `It wants the person to open ${oneLine(params.url, 500)} (${message}).`;
  }
  const schema = params.requestedSchema;
  const properties = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
  const fields = Object.entries(properties).slice(0, MOST_FIELDS).map(fieldInWords);
  return `It asks: “${message}”${fields.length > 0 ? ` Fields: ${fields.join(', ')}.` : ''}`;
};

const fieldInWords = ([name, schema]: [string, JsonValue]): string => {
  const about = isJsonObject(schema) ? (schema.description ?? schema.title) : undefined;
  const choices = isJsonObject(schema) && Array.isArray(schema.enum) ? ` (${schema.enum.join(' / ')})` : '';
  const words = typeof about === 'string' ? `: ${about}` : '';
  return oneLine(`${name}${words}${choices}`, 200);
};

type Part = { text: string; leftOut?: undefined } | { text?: undefined; leftOut: string };

const textsOf = (parts: readonly Part[]): string[] => parts.flatMap(({ text }) => text ?? []);

const partOf = (block: ContentBlock): Part => {
  if (isUnknown(block)) return { leftOut: '[of an unknown kind, left out]' };
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
};

/** `base64`: three bytes of it in four characters. */
const leftOutOf = (mediaType: string, base64: string): string =>
  `[${oneLine(mediaType, 100)}, ${Math.ceil((base64.length * 3) / 4 / 1000)} kB, left out]`;

/** Text that is JSON is read: as a text it would be quoted once more, and could not be cut between its elements. */
const valueOf = (text: string): JsonValue => {
  const whole = text.trim();
  if (text.length > MAX_CHARACTERS) return shortened(text, MAX_CHARACTERS);
  if (!/^[[{]/.test(whole)) return text;
  try {
    return parseExactly(whole);
  } catch {
    return text;
  }
};

const shortened = (text: string, most: number): string =>
  text.length <= most
    ? text
    : `${text.slice(0, most).toWellFormed()}… [only the first ${most} of ${text.length} characters]`;

/** `text`: what the server says besides. */
const withNotes = (result: JsonValue, notes: readonly string[], text = ''): JsonValue =>
  notes.length === 0 && text === ''
    ? result
    : { result, ...(text !== '' && { text }), ...(notes.length > 0 && { notes: [...notes] }) };

/** Null: it fits, as far as the schema can be made out. */
const mismatchOf = (value: JsonValue, schema: JsonObject): string | null => {
  // Results are objects nearly always; of others there is no more to say.
  const validate = isJsonObject(value) ? validatorOf(schema) : null;
  try {
    if (!validate || validate(value)) return null;
  } catch {
    return null; // nested too deep
  }
  const [error] = validate.errors ?? [];
  const where = error?.instancePath.slice(1).replaceAll('/', '.') || 'the whole';
  return `The result does not fit the form that the server promises: ${where} ${error?.message ?? 'differs'}.`;
};

const results = new SchemaCompiler({ validateFormats: false });
const validators = new WeakMap<JsonObject, ValidateFunction | null>();

/** Null of a schema that cannot be made out. */
const validatorOf = (schema: JsonObject): ValidateFunction | null => {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const validate = compiled(schema);
  validators.set(schema, validate);
  return validate;
};

const compiled = (schema: JsonObject): ValidateFunction | null => {
  try {
    return results.validatorOf(harmlessSchema(schema));
  } catch {
    return null;
  }
};
