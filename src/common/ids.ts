import { v7, validate } from 'uuid';

/** A new UUIDv7. Ids of one process sort in the order in which they were made, also within a millisecond. */
export function newId(): string {
  return v7();
}

/** Sorts after `earlier`, even if that was made by a process whose clock is ahead: ids give the order of messages. */
export function newIdAfter(earlier: string | null): string {
  const id = newId();
  if (earlier === null || id > earlier) return id;
  return v7({ msecs: timeOf(earlier) + 1 });
}

/** When a UUIDv7 was made, in milliseconds since 1970. */
export function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The smallest id of the millisecond `at`. Smaller ids were made earlier, as far as clocks agree. */
export function firstIdAt(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** Less than every id. Stands for nobody where a row needs a member: an erased one, or a connected server. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** More than every id. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** For sorting: the older id first. */
export function compareIds(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Normalizes an id to lower case, so that it can be compared as a string. Null: not an id. */
export function parseId(text: string): string | null {
  return validate(text) ? text.toLowerCase() : null;
}

/** Whether `text` is a normalized id. Anything else is answered like an id that does not exist. */
export function isId(text: string): boolean {
  return parseId(text) === text;
}
