import { extensionOf, promisedFormatOf } from '../format/formats.js';
import { DocumentRefused, type TextFormat } from '../parsed-document.js';
import { looksLikeCsv } from './csv/csv-separator.js';
import { remark, type RemarkCode } from '../remarks.js';

const HEAD_CHARACTERS = 20_000;

/** Fewer tags say nothing: an angle bracket may be part of a formula. */
const TELLING_TAGS = 8;

/** Extensions of any text. A file with another one, such as a program, is left as it is. */
const SAYING_NOTHING = new Set(['', 'txt', 'text', 'dat', 'asc']);

/** What may precede the first element. A comment ends at its first end mark, to avoid backtracking. */
const ABOVE = /^\s*(?:(?:<\?xml[^>]*>|<!--(?:(?!-->).)*-->|<!doctype svg[^>[]*(?:\[[^\]]*\]\s*)?>)\s*)*/is;

const refused: readonly (readonly [head: RegExp, reason: RemarkCode])[] = [
  [/^%!PS-/, 'POSTSCRIPT'],
  [/^\s*<\?xml[^>]*>\s*<\?mso-application progid="(?:Word|Excel)/i, 'OFFICE_XML'],
  [/^\s*<\?xml[^>]*>\s*<office:document\s/, 'FLAT_OPEN_DOCUMENT'],
];

/** Detects the kind of a text by its content. Throws DocumentRefused for text that is for machines only. */
export function textFormatOf(text: string, name: string): TextFormat {
  const head = text.slice(0, HEAD_CHARACTERS);
  const element = head.replace(ABOVE, '');
  if (/^<(?:[a-z]\w*:)?svg[\s>]/i.test(element))
    throw new DocumentRefused(remark('PICTURE', { type: 'SVG' }));
  const [, reason] = refused.find(([pattern]) => pattern.test(head)) ?? [];
  if (reason !== undefined) throw new DocumentRefused(remark(reason));
  refuseMail(head);
  const promised = promisedFormatOf(name);
  if (isPage(element) || (promised !== 'markdown' && isHtml(head, promised === 'html'))) return 'html';
  if (promised === 'csv') return 'csv';
  if (promised === 'markdown' || looksLikeMarkdown(head)) return 'markdown';
  return SAYING_NOTHING.has(extensionOf(name)) && looksLikeCsv(text) ? 'csv' : 'text';
}

/** `element`: the text from its first element on. */
function isPage(element: string): boolean {
  return /^<(?:!doctype html|html|head|body)[\s>]/i.test(element);
}

function isHtml(head: string, isCalledSo: boolean): boolean {
  if (isCalledSo) return /<[a-z][^<>]*>/i.test(head);
  const tags = head.match(
    /<\/?(?:p|div|span|table|tr|td|th|br|a|h[1-6]|ul|ol|li|b|i|em|strong)(?:\s[^<>]*)?\/?>/gi,
  );
  // Markdown may begin with HTML tags, for example for a centred title.
  return /^\s*</.test(head) && (tags?.length ?? 0) >= TELLING_TAGS && !MARKDOWN_LINE.test(head);
}

/** A heading, a code fence, or the delimiter row of a table. */
const MARKDOWN_LINE = /^(?:#{1,6} \S|```|\|?[ \t]*:?-{3,}:?[ \t]*\|)/m;

/** A heading and another mark: shell comments begin with # too. */
function looksLikeMarkdown(head: string): boolean {
  if (head.startsWith('#!')) return false;
  const hasHeading = /^#{1,6} \S.*\n\s*\n/m.test(head) || /^\S.*\n(?:=|-){3,}\n/m.test(head);
  const others = [
    /^[ \t]*[-*+] \S/m,
    /^\|?[ \t]*:?-{3,}:?[ \t]*\|/m,
    /^```/m,
    /\[[^[\]\n]+\]\([^()\n]+\)/,
    /\*\*\S[^*\n]*\*\*/,
  ];
  return hasHeading && others.some((pattern) => pattern.test(head));
}

/** Headers that only programs write. */
const BY_PROGRAMS = new Set(['mime-version', 'message-id', 'received', 'return-path', 'dkim-signature']);
const BY_PEOPLE = new Set(['from', 'to', 'cc', 'date', 'subject', 'content-type', 'delivered-to']);

const HEADER = /^([!-9;-~]+):/;

/**
 * Throws DocumentRefused for an e-mail, or a page saved as one: most of it is encoded. A text that merely begins with
 * From: and Subject: is accepted. `head`: the beginning of the text.
 */
export function refuseMail(head: string): void {
  const headers = headersOf(head);
  const names = new Set(headers.map((header) => header.split(':', 1)[0]?.toLowerCase() ?? ''));
  const known = [...names].filter((name) => BY_PROGRAMS.has(name) || BY_PEOPLE.has(name));
  if (known.length < 2 || !known.some((name) => BY_PROGRAMS.has(name))) return;
  const isPage = headers.some((header) => /^content-type:\s*multipart\/related/i.test(header));
  throw new DocumentRefused(remark(isPage && !names.has('to') ? 'WEB_ARCHIVE' : 'EMAIL'));
}

/** The lines before the first blank one, with continuation lines joined; empty: they are not headers. */
function headersOf(head: string): string[] {
  const lines = head.trimStart().split('\n');
  const end = lines.findIndex((line) => line.trim() === '');
  const unfolded = lines
    .slice(0, end === -1 ? lines.length - 1 : end)
    // In a mailbox file, a line precedes each mail.
    .filter((line, index) => index > 0 || !/^From \S/.test(line))
    .join('\n')
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n');
  return unfolded.every((line) => HEADER.test(line)) ? unfolded : [];
}
