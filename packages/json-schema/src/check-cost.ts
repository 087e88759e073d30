import { isJsonObject, type JsonObject, type JsonValue } from '@palabre/json';

import { patternSize } from './pattern-size.js';
import { lookUp } from './schema-references.js';

/** A check of this many steps takes a twentieth of a second, in which nobody else is served. */
const MAX_STEPS = 200_000;

/** A matcher may try each part of a pattern at each character, in a fraction of the time of a step. */
const MATCHES_OF_A_STEP = 4;

/** Schemas that check all or none of a value's members. */
const ofMembers = ['items', 'contains', 'additionalItems', 'unevaluatedItems'];
const ofFields = ['additionalProperties', 'unevaluatedProperties'];
const ofTheSame = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'];

/** Whether the check of a value would block everybody for too long. */
export function isTooMuchToCheck(schema: JsonObject, value: JsonValue): boolean {
  return new CheckCost(schema).exceeds(value);
}

/** Counts the steps of a check that never stops early. */
class CheckCost {
  private steps = 0;
  private readonly open: [schema: JsonValue, value: JsonValue][] = [];
  private readonly sizes = new Map<string, number>();

  constructor(private readonly root: JsonObject) {}

  exceeds(value: JsonValue): boolean {
    this.open.push([this.root, value]);
    for (let next = this.open.pop(); next !== undefined; next = this.open.pop()) {
      const [schema, part] = next;
      if (isJsonObject(schema)) this.visit(schema, part);
      if (this.steps + this.open.length > MAX_STEPS) return true;
    }
    return false;
  }

  private visit(schema: JsonObject, value: JsonValue): void {
    this.steps += Object.keys(schema).length;
    for (const reference of [schema.$ref, schema.$dynamicRef])
      if (typeof reference === 'string') this.open.push([lookUp(this.root, reference), value]);
    for (const list of [schema.enum, schema.required]) if (Array.isArray(list)) this.steps += list.length;
    for (const keyword of ofTheSame)
      for (const inner of listed(schema[keyword])) this.open.push([inner, value]);
    if (typeof value === 'string') this.match(schema.pattern, value);
    else if (Array.isArray(value)) this.visitList(schema, value);
    else if (isJsonObject(value)) this.visitObject(schema, value);
  }

  private visitList(schema: JsonObject, list: readonly JsonValue[]): void {
    this.steps += list.length;
    const { items, prefixItems } = schema;
    for (const places of [items, prefixItems])
      if (Array.isArray(places))
        places.forEach((inner, place) => this.visitAll(inner, list.slice(place, place + 1)));
    for (const keyword of ofMembers) if (isJsonObject(schema[keyword])) this.visitAll(schema[keyword], list);
  }

  private visitObject(schema: JsonObject, object: JsonObject): void {
    const names = Object.keys(object);
    this.steps += names.length;
    for (const keyword of ofFields)
      if (isJsonObject(schema[keyword])) this.visitAll(schema[keyword], Object.values(object));
    if (isJsonObject(schema.propertyNames)) this.visitAll(schema.propertyNames, names);
    for (const [name, inner] of entriesOf(schema.properties))
      if (Object.hasOwn(object, name)) this.visitAll(inner, [object[name] ?? null]);
    for (const keyword of ['dependentSchemas', 'dependencies'])
      for (const [name, inner] of entriesOf(schema[keyword]))
        if (Object.hasOwn(object, name)) this.visitAll(inner, [object]);
    for (const [pattern, inner] of entriesOf(schema.patternProperties)) {
      for (const name of names) this.match(pattern, name);
      this.visitAll(inner, Object.values(object));
    }
  }

  private visitAll(schema: JsonValue, values: readonly JsonValue[]): void {
    this.steps += values.length;
    if (this.steps > MAX_STEPS || !isJsonObject(schema)) return;
    for (const value of values) this.open.push([schema, value]);
  }

  private match(pattern: JsonValue | undefined, text: string): void {
    if (typeof pattern !== 'string') return;
    const size = this.sizes.get(pattern) ?? patternSize(pattern);
    this.sizes.set(pattern, size);
    this.steps += 1 + (size * text.length) / MATCHES_OF_A_STEP;
  }
}

function listed(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

function entriesOf(value: JsonValue | undefined): [string, JsonValue][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}
