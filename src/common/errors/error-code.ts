/** Such as `ENOENT`. Without `instanceof`: errors of the file system come from another realm than a test runner's. */
export function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** The message of anything that was thrown; empty: it has none. */
export function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : '';
}
