import DOMPurify from 'dompurify';
import { Marked, type Tokens } from 'marked';

/** What of Markdown is shown. Nothing that loads, runs, or looks like a part of the console. */
const ALLOWED_TAGS =
  'p br hr blockquote pre code ul ol li h2 h3 h4 h5 h6 strong em del a table thead tbody tr th td button div span'.split(
    ' ',
  );
const ALLOWED_ATTR = ['href', 'rel', 'target', 'title', 'class', 'data-marker', 'type', 'start', 'tabindex'];

// Once: reading it takes as long as a short text. Nothing else uses the sanitiser.
DOMPurify.setConfig({ ALLOWED_TAGS, ALLOWED_ATTR, RETURN_TRUSTED_TYPE: true });

/** What may be written from right to left, whatever the language of the page. */
const WRITTEN = new Set(['P', 'UL', 'OL', 'DIV', 'BLOCKQUOTE', 'H2', 'H3', 'H4', 'H5', 'H6']);
DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (WRITTEN.has(node.tagName)) node.setAttribute('dir', 'auto');
});

export interface MarkdownContext {
  /** The numbers of the sources: [2] is a button where there is a second one. */
  markers: readonly number[];
  /** Links that strangers may have had written. Null: nobody has said yet, so any may be. */
  foreignLinks: readonly string[] | null;
}

/** The HTML of Markdown that nobody vouches for. Images are links to them, and HTML is its own text. */
export function safeHtml(source: string, context: MarkdownContext): TrustedHTML {
  const parser = parsers.get(context) ?? parserFor(context);
  parsers.set(context, parser);
  const html = parser.parse(source, { async: false });
  return DOMPurify.sanitize(html) as unknown as TrustedHTML;
}

/** Making one takes as long as reading a short text. */
const parsers = new WeakMap<MarkdownContext, Marked>();

function parserFor({ markers, foreignLinks }: MarkdownContext): Marked {
  return new Marked({
    gfm: true,
    breaks: true,
    renderer: {
      html: ({ text }) => escaped(text),
      image: ({ href, text }) => linkTo(href, escaped(text === '' ? href : text), foreignLinks),
      link({ href, tokens }: Tokens.Link) {
        return linkTo(href, this.parser.parseInline(tokens), foreignLinks);
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
function linkTo(href: string, face: string, foreignLinks: readonly string[] | null): string {
  const url = urlOf(href);
  if (!url) return face;
  const isForeign = foreignLinks === null || foreignLinks.includes(href);
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
