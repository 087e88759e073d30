/**
 * Runs in its own thread, because a malicious page may keep its reader busy for minutes. Imports none of our modules,
 * so that it also starts from the sources.
 */
import { constants, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';

// The main thread has priority. On Linux a thread has its own priority (setpriority(2), "C library/kernel
// differences"). Elsewhere this would change the whole process.
if (platform() === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

export interface PageContent {
  title: string | null;
  byline: string | null;
  site: string | null;
  /** As written in the page. */
  published: string | null;
  /** BCP 47, according to the page. */
  language: string | null;
  markdown: string;
}

/** The parts of the DOM that are used here. */
interface PageNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly firstChild: PageNode | null;
  readonly nextSibling: PageNode | null;
  readonly parentNode: PageNode | null;
}
interface PageElement extends PageNode {
  readonly children: ArrayLike<PageElement>;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  remove(): void;
}
interface PageDocument extends PageElement {
  /** Null in a text without an element. */
  readonly documentElement: PageElement | null;
  readonly body: PageElement;
}

const TEXT = 3;

/** Readability takes quadratic time beyond these, and no real article is that large. */
const MAX_DEPTH = 200;
const MAX_ELEMENTS = 60_000;

/** A shorter article is a mistake of Readability. */
const MIN_ARTICLE_CHARACTERS = 140;

/** The article of a page as Markdown, or all its text if there is none. */
export function readPage(html: string, url: string): PageContent {
  const document = parse(html);
  const ownTitle = textOf(document.querySelector('title'));
  const language = document.querySelector('html[lang]')?.getAttribute('lang');
  for (const element of document.querySelectorAll('script, style, noscript, template, svg, iframe')) {
    if (element.getAttribute('type') !== 'application/ld+json') element.remove();
  }
  makeLinksAbsolute(document, url);
  const everything = readText(document.body);
  const article = everything.isReadable && everything.text !== '' ? findArticle(document) : null;
  const markdown = article === null ? '' : markdownOf(article.content);
  const isArticle = markdown.length >= Math.min(MIN_ARTICLE_CHARACTERS, everything.text.length / 2);
  return {
    title: article?.title || ownTitle,
    byline: article?.byline || null,
    site: article?.siteName || null,
    published: article?.publishedTime || null,
    language: language || article?.lang || null,
    markdown: isArticle ? markdown : everything.text,
  };
}

/** Pages may leave out html, head and body, and put other elements between them. */
function parse(html: string): PageDocument {
  const document = parseWhole(html);
  return hasBody(document)
    ? document
    : parseWhole(`<!doctype html><html><head></head><body>${html}</body></html>`);
}

function parseWhole(html: string): PageDocument {
  return (parseHTML(html) as unknown as { document: PageDocument }).document;
}

/** The parser finds a body only directly after a head, and otherwise creates an empty one. */
function hasBody({ documentElement }: PageDocument): boolean {
  const [first, second] = Array.from(documentElement?.children ?? []);
  return first?.nodeName === 'HEAD' && second?.nodeName === 'BODY';
}

function textOf(element: PageElement | null): string | null {
  return element?.textContent?.replaceAll(/\s+/g, ' ').trim() || null;
}

function findArticle(document: PageDocument) {
  return new Readability<PageElement>(document as unknown as ConstructorParameters<typeof Readability>[0], {
    serializer: (element) => element as unknown as PageElement,
  }).parse();
}

function makeLinksAbsolute(document: PageDocument, url: string): void {
  const given = document.querySelector('base')?.getAttribute('href');
  const base = (given && URL.parse(given, url)?.href) || url;
  for (const link of document.querySelectorAll('a[href]')) {
    const target = URL.parse(link.getAttribute('href') ?? '', base);
    if (target && ['http:', 'https:', 'mailto:'].includes(target.protocol))
      link.setAttribute('href', target.href);
    else link.removeAttribute('href');
  }
}

const blocks = new Set(
  (
    'ADDRESS ARTICLE ASIDE BLOCKQUOTE BR DD DIV DL DT FIELDSET FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR LI ' +
    'MAIN NAV OL P PRE SECTION TABLE TR UL'
  ).split(' '),
);

/** All text of a page, one paragraph for each block. No recursion, because pages may be nested deeply. */
function readText(body: PageElement): { text: string; isReadable: boolean } {
  const parts: string[] = [];
  let elements = 0;
  let depth = 0;
  let deepest = 0;
  let node: PageNode | null = body;
  while (node) {
    if (node.nodeType !== TEXT) elements += 1;
    else if (node.parentNode?.nodeName !== 'TITLE')
      parts.push(node.textContent?.replaceAll(/\s+/g, ' ') ?? '');
    if (blocks.has(node.nodeName)) parts.push('\n');
    if (node.firstChild) {
      depth += 1;
      deepest = Math.max(deepest, depth);
      node = node.firstChild;
      continue;
    }
    while (node && node !== body && !node.nextSibling) {
      depth -= 1;
      node = node.parentNode;
      if (node && blocks.has(node.nodeName)) parts.push('\n');
    }
    node = node === body ? null : (node?.nextSibling ?? null);
  }
  const lines = parts.join('').split('\n');
  const text = lines.map((line) => line.replaceAll(/ +/g, ' ').trim()).filter((line) => line !== '');
  return { text: text.join('\n\n'), isReadable: deepest <= MAX_DEPTH && elements <= MAX_ELEMENTS };
}

function markdownOf(content: PageElement | null | undefined): string {
  if (!content) return '';
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
  });
  // Only models read it: Markdown characters need no escape.
  service.escape = (text) => text;
  service.addRule('image', {
    filter: 'img',
    replacement: (_, node) => nodeOf(node).getAttribute('alt') ?? '',
  });
  service.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (text, node) => (isTable(nodeOf(node)) ? ` ${onOneLine(text)} |` : `\n\n${text}\n\n`),
  });
  service.addRule('row', {
    filter: 'tr',
    replacement: (text, node) => (isTable(nodeOf(node)) ? `\n|${text}${ruleBelow(nodeOf(node))}` : text),
  });
  service.addRule('rows', { filter: ['thead', 'tbody', 'tfoot'], replacement: (text) => text });
  service.addRule('table', { filter: 'table', replacement: (text) => `\n\n${text.trim()}\n\n` });
  const markdown = service.turndown(content as unknown as Parameters<typeof service.turndown>[0] & object);
  return markdown
    .replaceAll(/[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function nodeOf(node: unknown): PageElement {
  return node as PageElement;
}

function onOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
}

function tableOf(node: PageNode | null): PageElement | null {
  let found = node;
  while (found && found.nodeName !== 'TABLE') found = found.parentNode;
  return found as PageElement | null;
}

/** Whether the table has data, and is not for layout. */
function isTable(node: PageElement): boolean {
  return tableOf(node)?.querySelector('table') === null;
}

/** The delimiter row below a Markdown table's head. */
function ruleBelow(row: PageElement): string {
  const isFirst = tableOf(row)?.querySelector('tr') === row;
  return isFirst ? `\n|${' --- |'.repeat(row.children.length)}` : '';
}

parentPort?.on('message', ({ html, url }: { html: string; url: string }) => {
  parentPort?.postMessage(readPage(html, url), []);
});
