import type { JsonValue } from './json.js';

/** Deeper than anybody writes arguments, and far from where the recursion of whatever reads them would end. */
export const MOST_ARGUMENT_LEVELS = 100;

/** Whether a value has more levels than that. In a loop: a recursion would end where it is to warn. */
export const isDeeperThan = (value: JsonValue, levels: number): boolean => {
  let level: JsonValue[] = [value].filter(isNesting);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((one) => Object.values(one as object).filter(isNesting));
  }
  return false;
};

const isNesting = (value: JsonValue): boolean => typeof value === 'object' && value !== null;
