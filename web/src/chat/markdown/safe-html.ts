import DOMPurify from 'dompurify';

import { type MarkdownContext, markdownHtml } from './markdown-html.js';

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

/** The HTML of Markdown that nobody vouches for. Images are links to them, and HTML is its own text. */
export function safeHtml(source: string, context: MarkdownContext): TrustedHTML {
  return DOMPurify.sanitize(markdownHtml(source, context)) as unknown as TrustedHTML;
}
