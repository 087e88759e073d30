import MarkdownIt from 'markdown-it';

/** Letters and digits of any script, and the other characters that RFC 3986 allows in a URL. */
const addressLike = /[\p{L}\p{N}\p{M}\-._~:/?#[\]@!$&'()*+,;=%]+/gu;
const schemes = /(?:https?:)?\/\//giu;
/** Characters that rather end a sentence or a Markdown link than a URL. */
const trailing = /[.,;:!?)\]'*_~]+$/;

/** For comparing: without its fragment, which is not sent, and always https. Null: it is no web URL. */
export function normalAddress(address: string): string | null {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  url.hash = '';
  url.protocol = 'https:';
  return url.href;
}

/** The normalized web addresses in a text, also those without a scheme, such as `example.org/page`. */
export function namedAddresses(text: string): Set<string> {
  return addressesIn(text, (run) => (run.includes('.') ? [`https://${run}`] : []));
}

/** The normalized web addresses that a page or an app would follow: those with a scheme or `//`. */
export function linkedAddresses(text: string): Set<string> {
  return addressesIn(text, () => []);
}

function addressesIn(text: string, withoutScheme: (run: string) => string[]): Set<string> {
  const found = new Set<string>();
  for (const [run] of text.matchAll(addressLike)) {
    const starts = Array.from(run.matchAll(schemes), ({ index }) => index);
    const spellings = starts.length === 0 ? withoutScheme(run) : spellingsIn(run, starts);
    for (const one of spellings) {
      for (const spelling of [one, one.replace(trailing, '')]) {
        const address = normalAddress(spelling.startsWith('//') ? `https:${spelling}` : spelling);
        if (address !== null) found.add(address);
      }
    }
  }
  return found;
}

/** The end of an address in Markdown, or of one that contains another, is ambiguous: gives every possible reading. */
function spellingsIn(run: string, starts: readonly number[]): string[] {
  return starts.flatMap((start, index) => {
    const whole = run.slice(start);
    return [whole, whole.replace(/\).*$/su, ''), run.slice(start, starts[index + 1])];
  });
}

export interface MarkdownLink {
  /** With its scheme. */
  url: string;
  /** It is fetched as soon as the text is shown, and not only when somebody follows the link. */
  image: boolean;
}

const markdown = new MarkdownIt({ html: true, linkify: true });

/** The links and images of a Markdown text with absolute URLs, each URL once. */
export function markdownLinks(text: string): MarkdownLink[] {
  const found = new Map<string, boolean>();
  const add = (url: string, image: boolean): void => {
    const address = url.startsWith('//') ? `https:${url}` : url;
    if (URL.canParse(address)) found.set(address, image || (found.get(address) ?? false));
  };
  const tokens = markdown.parse(text, {}).flatMap((token) => [token, ...(token.children ?? [])]);
  for (const token of tokens) {
    if (token.type === 'link_open') add(token.attrGet('href') ?? '', false);
    if (token.type === 'image') add(token.attrGet('src') ?? '', true);
    // Raw HTML may fetch any address that it contains.
    if (token.type.startsWith('html_')) for (const url of linkedAddresses(token.content)) add(url, true);
  }
  return Array.from(found, ([url, image]) => ({ url, image }));
}
