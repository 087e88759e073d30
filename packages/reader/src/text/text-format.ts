import { DocumentRefused, type TextFormat } from '../parsed-document.js';
import { looksLikeCsv } from './csv/csv-separator.js';
import { refuseMail } from './mail.js';
import { extensionOf, promisedFormatOf } from './name-extension.js';

const HEAD_CHARACTERS = 20_000;

/** Fewer tags say nothing: an angle bracket may be part of a formula. */
const TELLING_TAGS = 8;

/** Extensions of any text. A file with another one, such as a program, is left as it is. */
const SAYING_NOTHING = new Set(['', 'txt', 'text', 'dat', 'asc']);

/** What may precede the first element. A comment ends at its first end mark, to avoid backtracking. */
const ABOVE = /^\s*(?:(?:<\?xml[^>]*>|<!--(?:(?!-->).)*-->|<!doctype svg[^>]*>)\s*)*/is;

const picture =
  'This is a picture (SVG). Upload a document; what is written in a picture has to be recognised first (OCR).';

const refused: readonly (readonly [head: RegExp, reason: string])[] = [
  [/^%!PS-/, 'This is a PostScript file. Save it as a PDF and upload that.'],
  [
    /^\s*<\?xml[^>]*>\s*<\?mso-application progid="(?:Word|Excel)/i,
    'This is an Office document in XML of 2003. Open it in its program, save it as .docx or .xlsx and upload that.',
  ],
  [
    /^\s*<\?xml[^>]*>\s*<office:document\s/,
    'This is an OpenDocument file in a single XML. Save it as .odt, .ods or .odp and upload that.',
  ],
];

/** Detects the kind of a text by its content. Throws DocumentRefused for text that is for machines only. */
export function textFormatOf(text: string, name: string): TextFormat {
  const head = text.slice(0, HEAD_CHARACTERS);
  const element = head.replace(ABOVE, '');
  if (/^<svg[\s>]/i.test(element)) throw new DocumentRefused(picture);
  const [, reason] = refused.find(([pattern]) => pattern.test(head)) ?? [];
  if (reason !== undefined) throw new DocumentRefused(reason);
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
