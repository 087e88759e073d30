import { isJsonObject, type JsonObject, type JsonValue } from '@palabre/json';

import { patternSize } from './pattern-size.js';
import { lookUp } from './schema-references.js';

/** A check of this many steps takes a twentieth of a second, in which nobody else is served. */
const MAX_STEPS = 200_000;

/** A matcher may try each part of a pattern at each character, in a fraction of the time of a step. */
const MATCHES_OF_A_STEP = 4;

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
    const keywords = Object.keys(schema);
    this.steps += keywords.length;
    const isObject = isJsonObject(value);
    if (Array.isArray(value)) this.steps += value.length;
    else if (isObject) this.steps += Object.keys(value).length;
    // Most schemas have few keywords: looking for each of those that there are would take longer than the check.
    for (const keyword of keywords) {
      const inner = schema[keyword];
      if (inner === undefined) continue;
      this.visitAny(keyword, inner, value);
      if (isObject) this.visitObject(keyword, inner, value);
      else if (Array.isArray(value)) this.visitList(keyword, inner, value);
      else if (keyword === 'pattern' && typeof value === 'string') this.match(inner, value);
    }
  }

  private visitAny(keyword: string, inner: JsonValue, value: JsonValue): void {
    switch (keyword) {
      case '$ref':
      case '$dynamicRef':
        if (typeof inner === 'string') this.open.push([lookUp(this.root, inner), value]);
        break;
      case 'enum':
      case 'required':
        if (Array.isArray(inner)) this.steps += inner.length;
        break;
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
      case 'not':
      case 'if':
      case 'then':
      case 'else':
        for (const one of Array.isArray(inner) ? inner : [inner]) this.open.push([one, value]);
    }
  }

  private visitList(keyword: string, inner: JsonValue, list: readonly JsonValue[]): void {
    switch (keyword) {
      case 'items':
      case 'prefixItems':
        if (Array.isArray(inner))
          inner.forEach((one, place) => this.visitAll(one, list.slice(place, place + 1)));
        else this.visitAll(inner, list);
        break;
      case 'contains':
      case 'additionalItems':
      case 'unevaluatedItems':
        this.visitAll(inner, list);
    }
  }

  private visitObject(keyword: string, inner: JsonValue, object: JsonObject): void {
    switch (keyword) {
      case 'additionalProperties':
      case 'unevaluatedProperties':
        this.visitAll(inner, Object.values(object));
        break;
      case 'propertyNames':
        this.visitAll(inner, Object.keys(object));
        break;
      case 'properties':
        for (const [name, one] of entriesOf(inner))
          if (Object.hasOwn(object, name)) this.visitAll(one, [object[name] ?? null]);
        break;
      case 'dependentSchemas':
      case 'dependencies':
        for (const [name, one] of entriesOf(inner))
          if (Object.hasOwn(object, name)) this.visitAll(one, [object]);
        break;
      case 'patternProperties':
        for (const [pattern, one] of entriesOf(inner)) {
          for (const name of Object.keys(object)) this.match(pattern, name);
          this.visitAll(one, Object.values(object));
        }
    }
  }

  private visitAll(schema: JsonValue, values: readonly JsonValue[]): void {
    this.steps += values.length;
    if (this.steps > MAX_STEPS || !isJsonObject(schema)) return;
    for (const value of values) this.open.push([schema, value]);
  }

  private match(pattern: JsonValue, text: string): void {
    if (typeof pattern !== 'string') return;
    const size = this.sizes.get(pattern) ?? patternSize(pattern);
    this.sizes.set(pattern, size);
    this.steps += 1 + (size * text.length) / MATCHES_OF_A_STEP;
  }
}

function entriesOf(value: JsonValue): [string, JsonValue][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}
