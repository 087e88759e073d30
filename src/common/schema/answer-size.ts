import { AnswerTooLarge } from '../errors/domain-error.js';

/** The largest page. It ends before the item that would exceed it, unless that is its first. */
export const MAX_PAGE_BYTES = 2_000_000;

/** The largest answer of an operation: names and values, as UTF-8. */
export const MAX_ANSWER_BYTES = 10_000_000;

/** The most that an operation may read. It stays in memory until the answer is sent. */
const MAX_READ_BYTES = 5 * MAX_ANSWER_BYTES;

/** The estimated size of a number, a boolean or a date. */
const SHORT_BYTES = 8;

/** Counts the size of an operation's answer. Throws when it becomes too large. */
export class AnswerSize {
  private shown = 0;
  private read = 0;

  addShown(bytes: number): void {
    this.shown += bytes;
    this.check();
  }

  addRead(bytes: number): void {
    this.read += bytes;
    this.check();
  }

  /** Throws AnswerTooLarge when too much was shown or read. */
  check(): void {
    if (this.shown > MAX_ANSWER_BYTES || this.read > MAX_READ_BYTES)
      throw new AnswerTooLarge(MAX_ANSWER_BYTES);
  }

  /** For subscriptions: each result is an answer of its own. */
  reset(): void {
    this.shown = 0;
    this.read = 0;
  }
}

/** The size as JSON. Objects other than data, such as a service that a row refers to, do not count. */
export function bytesOf(value: unknown): number {
  let bytes = 0;
  const seen = new Set<object>();
  const open: { value: unknown; isRow: boolean }[] = [{ value, isRow: true }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (typeof next.value === 'string') bytes += Buffer.byteLength(next.value);
    else if (!isData(next.value, next.isRow)) bytes += SHORT_BYTES;
    else if (!seen.has(next.value)) {
      seen.add(next.value);
      const isRow = Array.isArray(next.value);
      for (const [name, inner] of Object.entries(next.value)) {
        bytes += name.length;
        open.push({ value: inner, isRow });
      }
    }
  }
  return bytes;
}

/** Whether it is an array, a plain object, or a row, which may be an instance of a class. */
function isData(value: unknown, isRow: boolean): value is object {
  if (typeof value !== 'object' || value === null || value instanceof Date) return false;
  if (isRow || Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
