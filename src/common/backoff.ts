export interface Backoff {
  firstMs: number;
  mostMs: number;
}

/**
 * How long to wait after `failures` failures in a row, in milliseconds: exponential backoff with up to half of it as
 * random jitter, so that processes which failed together do not retry together.
 */
export function backoffMs({ firstMs, mostMs }: Backoff, failures: number): number {
  return Math.min(mostMs, firstMs * 2 ** (failures - 1)) * (1 - Math.random() / 2);
}
