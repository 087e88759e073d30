import { isJsonObject, type JsonObject, type JsonValue } from '@palabre/json';
import { filterKeywords, mapSchemas } from './schema-keywords.js';

/** What is wrong with a schema, in words for its author. */
export class BadSchema extends Error {
  override readonly name = 'BadSchema';
}

const MAX_NODES = 5_000;
/** How often a schema may stand inside itself before it is cut. */
const MAX_SELF = 1;
const MAX_CHAIN = 20;
const MAX_SHOWN_CHARACTERS = 100;

/** Beside a reference, these only describe it. */
const annotations = new Set(['title', 'description', 'default', 'deprecated', 'examples', 'example']);

/** The JSON value that a local reference such as `#/$defs/Pet` means. Throws BadSchema. */
export function lookUp(document: JsonValue, reference: string): JsonValue {
  const shown = reference.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed();
  if (!reference.startsWith('#')) {
    throw new BadSchema(`The reference ${shown} leads out of the document: only those with # are followed.`);
  }
  const path = reference === '#' ? [] : pathOf(reference);
  let value: JsonValue = document;
  for (const name of path) {
    const next: JsonValue | undefined =
      isContainer(value) && Object.hasOwn(value, name) ? valueAt(value, name) : undefined;
    if (next === undefined) throw new BadSchema(`The reference ${shown} leads nowhere.`);
    value = next;
  }
  return value;
}

function pathOf(reference: string): string[] {
  if (!reference.startsWith('#/'))
    throw new BadSchema('A reference is not a JSON Pointer, such as #/components/schemas/Item.');
  try {
    return decodeURIComponent(reference.slice(2))
      .split('/')
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    throw new BadSchema('A reference is not a JSON Pointer, such as #/components/schemas/Item.');
  }
}

function isContainer(value: JsonValue): value is JsonObject | JsonValue[] {
  return typeof value === 'object' && value !== null;
}

function valueAt(value: JsonObject | JsonValue[], name: string): JsonValue | undefined {
  return Array.isArray(value) ? value[Number(name)] : value[name];
}

/** Replaces local references. A schema that contains itself is cut after a few levels. Throws BadSchema. */
export function withoutReferences(schema: JsonObject, document: JsonValue): JsonObject {
  const copied = new Inliner(document).copy(schema, []);
  return isJsonObject(copied) ? copied : {};
}

class Inliner {
  private nodes = 0;

  constructor(private readonly document: JsonValue) {}

  /** `inside`: the references that led here. */
  copy(schema: JsonValue, inside: readonly string[]): JsonValue {
    this.nodes += 1;
    if (this.nodes > MAX_NODES)
      throw new BadSchema(`With its references, this has more than ${MAX_NODES} parts.`);
    if (!isJsonObject(schema)) return schema;
    return typeof schema.$ref === 'string'
      ? this.replace(schema, schema.$ref, inside)
      : this.copyKeywords(schema, inside);
  }

  private replace(schema: JsonObject, reference: string, inside: readonly string[]): JsonValue {
    const { $ref: _, ...beside } = schema;
    const repeated = inside.filter((other) => other === reference).length;
    if (repeated > MAX_SELF) return descriptionOf(beside);
    if (inside.length > MAX_CHAIN) throw new BadSchema('References lead through too many others.');
    const target = this.copy(lookUp(this.document, reference), [...inside, reference]);
    const own = this.copyKeywords(beside, inside);
    const names = Object.keys(own);
    if (names.length === 0) return target;
    if (isJsonObject(target) && names.every((name) => annotations.has(name))) return { ...target, ...own };
    const others = Array.isArray(own.allOf) ? own.allOf : [];
    return { ...own, allOf: [...others, target] };
  }

  private copyKeywords(schema: JsonObject, inside: readonly string[]): JsonObject {
    // Everything that definitions were for stands in its place. To assign the last would do more than that.
    const left = filterKeywords(
      schema,
      (keyword) => !['$defs', 'definitions', '__proto__'].includes(keyword),
    );
    return mapSchemas(left, (inner) => this.copy(inner, inside));
  }
}

function descriptionOf({ description }: JsonObject): JsonObject {
  return typeof description === 'string' ? { description } : {};
}
