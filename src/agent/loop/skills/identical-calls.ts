import type { JsonValue } from '@palabre/json';

import { parseArguments } from '../../../skills/skill-arguments.js';
import type { Step } from '../prompt/prompt.js';

/** The most identical calls of a turn. A third would find nothing new. */
const MAX_SAME = 2;

/** Counts skill calls that differ only in order and spacing of their arguments. */
export class IdenticalCalls {
  private readonly seen = new Map<string, SeenArguments[]>();

  constructor(steps: readonly Step[]) {
    for (const { calls } of steps)
      for (const call of calls) this.argumentsOf(call.name).push(new SeenArguments(call.arguments));
  }

  isAllowed(name: string, argumentsText: string): boolean {
    const earlier = this.argumentsOf(name);
    const own = new SeenArguments(argumentsText);
    const isAllowed =
      earlier.length < MAX_SAME ||
      earlier.filter(({ canonical }) => canonical === own.canonical).length < MAX_SAME;
    earlier.push(own);
    return isAllowed;
  }

  private argumentsOf(name: string): SeenArguments[] {
    const known = this.seen.get(name) ?? [];
    this.seen.set(name, known);
    return known;
  }
}

/** Brought into canonical form only to be compared, because long ones take milliseconds. */
class SeenArguments {
  private form: string | null = null;

  constructor(private readonly text: string) {}

  get canonical(): string {
    this.form ??= canonicalArguments(this.text) ?? this.text.trim();
    return this.form;
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
