import type { JsonValue } from '../../common/json.js';
import { asObject, asText } from './json-access.js';

/** The reason a result gives for its failure, or null. */
export function failureIn(value: JsonValue): string | null {
  const error = asObject(value)['error'];
  if (error === undefined || error === null || error === false) return null;
  return (
    asText(error) ||
    asText(asObject(error)['message']) ||
    asText(asObject(value)['message']) ||
    JSON.stringify(error)
  );
}
