/** Such as `ENOENT`. Without `instanceof`: errors of the file system come from another realm than a test runner's. */
export function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
