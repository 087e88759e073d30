import type { JsonValue } from '@palabre/json';

import { parseArguments } from '../../../skills/skill-arguments.js';
import type { Step } from '../prompt/prompt.js';

/** The most identical calls of a turn. A third would find nothing new. */
const MAX_SAME = 2;

/** Counts skill calls that differ only in order and spacing of their arguments. */
export class IdenticalCalls {
  private readonly counts = new Map<string, number>();

  constructor(steps: readonly Step[]) {
    for (const { calls } of steps) for (const call of calls) this.count(call.name, call.arguments);
  }

  isAllowed(name: string, argumentsText: string): boolean {
    return this.count(name, argumentsText) <= MAX_SAME;
  }

  private count(name: string, argumentsText: string): number {
    const key = `${name} ${canonicalArguments(argumentsText) ?? argumentsText.trim()}`;
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return count;
  }
}

/** The arguments in canonical form. Null: not a JSON object. */
export function canonicalArguments(text: string): string | null {
  const value = parseArguments(text);
  return value && JSON.stringify(sorted(value));
}

function sorted(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  // As entries, because keys such as numbers and __proto__ would move.
  const entries = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]): JsonValue => [key, sorted(item)]);
  return { entries };
}
