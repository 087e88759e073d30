import { openingOf, quotationsIn, sentencesOf } from './prose.js';
import type { Schema } from './protocol.js';

const SHORT = 120;
const USUAL = 1_000;
const LONGEST_POINT = 300;
const MOST_POINTS = 10;

/**
 * The least that a schema takes, made of a text by cutting: a short string is how it begins, a longer one more of it, a
 * list of strings the first sentence of each of its parts. No number is found in it, and no list of objects.
 */
export function fill(schema: Schema, text: string): unknown {
  const quotations = quotationsIn(text);
  if (Array.isArray(schema.type))
    return schema.type.includes('null') ? null : fill({ ...schema, type: schema.type[0] }, text);
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case 'string': {
      const most = schema.maxLength ?? USUAL;
      return openingOf(most <= SHORT ? (quotations[0] ?? '') : quotations.join('\n'), most);
    }
    case 'array':
      return schema.items?.type === 'string' ? points(schema, quotations) : [];
    case 'number':
    case 'integer':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    default: {
      const { properties = {}, required = [] } = schema;
      return Object.fromEntries(required.map((key) => [key, fill(properties[key] ?? {}, text)]));
    }
  }
}

/** The last ones, where there are too many: what was said first has been summed up before. */
function points({ maxItems = MOST_POINTS, items }: Schema, quotations: readonly string[]): string[] {
  const most = items?.maxLength ?? LONGEST_POINT;
  const firsts = quotations.map((quotation) => openingOf(sentencesOf(quotation)[0] ?? '', most));
  return [...new Set(firsts)].filter((point) => point !== '').slice(-maxItems);
}
