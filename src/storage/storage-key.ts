const SEGMENT = /^[\w.-]{1,200}$/;

/** A bucket's keys have at most 1024 bytes, and the operator may put up to 500 before ours. */
const MAX_LENGTH = 500;

/** Whether it is a path that leads nowhere else, on a disk as in a bucket. */
export const isKey = (key: string): boolean =>
  key.length <= MAX_LENGTH &&
  key.split('/').every((segment) => SEGMENT.test(segment) && segment !== '.' && segment !== '..');

/** Throws for what is no key. */
export const checkKey = (key: string): void => {
  if (!isKey(key))
    throw new Error(`This is not a key of the file storage: ${JSON.stringify(key.slice(0, 200))}`);
};

/** Throws for what is no folder: a key with `/` after it. */
export const checkFolder = (folder: string): void => {
  if (!folder.endsWith('/')) throw new Error('A folder of the file storage ends with a slash.');
  checkKey(folder.slice(0, -1));
};
