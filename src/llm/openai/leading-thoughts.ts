/** DeepSeek, Qwen and many others write the first one; Amazon Nova, and models that were told to, the second. */
const tags = ['think', 'thinking'];

/**
 * Parts the thoughts from a text that begins with them, in `<think>…</think>`, as servers pass them on that do not read
 * what their model writes. Only the very beginning counts: whatever else looks like a tag belongs to the text.
 */
export class LeadingThoughts {
  private state: 'undecided' | 'thinking' | 'thought' | 'over' = 'undecided';
  /** What cannot be told yet to be one or the other. */
  private held = '';
  private closingTag = '';

  constructor(
    private readonly onThought: (text: string) => void,
    private readonly onText: (text: string) => void,
  ) {}

  /** True once all that is still to come is text. */
  get isOver(): boolean {
    return this.state === 'over';
  }

  push(text: string): void {
    this.held += text;
    if (this.state === 'undecided') this.decide();
    if (this.state === 'thinking') this.think();
    if (this.state === 'thought') this.skipBlanks();
  }

  /** There is nothing more: what was held is what it looks like by itself. */
  end(): void {
    if (this.state === 'undecided') this.goOn(this.held);
    else if (this.state === 'thinking') this.giveThought(this.held);
    this.state = 'over';
  }

  private decide(): void {
    const begun = this.held.trimStart();
    const tag = tags.find((name) => begun.startsWith(`<${name}>`));
    if (tag !== undefined) {
      this.state = 'thinking';
      this.held = begun.slice(tag.length + 2);
      this.closingTag = `</${tag}>`;
    } else if (!tags.some((name) => `<${name}>`.startsWith(begun))) this.goOn(this.held);
  }

  private think(): void {
    const { held, closingTag } = this;
    const end = held.indexOf(closingTag);
    if (end !== -1) {
      this.giveThought(held.slice(0, end));
      this.state = 'thought';
      this.held = held.slice(end + closingTag.length);
      return;
    }
    // Its last characters may be the beginning of the closing tag.
    let kept = Math.min(held.length, closingTag.length - 1);
    while (!held.endsWith(closingTag.slice(0, kept))) kept -= 1;
    this.held = held.slice(held.length - kept);
    this.giveThought(held.slice(0, held.length - kept));
  }

  private skipBlanks(): void {
    this.held = this.held.trimStart();
    if (this.held !== '') this.goOn(this.held);
  }

  private giveThought(text: string): void {
    if (text !== '') this.onThought(text);
  }

  private goOn(text: string): void {
    this.state = 'over';
    this.held = '';
    if (text !== '') this.onText(text);
  }
}
