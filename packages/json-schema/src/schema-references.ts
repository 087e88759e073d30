import { isJsonObject, type JsonObject, type JsonValue } from '@palabre/json';
import { filterKeywords, mapSchemas } from './schema-keywords.js';

/** A wrong schema. The message is for its author. */
export class BadSchema extends Error {
  override readonly name = 'BadSchema';
}

const MAX_NODES = 5_000;
/** How often a schema may be nested in itself before it is cut. */
const MAX_SELF = 1;
const MAX_CHAIN = 20;
const MAX_SHOWN_CHARACTERS = 100;

/** Keywords that only describe when they are beside a reference. */
const annotations = new Set(['title', 'description', 'default', 'deprecated', 'examples', 'example']);

/** The JSON value at a local reference such as `#/$defs/Pet`. Throws BadSchema. */
export function lookUp(document: JsonValue, reference: string): JsonValue {
  const shown = shownOf(reference);
  if (!reference.startsWith('#'))
    throw new BadSchema(`The reference ${shown} leads out of the document: only those with # are followed.`);
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

function shownOf(reference: string): string {
  return reference.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed();
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

/** Replaces local references. Cuts a schema that contains itself after a few levels. Throws BadSchema. */
export function withoutReferences(schema: JsonObject, document: JsonValue): JsonObject {
  return inlined(schema, document).schema;
}

/** Replaces local references. If the schema contains itself, its `$defs` has the targets. */
export function withReferencesAtHand(schema: JsonObject): JsonObject {
  const found = inlined(schema, schema);
  return found.isCut ? new Bundler(schema).bundle() : found.schema;
}

function inlined(schema: JsonObject, document: JsonValue): { schema: JsonObject; isCut: boolean } {
  const inliner = new Inliner(document);
  const copied = inliner.copy(schema, []);
  return { schema: isJsonObject(copied) ? copied : {}, isCut: inliner.isCut };
}

/** Copies the target of each reference once, under a name of its own. */
class Bundler {
  private readonly names = new Map<string, string>();

  constructor(private readonly document: JsonObject) {}

  bundle(): JsonObject {
    const whole = this.copy(this.document);
    const definitions: JsonObject = {};
    // A copy may add names. The loop over a Map visits them too.
    for (const [reference, name] of this.names)
      definitions[name] = this.copy(lookUp(this.document, reference));
    return isJsonObject(whole) ? { ...whole, $defs: definitions } : {};
  }

  private copy(schema: JsonValue): JsonValue {
    if (!isJsonObject(schema)) return schema;
    const copied = mapSchemas(withoutDefinitions(schema), (inner) => this.copy(inner));
    return typeof schema.$ref === 'string'
      ? { ...copied, $ref: `#/$defs/${this.nameOf(schema.$ref)}` }
      : copied;
  }

  private nameOf(reference: string): string {
    const end = this.endOf(reference);
    const name = this.names.get(end) ?? `part${this.names.size + 1}`;
    this.names.set(end, name);
    return name;
  }

  /** The end of a chain of references. */
  private endOf(reference: string): string {
    let end = reference;
    for (let links = 0; links < MAX_CHAIN; links += 1) {
      const found = lookUp(this.document, end);
      if (!isJsonObject(found) || typeof found.$ref !== 'string' || Object.keys(found).length > 1) return end;
      end = found.$ref;
    }
    throw new BadSchema(`The reference ${shownOf(reference)} leads to other references without an end.`);
  }
}

class Inliner {
  /** Whether a nested copy of a schema was left out. */
  isCut = false;
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
    if (repeated > MAX_SELF) {
      this.isCut = true;
      return typeof beside.description === 'string' ? { description: beside.description } : {};
    }
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
    return mapSchemas(withoutDefinitions(schema), (inner) => this.copy(inner, inside));
  }
}

/** Removes definitions, which were copied elsewhere, and `__proto__`, whose assignment would change the prototype. */
function withoutDefinitions(schema: JsonObject): JsonObject {
  return filterKeywords(schema, (keyword) => !['$defs', 'definitions', '__proto__'].includes(keyword));
}
