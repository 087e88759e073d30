import { CodeMarks } from '../code-marks.js';

/** DeepSeek, Qwen and many others write the first. Amazon Nova, and models told to, write the second. */
const tags = ['think', 'thinking'];

/** The most text that is taken for thoughts: more than models think. */
export const MAX_WITHHELD_CHARACTERS = 400_000;

interface ThoughtsListener {
  onThought(text: string): void;
  onText(text: string): void;
  /** Called when thoughts end without an opening tag: all text so far was thoughts. */
  onUnopened(): void;
  /** Called when there were no thoughts: everything so far comes again as text. */
  onNone(): void;
}

/**
 * Separates thoughts from a text that begins with `<think>…</think>`, as servers send them that do not parse the
 * model's output. Only the beginning counts: later tags are text. If the chat template opened the thoughts in the
 * prompt, the text begins inside them, and only their end shows that.
 */
export class LeadingThoughts {
  private state: 'undecided' | 'thinking' | 'thought' | 'unopened' | 'over' = 'undecided';
  /** Text that may be either. */
  private held = '';
  private closingTag = '';
  private readonly ending: ThoughtsEnd;
  /** Thoughts that may turn out to be the answer. Null: cannot happen. */
  private withheld: string | null;
  private isApart = false;
  /** Whether a text began without a tag. */
  private isUntagged = false;
  private isUnopened = false;

  /** `areBegun`: the text should begin inside thoughts. */
  constructor(
    private readonly listener: ThoughtsListener,
    private readonly options: { areBegun: boolean },
  ) {
    this.withheld = options.areBegun ? '' : null;
    this.ending = new ThoughtsEnd({ mindsOpenings: !options.areBegun });
  }

  /** True once everything still to come is text. */
  get isOver(): boolean {
    return this.state === 'over';
  }

  /** At the end: true if a text lacks the expected thoughts. */
  get areMissing(): boolean {
    return this.options.areBegun && this.isUntagged && !this.isUnopened;
  }

  /** The provider sends thoughts separately, so a text has only those with an opening tag. */
  areApart(): void {
    this.isApart = true;
    if (this.state === 'unopened') this.goOn(this.held);
  }

  push(text: string): void {
    if (this.state === 'unopened') return this.look(text);
    this.held += text;
    if (this.state === 'undecided') this.decide();
    if (this.state === 'thinking') this.think();
    if (this.state === 'thought') this.skipBlanks();
  }

  /** At the end, held text counts as what it seems to be. */
  end(): void {
    if (this.state === 'unopened' && this.ending.isBehindTag) this.close(this.held, this.held.length);
    else if (this.state === 'unopened' || this.state === 'undecided') this.goOn(this.held);
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
    } else if (!tags.some((name) => `<${name}>`.startsWith(begun))) this.goUntagged();
  }

  private goUntagged(): void {
    this.isUntagged = true;
    const text = this.held;
    if (this.isApart) return this.goOn(text);
    this.state = 'unopened';
    this.held = '';
    this.look(text);
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
    // The last characters may begin the closing tag.
    let kept = Math.min(held.length, closingTag.length - 1);
    while (!held.endsWith(closingTag.slice(0, kept))) kept -= 1;
    this.held = held.slice(held.length - kept);
    this.giveThought(held.slice(0, held.length - kept));
  }

  /** Reads a text whose thoughts may end without an opening tag. */
  private look(text: string): void {
    const end = this.ending.find(text);
    const all = this.held + text;
    if (end !== null) return this.close(all, this.held.length + end);
    if (this.ending.isVain) return this.goOn(all);
    const known = all.length - this.ending.pendingLength;
    this.held = all.slice(known);
    if (this.withheld === null) this.giveText(all.slice(0, known));
    else this.withhold(this.withheld, all.slice(0, known));
  }

  private withhold(before: string, text: string): void {
    this.withheld = before + text;
    this.giveThought(text);
    if (this.withheld.length > MAX_WITHHELD_CHARACTERS) this.release();
  }

  private release(): void {
    const { withheld } = this;
    this.withheld = null;
    if (withheld === null || withheld === '') return;
    this.listener.onNone();
    this.giveText(withheld);
  }

  private close(text: string, end: number): void {
    this.withheld = null;
    this.isUnopened = true;
    this.listener.onUnopened();
    this.giveThought(text.slice(0, end - CLOSING_TAG.length));
    this.state = 'thought';
    this.held = text.slice(end);
    this.skipBlanks();
  }

  private skipBlanks(): void {
    this.held = this.held.trimStart();
    if (this.held !== '') this.goOn(this.held);
  }

  private giveThought(text: string): void {
    if (text !== '') this.listener.onThought(text);
  }

  private giveText(text: string): void {
    if (text !== '') this.listener.onText(text);
  }

  private goOn(text: string): void {
    this.state = 'over';
    this.held = '';
    this.release();
    this.giveText(text);
  }
}

const CLOSING_TAG = '</think>';
const OPENING_TAGS = ['<think>', '<thinking>'];
const TAGS = [CLOSING_TAG, ...OPENING_TAGS];
const notable = /[<`~\n]/;

/**
 * Searches for the end of thoughts without an opening tag. A closing tag counts only outside code and at the end of
 * its line, where models write it. Elsewhere the text is about the tag.
 */
class ThoughtsEnd {
  private readonly code = new CodeMarks();
  /** The part of a tag at the end of the text so far. */
  private tag = '';
  /** True once no end can be found. */
  isVain = false;

  /** `mindsOpenings`: a closing tag after an opening one belongs to it. */
  constructor(private readonly options: { mindsOpenings: boolean }) {}

  /** How many of the last letters may belong to the end. */
  get pendingLength(): number {
    return CLOSING_TAG.startsWith(this.tag) && !this.code.isInside ? this.tag.length : 0;
  }

  /** True directly after a closing tag. If the text ends there, the thoughts do too. */
  get isBehindTag(): boolean {
    return this.pendingLength === CLOSING_TAG.length;
  }

  /** Reads on. Returns the end of the closing tag's line in `text`. Null: not yet. */
  find(text: string): number | null {
    // The common case: text comes a word at a time.
    if (this.tag !== '' || notable.test(text)) return this.findIn(text);
    this.code.readPlain(text);
    return null;
  }

  private findIn(text: string): number | null {
    for (let at = 0; at < text.length && !this.isVain; at += 1) {
      const character = text.charAt(at);
      if (this.isBehindTag && (character === '\n' || character === '\r')) return at;
      this.read(character);
    }
    return null;
  }

  private read(character: string): void {
    this.code.read(character);
    const longer = this.tag + character;
    if (character === '<') this.tag = character;
    else if (this.tag !== '') this.tag = TAGS.some((tag) => tag.startsWith(longer)) ? longer : '';
    this.isVain = this.options.mindsOpenings && OPENING_TAGS.includes(this.tag);
  }
}
