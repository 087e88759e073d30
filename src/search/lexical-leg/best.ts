/** Keeps the best of what is offered, at most `most`: a heap with the worst of them on top. */
export class Best<Thing> {
  private readonly heap: { thing: Thing; score: number }[] = [];

  constructor(private readonly most: number) {}

  /** What has no higher score is not kept. */
  least = Number.NEGATIVE_INFINITY;

  offer(thing: Thing, score: number): void {
    if (score <= this.least) return;
    if (this.heap.length < this.most) {
      this.heap.push({ thing, score });
      this.rise(this.heap.length - 1);
    } else {
      this.heap[0] = { thing, score };
      this.sink(0);
    }
    if (this.heap.length === this.most) this.least = this.scoreAt(0);
  }

  /** The best first. */
  list(): Thing[] {
    return this.heap.toSorted((one, other) => other.score - one.score).map(({ thing }) => thing);
  }

  private rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.scoreAt(parent) <= this.scoreAt(at)) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  private sink(from: number): void {
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      const smaller = this.scoreAt(left + 1) < this.scoreAt(left) ? left + 1 : left;
      if (this.scoreAt(at) <= this.scoreAt(smaller)) return;
      this.swap(at, smaller);
      at = smaller;
    }
  }

  private scoreAt(at: number): number {
    return this.heap[at]?.score ?? Number.POSITIVE_INFINITY;
  }

  private swap(one: number, other: number): void {
    const [first, second] = [this.heap[one], this.heap[other]];
    if (first && second) [this.heap[one], this.heap[other]] = [second, first];
  }
}
