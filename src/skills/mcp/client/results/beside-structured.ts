import type { JsonValue } from '../../../../common/json.js';

/**
 * The texts of a result that say something besides its structured part. Servers are to say the same in a text, as JSON
 * (MCP, Structured Content), and some put a value of it there alone; others write what is in no field.
 */
export const besideStructured = (structured: JsonValue, texts: readonly string[]): string[] => {
  const said = valuesIn(structured);
  return texts.filter((text) => text.trim() !== '' && !said.has(text.trim()) && !isJson(text));
};

/** All that is no list and no object, in words; in a loop, as what is nested too deep would end a recursion. */
const valuesIn = (whole: JsonValue): Set<string> => {
  const said = new Set<string>();
  const open = [whole];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) said.add(String(value).trim());
    else for (const inner of Object.values(value)) open.push(inner);
  }
  return said;
};

const isJson = (text: string): boolean => {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
