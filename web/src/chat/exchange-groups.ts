import type { ShownMessage } from './conversation-operations.js';
import type { Exchange } from './turns.js';

/** What an exchange begins with, and is known by as long as it is shown. */
export function firstOf({ question, answer }: Exchange): ShownMessage | null {
  return question ?? answer;
}

export function keyOf(exchange: Exchange | undefined): string {
  return (exchange && firstOf(exchange)?.id) ?? '';
}

/**
 * Cuts exchanges into groups of `size` at most. Where more come before those of the last time, or after them, these stay
 * in the groups that they were in.
 */
export function exchangeGroups(size: number): (exchanges: readonly Exchange[]) => Exchange[][] {
  const firsts = new Set<string>();
  return (exchanges) => {
    const groups: Exchange[][] = [];
    for (const exchange of exchanges) {
      const group = groups.at(-1);
      if (group && group.length < size && !firsts.has(keyOf(exchange))) {
        group.push(exchange);
      } else {
        firsts.add(keyOf(exchange));
        groups.push([exchange]);
      }
    }
    return groups;
  };
}
