import { DocumentRefused } from '../../parsed-document.js';
import { levelByName } from '../docx/styles.js';
import { symbolOf } from '../docx/symbols.js';
import type { Block } from '../markdown/pieces.js';
import { atHeight, type TextHeight } from '../markdown/raised-text.js';
import type { Losses } from '../package/losses.js';
import { decoded, encodingOfCharset, encodingOfCodePage } from './code-pages.js';
import { RtfBlocks } from './rtf-blocks.js';
import {
  characters,
  LEFT_OUT,
  newGroup,
  newParagraph,
  plainText,
  STARRED,
  type Destination,
  type GroupState,
} from './rtf-state.js';
import { rtfTokens, type RtfToken } from './rtf-tokens.js';
import { remark } from '../../remarks.js';

/** Some programs forget to close thousands of groups. More would only fill the memory. */
const MAX_DEPTH = 100_000;
const SYMBOLS = 2;
const MAX_PENDING_BYTES = 1_000_000;

const destinations: Readonly<Record<string, Destination>> = {
  fonttbl: 'fonts',
  stylesheet: 'styles',
  listtext: 'label',
  pntext: 'label',
  footnote: 'note',
  header: 'frame',
  headerf: 'frame',
  headerl: 'frame',
  headerr: 'frame',
  footer: 'frame',
  footerf: 'frame',
  footerl: 'frame',
  footerr: 'frame',
};

const heights: Readonly<Record<string, TextHeight>> = {
  super: 'raised',
  up: 'raised',
  sub: 'lowered',
  dn: 'lowered',
  nosupersub: null,
};

/** Whether its text is separate from the text around it. */
function isAside(destination: Destination | null): boolean {
  return destination === 'note' || destination === 'frame';
}

/** Reads the tokens of an RTF file once and gives its content. */
export class RtfReader {
  private readonly blocks = new RtfBlocks();
  private readonly fonts = new Map<number, { name: string; charset: number }>();
  private readonly headings = new Map<number, number>();
  private groups: GroupState[] = [];
  private state: GroupState = newGroup;
  private encoding = encodingOfCodePage(1252);
  /** Each character is a byte. */
  private pending = '';
  private toSkip = 0;
  private isStarred = false;
  private collected = '';

  constructor(private readonly losses: Losses) {}

  *blocksOf(bytes: Uint8Array): Generator<Block> {
    for (const token of rtfTokens(bytes)) {
      this.take(token);
      yield* this.blocks.taken();
    }
    this.flush();
    if (this.groups.length > 0) this.losses.add('BROKEN_OFF');
    this.blocks.end(this.state.paragraph);
    yield* this.blocks.taken();
  }

  private take(token: RtfToken): void {
    switch (token.kind) {
      case 'open':
        return this.open();
      case 'close':
        return this.close();
      case 'text':
        return this.takeText(token.text);
      case 'symbol':
        return this.takeSymbol(token.symbol);
      case 'word':
        this.takeWord(token.word, token.value);
        this.isStarred = false;
    }
  }

  private open(): void {
    this.flush();
    this.toSkip = 0;
    if (this.groups.length >= MAX_DEPTH) throw nestedTooDeep();
    this.groups.push(this.state);
    this.state = { ...this.state };
  }

  private close(): void {
    this.flush();
    this.toSkip = 0;
    const { destination, isSkipped } = this.state;
    const outer = this.groups.pop();
    if (!outer) return;
    this.state = outer;
    if (isSkipped) return;
    if (destination === 'styles') this.endStyle();
    else if (destination === outer.destination) return;
    else if (destination === 'label') this.blocks.setLabel(this.collected);
    else if (destination === 'note') this.blocks.endNote();
    else if (destination === 'frame') this.blocks.endFrame();
    if (!isAside(destination)) this.collected = '';
  }

  private takeText(text: string): void {
    this.isStarred = false;
    if (this.state.isSkipped) return;
    this.pending += text.slice(this.toSkip);
    this.toSkip = Math.max(0, this.toSkip - text.length);
    if (this.pending.length > MAX_PENDING_BYTES) this.flush();
  }

  private takeSymbol(symbol: string): void {
    if (symbol === '*') {
      this.isStarred = true;
      return;
    }
    if (this.toSkip > 0) {
      this.toSkip--;
      return;
    }
    if (symbol === '\n' || symbol === '\r') this.takeWord('par', null);
    else if (symbol === '~') this.add(' ');
    else if (symbol === '_') this.add('-');
    else if ('\\{}'.includes(symbol)) this.add(symbol);
    else if (symbol === '\t') this.add(' ');
  }

  private takeWord(word: string, value: number | null): void {
    const destination = destinations[word];
    if (word === 'annotation' && !this.state.isSkipped) this.losses.count('COMMENTS_LEFT_OUT');
    if (LEFT_OUT.has(word) || (this.isStarred && !STARRED.has(word))) this.state.isSkipped = true;
    else if (this.state.isSkipped) return;
    else if (word === 'pict') this.leaveOut(() => this.losses.count('PICTURES_LEFT_OUT'));
    else if (word === 'object') this.leaveOut(() => this.losses.add('OBJECTS_LEFT_OUT'));
    else if (destination) this.enter(destination);
    else if (word === 'u') this.takeCharacter(value ?? 0);
    else if (characters[word] !== undefined) this.add(characters[word]);
    else this.format(word, value);
  }

  private leaveOut(tell: () => void): void {
    tell();
    this.state.isSkipped = true;
  }

  private enter(destination: Destination): void {
    this.flush();
    // Notes and headers do not nest.
    if (isAside(destination) && isAside(this.state.destination)) return;
    if (isAside(destination)) this.blocks.beginAside();
    else this.collected = '';
    this.state.destination = destination;
  }

  private takeCharacter(value: number): void {
    this.add(String.fromCharCode(value < 0 ? value + 65_536 : value));
    this.toSkip = this.state.fallbackCharacters;
  }

  private format(word: string, value: number | null): void {
    const { state } = this;
    switch (word) {
      case 'ansicpg':
        this.encoding = encodingOfCodePage(value ?? 1252);
        return;
      case 'mac':
        this.encoding = 'macintosh';
        return;
      case 'uc':
        state.fallbackCharacters = Math.max(0, value ?? 1);
        return;
      case 'v':
      case 'deleted':
        this.flush();
        state.isHidden = value !== 0;
        return;
      case 'plain':
        this.flush();
        Object.assign(state, plainText);
        return;
      case 'fcharset':
        this.fonts.set(state.font ?? 0, { name: '', charset: value ?? 0 });
        return;
      case 'par':
      case 'sect':
      case 'page':
      case 'cell':
      case 'row':
        return this.endSomething(word);
      default:
        this.blocks.define(word, value);
        this.formatText(word, value);
        this.formatParagraph(word, value);
    }
  }

  /** Words that set the font or the height of the next characters. */
  private formatText(word: string, value: number | null): void {
    const { state } = this;
    const height = heights[word];
    if (height === undefined && !['f', 'af', 'loch', 'hich', 'dbch'].includes(word)) return;
    this.flush();
    if (height !== undefined) state.height = value === 0 ? null : height;
    else if (word === 'f') state.font = value;
    else if (word !== 'af') state.isEastern = word === 'dbch';
    else if (state.isEastern) state.easternFont = value;
  }

  private formatParagraph(word: string, value: number | null): void {
    const { state } = this;
    const changed = { ...state.paragraph };
    if (word === 'pard') Object.assign(changed, newParagraph);
    else if (word === 's') changed.style = value;
    else if (word === 'outlinelevel')
      changed.headingLevel = value !== null && value >= 0 && value < 9 ? value + 1 : null;
    else if (word === 'ilvl') changed.listLevel = value ?? 0;
    else if (word === 'intbl') changed.isInTable = true;
    else return;
    state.paragraph = changed;
  }

  private endSomething(word: string): void {
    this.flush();
    const { destination, paragraph } = this.state;
    if (destination !== null && !isAside(destination)) return;
    if (destination === 'frame') this.blocks.add(' ');
    else if (word === 'cell') this.blocks.endCell();
    else if (word === 'row') this.blocks.endRow();
    else if (word === 'page') this.blocks.add(' ');
    else
      this.blocks.endParagraph(
        paragraph,
        paragraph.headingLevel ?? this.headings.get(paragraph.style ?? -1) ?? null,
      );
  }

  private endStyle(): void {
    const { style, headingLevel } = this.styleRead ?? newParagraph;
    const level = headingLevel ?? levelByName(this.collected.replace(/;.*$/s, ''));
    if (style !== null && level !== null) this.headings.set(style, level);
    this.collected = '';
    this.styleRead = null;
  }

  private styleRead: GroupState['paragraph'] | null = null;

  private add(text: string): void {
    this.flush();
    this.show(text);
  }

  private show(text: string): void {
    const { destination, isSkipped, isHidden, height, font, paragraph } = this.state;
    if (isSkipped || text === '') return;
    if (destination === 'fonts') {
      const known = this.fonts.get(font ?? 0) ?? { name: '', charset: 0 };
      this.fonts.set(font ?? 0, { ...known, name: `${known.name}${text}`.slice(0, 100) });
    } else if (destination === 'styles' || destination === 'label') {
      this.collected = `${this.collected}${text}`.slice(0, 1_000);
      if (destination === 'styles') this.styleRead = paragraph;
    } else if (isHidden) this.losses.add('HIDDEN_TEXT_LEFT_OUT');
    else this.blocks.add(atHeight(text, height));
  }

  /** Decodes the pending bytes with the encoding of their font. */
  private flush(): void {
    if (this.pending === '') return;
    const { font, easternFont, isEastern } = this.state;
    const found = this.fonts.get((isEastern ? (easternFont ?? font) : font) ?? -1);
    const bytes = Buffer.from(this.pending, 'latin1');
    this.pending = '';
    if (found?.charset === SYMBOLS && this.state.destination !== 'fonts')
      this.show(Array.from(bytes, (byte) => (byte > 0x20 ? symbolOf(found.name, byte) : ' ')).join(''));
    else this.show(decoded(bytes, encodingOfCharset(found?.charset ?? 0) ?? this.encoding));
  }
}

function nestedTooDeep(): DocumentRefused {
  return new DocumentRefused(remark('GROUPS_NESTED_TOO_DEEP', { most: MAX_DEPTH }));
}
