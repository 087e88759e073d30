export interface Backoff {
  firstMs: number;
  mostMs: number;
}

/**
 * How long to wait after `failures` failures in a row, in milliseconds: twice as long each time, and up to half of it
 * less by chance, so that processes which failed together do not come back together.
 */
export const backoffMs = ({ firstMs, mostMs }: Backoff, failures: number): number =>
  Math.min(mostMs, firstMs * 2 ** (failures - 1)) * (1 - Math.random() / 2);
