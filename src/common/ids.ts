import { v7, validate } from 'uuid';

/** A new UUIDv7: unique, and later ids of one process sort after earlier ones, also within a millisecond. */
export const newId = (): string => v7();

/**
 * A new id that sorts after `earlier`, whatever the clocks of the two processes say: ids tell the order in a
 * conversation, and its next question may come to another process than its last.
 */
export const newIdAfter = (earlier: string | null): string => {
  const id = newId();
  if (earlier === null || id > earlier) return id;
  return v7({ msecs: timeOf(earlier) + 1 });
};

/** When an id of ours was made, in milliseconds since 1970: a UUIDv7 begins with it. */
export const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/**
 * The id that `text` is, as ids are written here: in lower case. Null: it is none. PostgreSQL takes a uuid in any case
 * for the same, and texts are not the same: whatever comes from outside is read by this before it is compared.
 */
export const parseId = (text: string): string | null => (validate(text) ? text.toLowerCase() : null);

/** Whether `text` is an id as `parseId` gives it; what is not is answered like an id that does not exist. */
export const isId = (text: string): boolean => parseId(text) === text;
