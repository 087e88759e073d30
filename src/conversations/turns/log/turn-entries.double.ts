import type { TurnEntry } from '../turn-event.js';

export function textEntry(words: string): TurnEntry {
  return { type: 'text-delta', text: words };
}

export function loadedEntry(skill: string): TurnEntry {
  return { type: 'skill-loaded', skill };
}

/** The texts that a client would show, since the last reset. */
export function shownIn(entries: readonly TurnEntry[]): string {
  return entries
    .slice(entries.findLastIndex(({ type }) => type === 'text-reset') + 1)
    .map((entry) => (entry.type === 'text-delta' ? entry.text : ''))
    .join('');
}
