import { openingOf, quotationsIn, sentencesOf } from './prose.js';
import type { Schema } from './protocol.js';

const SHORT = 120;
const USUAL = 1_000;
const MAX_POINT_CHARACTERS = 300;
const MAX_POINTS = 10;

/**
 * Fills a schema from a text by cutting: a short string gets the beginning, a longer one more of it, a list of strings
 * the first sentence of each part. Numbers and lists of objects are left out.
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

/** The last points, if there are too many: earlier ones were summarized before. */
function points({ maxItems = MAX_POINTS, items }: Schema, quotations: readonly string[]): string[] {
  const most = items?.maxLength ?? MAX_POINT_CHARACTERS;
  const firsts = quotations.map((quotation) => openingOf(sentencesOf(quotation)[0] ?? '', most));
  return [...new Set(firsts)].filter((point) => point !== '').slice(-maxItems);
}
