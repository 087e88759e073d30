/** How many places each key has taken. A key that has none is forgotten. */
export class Places {
  private readonly taken = new Map<string, number>();

  /** False: `key` has `limit` places already. */
  take(key: string, limit: number): boolean {
    const taken = this.taken.get(key) ?? 0;
    if (taken >= limit) return false;
    this.taken.set(key, taken + 1);
    return true;
  }

  giveBack(key: string): void {
    const left = (this.taken.get(key) ?? 0) - 1;
    if (left > 0) this.taken.set(key, left);
    else this.taken.delete(key);
  }

  /** Keys that have a place. */
  get keys(): number {
    return this.taken.size;
  }
}
