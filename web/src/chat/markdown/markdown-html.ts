import { Marked, type Tokens } from 'marked';

import { isForeignLink } from './foreign-links.js';

export interface MarkdownContext {
  /** The numbers of the sources: [2] is a button where there is a second one. */
  markers: readonly number[];
  /** Web addresses that no stranger can have had written, for comparing. Null: no link can be a stranger's. */
  trusted: readonly string[] | null;
}

/** The HTML of Markdown, in which only what Markdown means has been made safe. */
export function markdownHtml(source: string, context: MarkdownContext): string {
  const parser = parsers.get(context) ?? parserFor(context);
  parsers.set(context, parser);
  return parser.parse(source, { async: false });
}

/** Making one takes as long as reading a short text. */
const parsers = new WeakMap<MarkdownContext, Marked>();

function parserFor({ markers, trusted }: MarkdownContext): Marked {
  return new Marked({
    gfm: true,
    breaks: true,
    renderer: {
      html: ({ text }) => escaped(text),
      image: ({ href, text }) => linkTo(href, escaped(text === '' ? href : text), trusted),
      link({ href, tokens }: Tokens.Link) {
        return linkTo(href, this.parser.parseInline(tokens), trusted);
      },
      // A message is a part of a page that has headings of its own.
      heading({ depth, tokens }) {
        const level = Math.min(depth + 1, 6);
        return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
      },
      checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
      table(token) {
        const row = (cells: Tokens.TableCell[], tag: 'th' | 'td'): string =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const rows = token.rows.map((cells) => row(cells, 'td')).join('');
        // Wide tables are moved by the keyboard too.
        return `<div class="wide" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${rows}</tbody></table></div>`;
      },
    },
    extensions: [
      {
        name: 'marker',
        level: 'inline',
        start: (text) => /\[\d/.exec(text)?.index,
        tokenizer: (text) => {
          const found = /^\[(\d{1,3})\](?![(:])/.exec(text);
          if (!found || !markers.includes(Number(found[1]))) return undefined;
          return { type: 'marker', raw: found[0], marker: found[1] };
        },
        renderer: ({ marker }) =>
          `<button type="button" class="marker" data-marker="${String(marker)}">${String(marker)}</button>`,
      },
    ],
  });
}

/** Where it leads is said beside it, where a stranger may have chosen that. */
function linkTo(href: string, face: string, trusted: readonly string[] | null): string {
  const url = urlOf(href);
  if (!url) return face;
  const isForeign = isForeignLink(url, trusted);
  const shown = isForeign ? ` <span class="leads-to">(${escaped(url.host || url.href)})</span>` : '';
  const style = isForeign ? ' class="foreign"' : '';
  return `<a href="${escaped(url.href)}" target="_blank" rel="noopener noreferrer nofollow"${style} title="${escaped(url.href)}">${face}</a>${shown}`;
}

function urlOf(href: string): URL | null {
  const url = URL.parse(href);
  return url && ['https:', 'http:', 'mailto:'].includes(url.protocol) ? url : null;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
