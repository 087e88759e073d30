/** A pattern of this size takes some milliseconds to read. */
export const MAX_PATTERN_SIZE = 1_200;

const TOKEN = /\\Q(?:.*?\\E|.*)|\\[pPux]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\{(\d+)(,?)(\d*)\}|./gsu;
const REPETITIONS = new Set(['*', '+', '?']);

/** At least the number of steps of a pattern after a matcher has expanded its counted repetitions. */
export function patternSize(pattern: string): number {
  /** Sizes of the open groups, the outermost first. */
  const open = [0];
  /** The size of what a following repetition would repeat. */
  let last = 0;
  const add = (size: number): void => void open.push((open.pop() ?? 0) + size);
  for (const [token, from, comma, to] of pattern.matchAll(TOKEN)) {
    if (from !== undefined) {
      const times = Math.max(Number(to || from) + (comma && !to ? 1 : 0), 1);
      add(last * (times - 1));
      last *= times;
    } else if (token === '(') {
      open.push(1);
      last = 0;
    } else if (token === ')' && open.length > 1) {
      last = open.pop() ?? 0;
      add(last);
    } else if (!REPETITIONS.has(token)) {
      last = token.startsWith('\\Q') ? token.length : 1;
      add(last);
    }
  }
  return open.reduce((sum, size) => sum + size, 0);
}
