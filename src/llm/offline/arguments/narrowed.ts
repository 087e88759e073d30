import type { JsonObject } from '../../../common/json.js';
import type { Reading } from '../reading/read.js';
import { type Extraction, extractArguments } from './argument-extraction.js';
import { childrenOf, enumOf, isCountry, isCurrency, propertiesOf, type Property } from './values/property.js';

/** Said with one word or number, so that the sentence at hand tells it best. Names and searches are of the whole. */
const isPlain = (property: Property): boolean =>
  isCountry(property) ||
  enumOf(property).length > 0 ||
  property.type === 'number' ||
  property.type === 'integer' ||
  (property.type === 'object' && childrenOf(property).some(isCurrency));

/**
 * What was read from a whole question, with what its parts say of the same: «… au Sénégal ? Quels financements au
 * Mali ?». `parts`: from the farthest to the nearest. Lists of amounts are of the whole question.
 */
export function narrowed(whole: Extraction, parameters: JsonObject, parts: readonly Reading[]): Extraction {
  if (whole.lists || parts.length === 0) return whole;
  const names = new Set(
    propertiesOf(parameters)
      .filter(isPlain)
      .map(({ name }) => name),
  );
  const said = parts.flatMap((reading) =>
    Object.entries(extractArguments(parameters, reading).arguments).filter(([name]) => names.has(name)),
  );
  return { ...whole, arguments: { ...whole.arguments, ...Object.fromEntries(said) } };
}
