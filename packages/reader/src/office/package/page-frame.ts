const PAGE =
  /(?<!\p{L})(?:pages?|página|pagina|(?:pág|pag|pg|p)(?=\.?\s*\d)|seite|of|sur|de|von|di|van)(?!\p{L})|[第共頁页]|ページ/giu;
const ROMAN = /(?<![\p{L}\d])[ivxlcdm]{1,6}(?![\p{L}\d])/gu;
/** Page number and number of pages. Three numbers may be a date, a longer one a year, one with a point a version. */
const MAX_NUMBERS = 2;
const NUMBER = /\d+/g;
const MAX_DIGITS = 3;

/** Whether a header or footer says more than the page number. */
export function saysMore(text: string): boolean {
  const rest = text.replaceAll(PAGE, ' ').replaceAll(ROMAN, ' ');
  const numbers = rest.match(NUMBER) ?? [];
  return (
    /\p{L}/u.test(rest) ||
    /\d\.\d/.test(rest) ||
    numbers.length > MAX_NUMBERS ||
    numbers.some((number) => number.length > MAX_DIGITS)
  );
}
