import type { JsonObject } from '../../common/json.js';

const MOST_NAMED = 50;

/** What a listing has changed, by the keys of the tools. */
export interface ToolChanges {
  /** New, or back. */
  added: string[];
  /** In words, or arguments. */
  changed: string[];
  gone: string[];
}

/** The same for the audit; null: nothing. */
export const inDetails = (changes: ToolChanges): JsonObject | null => {
  const named = Object.entries(changes).filter(([, keys]) => keys.length > 0);
  return named.length === 0 ? null : Object.fromEntries(named.map(([what, keys]) => [what, someOf(keys)]));
};

const someOf = (keys: readonly string[]): string[] =>
  keys.length <= MOST_NAMED
    ? [...keys]
    : [...keys.slice(0, MOST_NAMED), `and ${keys.length - MOST_NAMED} more`];
