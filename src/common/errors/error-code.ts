/**
 * The code that the system or a library gives an error, such as `ENOENT`. Without `instanceof Error`: errors of the file
 * system come from another realm than those of a test runner.
 */
export function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
