interface Run {
  character: string;
  length: number;
  startsLine: boolean;
}

/** What may stand before a fence on its line: quotes, lists, blanks. */
const beforeFence = /^[ \t>*+\-.)\d]*$/;
const SHORTEST_FENCE = 3;

/**
 * Whether a text that is read letter by letter is at a place that Markdown shows as code: between backticks, or in a
 * fence. Backticks that are not closed on their line are none, as in an apostrophe that somebody typed so.
 */
export class CodeMarks {
  private fence: Run | null = null;
  /** Of backticks that opened code in this line; 0: none did. */
  private inlineLength = 0;
  private run: Run | null = null;
  private isLineStart = true;

  /** To be asked after a letter that is no mark itself. */
  get isInside(): boolean {
    return this.fence !== null || this.inlineLength > 0;
  }

  read(character: string): void {
    if (character === '`' || character === '~') return this.mark(character);
    this.endRun();
    if (character === '\n') {
      this.inlineLength = 0;
      this.isLineStart = true;
    } else this.isLineStart &&= beforeFence.test(character);
  }

  /** Reads what has no mark and no line break in it. */
  readPlain(text: string): void {
    if (text === '') return;
    this.endRun();
    this.isLineStart &&= beforeFence.test(text);
  }

  private mark(character: string): void {
    if (this.run?.character === character) this.run.length += 1;
    else {
      this.endRun();
      this.run = { character, length: 1, startsLine: this.isLineStart };
    }
    this.isLineStart = false;
  }

  private endRun(): void {
    const { run, fence } = this;
    if (run === null) return;
    this.run = null;
    if (fence !== null) {
      const closes = run.startsLine && run.character === fence.character && run.length >= fence.length;
      if (closes) this.fence = null;
    } else if (run.startsLine && run.length >= SHORTEST_FENCE) this.fence = run;
    else if (run.character === '`') this.inlineLength = this.inlineAfter(run);
  }

  private inlineAfter({ length }: Run): number {
    if (this.inlineLength === 0) return length;
    return this.inlineLength === length ? 0 : this.inlineLength;
  }
}
