interface Run {
  character: string;
  length: number;
  startsLine: boolean;
}

/** What may come before a fence on its line: marks of quotes and lists, blanks. */
const beforeFence = /^[ \t>*+\-.)\d]*$/;
const MIN_FENCE = 3;

/** Whether a text is in Markdown code. Inline code ends with its line: a lone backtick may be an apostrophe. */
export class CodeMarks {
  private fence: Run | null = null;
  /** The number of backticks that opened inline code in this line; 0: none is open. */
  private inlineLength = 0;
  private run: Run | null = null;
  private isLineStart = true;

  /** Valid only after a character that is not a mark. */
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

  /** Reads text without marks and line breaks. */
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
    } else if (run.startsLine && run.length >= MIN_FENCE) this.fence = run;
    else if (run.character === '`') this.inlineLength = this.inlineAfter(run);
  }

  private inlineAfter({ length }: Run): number {
    if (this.inlineLength === 0) return length;
    return this.inlineLength === length ? 0 : this.inlineLength;
  }
}
