import { CodeMarks } from '../../../common/text/code-marks.js';

export const CLOSING_TAG = '</think>';
const OPENING_TAGS = ['<think>', '<thinking>'];
const TAGS = [CLOSING_TAG, ...OPENING_TAGS];
const notable = /[<`~\n]/;

/**
 * Looks, letter by letter, for the end of thoughts that no tag has opened. A closing tag is that end only outside of
 * code and at the end of its line, where models write it: elsewhere it is spoken of.
 */
export class ThoughtsEnd {
  private readonly code = new CodeMarks();
  /** What the last letters have of a tag. */
  private tag = '';
  /** True once there is no end to be found any more. */
  isVain = false;

  /** `mindsOpenings`: what is closed after an opening tag belongs to that. */
  constructor(private readonly options: { mindsOpenings: boolean }) {}

  /** How many of the last letters may belong to the end. */
  get pendingLength(): number {
    return CLOSING_TAG.startsWith(this.tag) && !this.code.isInside ? this.tag.length : 0;
  }

  /** True right behind a closing tag: where the text ends there, so do the thoughts. */
  get isBehindTag(): boolean {
    return this.pendingLength === CLOSING_TAG.length;
  }

  /** Reads on. Where in `text` the line of the closing tag is over; null: not yet. */
  find(text: string): number | null {
    // Nearly all of a text, which comes a word at a time.
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
