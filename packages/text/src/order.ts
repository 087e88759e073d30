/** By code units: the same order on every machine, and capitals before small letters. */
export function compare(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}

export function byKey(one: { key: string }, other: { key: string }): number {
  return compare(one.key, other.key);
}
