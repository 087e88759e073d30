/** A vector as pgvector reads it, with as many digits as half precision keeps. */
export const vectorText = (vector: Float32Array): string =>
  `[${Array.from(vector, (number) => number.toFixed(6)).join(',')}]`;
