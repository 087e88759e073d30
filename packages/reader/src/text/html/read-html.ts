import { Parser } from 'htmlparser2';

import { type Block, piecesOf } from '../../office/markdown/pieces.js';
import { Losses } from '../../office/package/losses.js';
import { DocumentRefused } from '../../parsed-document.js';
import { type HtmlAttributes, HtmlBlocks } from './html-blocks.js';
import { HtmlHeights } from './html-heights.js';
import type { TextReading } from '../../page-reader.js';
import { remark, type Remark } from '../../remarks.js';

const CHARACTERS_AT_A_TIME = 65_536;

/** The parser's time grows with the depth, and old pages leave thousands of tags open. */
const MAX_DEPTH = 20_000;

/** Elements without readable text, navigation, deleted text, and pronunciation. */
const SKIPPED = new Set(
  (
    'area audio canvas datalist del dialog embed iframe link map meta nav noscript object param progress rp rt rtc ' +
    'script style svg template title video'
  ).split(' '),
);

/** A menu with this many links within the page is its table of contents. */
const MIN_CONTENTS_LINKS = 3;

/** Reads the visible text of a page with headings, lists and tables. */
export function* readHtml(html: string): TextReading {
  const page = new Page(!/<h1[\s>]/i.test(html), new HtmlHeights(html));
  yield* piecesOf(blocksOf(page, html));
  return [...page.losses.warnings(), ...(page.hasText ? [] : insteadOfText(html))];
}

/** Explains why a page without text is empty. */
function insteadOfText(html: string): Remark[] {
  if (/<i?frame[\s>]/i.test(html)) return [remark('SHOWN_IN_FRAMES')];
  if (/<script[\s>]/i.test(html)) return [remark('MADE_BY_SCRIPTS')];
  const pictures = html.match(/<(?:img|svg|canvas|picture)[\s>]/gi)?.length ?? 0;
  return pictures === 0 ? [] : [remark('PICTURES_LEFT_OUT', { count: pictures })];
}

function* blocksOf(page: Page, html: string): Generator<Block> {
  for (let start = 0; start < html.length; start += CHARACTERS_AT_A_TIME)
    yield* page.read(html.slice(start, start + CHARACTERS_AT_A_TIME));
  yield* page.end();
}

class Page {
  /** Text besides the title. */
  hasText = false;
  readonly losses = new Losses();
  private isInTitle = false;
  private readonly blocks: HtmlBlocks;
  private readonly parser: Parser;
  private depth = 0;
  /** Links within the page from skipped elements. */
  private contentsLinks = 0;
  /** The depth at which the skipped element began; null: nothing is skipped. */
  private skippedFrom: number | null = null;

  /** `isTitleRead`: the title becomes the heading, as the page has none. */
  constructor(
    private isTitleRead: boolean,
    heights: HtmlHeights,
  ) {
    this.blocks = new HtmlBlocks(heights);
    this.parser = new Parser({
      onopentag: (name, attributes) => this.open(name, attributes),
      ontext: (text) => {
        if (this.skippedFrom !== null) return;
        this.hasText ||= !this.isInTitle && text.trim() !== '';
        this.blocks.text(text);
      },
      onclosetag: (name) => this.close(name),
    });
  }

  read(html: string): Block[] {
    this.parser.write(html);
    return this.blocks.drain();
  }

  end(): Block[] {
    this.parser.end();
    this.blocks.end();
    return this.blocks.drain();
  }

  private open(name: string, attributes: HtmlAttributes): void {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new DocumentRefused(remark('PAGE_NESTED_TOO_DEEP'));
    if (holdsFile(name, attributes)) this.losses.add('OBJECTS_LEFT_OUT');
    if (this.skippedFrom !== null && /^#./.test(attributes.href ?? '')) this.contentsLinks += 1;
    if (this.contentsLinks === MIN_CONTENTS_LINKS) this.losses.add('CONTENTS_LEFT_OUT');
    if (this.skippedFrom !== null) return;
    if (name === 'title' && this.isTitleRead) this.beginTitle();
    else if (isSkipped(name, attributes)) this.skippedFrom = this.depth;
    else this.blocks.open(name, attributes);
  }

  private close(name: string): void {
    const isOpen = this.skippedFrom === null;
    if (this.skippedFrom === this.depth) this.skippedFrom = null;
    this.depth -= 1;
    if (!isOpen) return;
    this.blocks.close(name === 'title' ? 'h1' : name);
    if (name === 'title') this.endTitle();
  }

  private beginTitle(): void {
    this.isInTitle = true;
    this.blocks.open('h1', {});
  }

  private endTitle(): void {
    this.isInTitle = false;
    this.isTitleRead = false;
  }
}

/** Whether the element embeds a file. */
function holdsFile(name: string, { src, data, href, srcdoc }: HtmlAttributes): boolean {
  if (!/^(?:a|embed|iframe|object)$/.test(name)) return false;
  return srcdoc !== undefined || [src, data, href].some((address) => /^\s*data:/i.test(address ?? ''));
}

function isSkipped(name: string, attributes: HtmlAttributes): boolean {
  return (
    SKIPPED.has(name) ||
    (name === 'option' && attributes.selected === undefined) ||
    attributes.hidden !== undefined ||
    attributes.role === 'navigation' ||
    /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes.style ?? '')
  );
}
