import { v7, validate } from 'uuid';

/** A new UUIDv7: unique, and later ids of one process sort after earlier ones, also within a millisecond. */
export const newId = (): string => v7();

/** Whether `value` can be an id at all; what is not is answered like an id that does not exist. */
export const isId = (value: string): boolean => validate(value);
