import { singleLine } from '../../../common/text/data-text.js';

/** Of one call. */
const MOST_LINES = 20;
const MOST_CHARACTERS = 200;

/** What calls that are carried out at the same time tell people meanwhile, one line after the other. */
export class ProgressLines {
  private readonly lines: string[] = [];
  private told = Promise.withResolvers<void>();

  /** One call's: what it tells too often, twice in a row, or after its end is left out. */
  ofCall(): { tell: (detail: string) => void; end: () => void } {
    let left = MOST_LINES;
    let last = '';
    const tell = (detail: string): void => {
      const line = singleLine(String(detail), MOST_CHARACTERS);
      if (left <= 0 || line === '' || line === last) return;
      left -= 1;
      last = line;
      this.lines.push(line);
      this.told.resolve();
    };
    return { tell, end: () => void (left = 0) };
  }

  /** What is told until `end`, which never rejects: all of it that was told before. */
  async *until(end: Promise<unknown>): AsyncGenerator<string, void> {
    let isOver = false;
    const over = end.then(() => void (isOver = true));
    for (;;) {
      // One by one: more may be told while somebody has one in hand.
      for (let line = this.lines.shift(); line !== undefined; line = this.lines.shift()) yield line;
      if (isOver) return;
      this.told = Promise.withResolvers<void>();
      await Promise.race([this.told.promise, over]);
    }
  }
}
