/** Letters and digits of any script, and the other characters that RFC 3986 allows in a URL. */
const addressLike = /[\p{L}\p{N}\p{M}\-._~:/?#[\]@!$&'()*+,;=%]+/gu;
const schemes = /(?:https?:)?\/\//giu;
/** Characters that rather end a sentence or a Markdown link than a URL. */
const trailing = /[.,;:!?)\]'*_~]+$/;

/** For comparing: without its fragment, which is not sent, and always https. Null: not a web URL. */
export function normalAddress(address: string): string | null {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  url.hash = '';
  url.protocol = 'https:';
  return url.href;
}

/** The normalized web addresses in a text, also those without a scheme, such as `example.org/page`. */
export function namedAddresses(text: string): Set<string> {
  const found = new Set<string>();
  for (const [run] of text.matchAll(addressLike)) {
    const starts = Array.from(run.matchAll(schemes), ({ index }) => index);
    const named = run.includes('.') ? [`https://${run}`] : [];
    for (const one of starts.length === 0 ? named : spellingsIn(run, starts)) {
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
