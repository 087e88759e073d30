/**
 * What the system or a library calls an error, as in `ENOENT`; undefined: nothing. Without `instanceof Error`: a test
 * runner's realm has another Error than the file system.
 */
export const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
