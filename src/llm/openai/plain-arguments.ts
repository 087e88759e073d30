import { isJsonObject } from '../../common/json.js';

const fenced = /^```(?:json)?\s*(\{.*\})\s*```$/is;

/**
 * The arguments of a call as a JSON object, where a model put one into a fence or into a string, or wrote that there are
 * none; anything else as it is.
 */
export function plainArguments(text: string): string {
  const [, inFence] = fenced.exec(text.trim()) ?? [];
  if (inFence !== undefined) return isJsonObject(parsed(inFence)) ? inFence : text;
  const value = parsed(text);
  if (value === null || value === '') return '{}';
  return typeof value === 'string' && isJsonObject(parsed(value)) ? value : text;
}

/** Undefined: it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
