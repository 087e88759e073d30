import type { Language } from './words.js';

const LOCALES: Readonly<Record<Language, string>> = { fr: 'fr', en: 'en', es: 'es', zh: 'zh-Hant' };

function groupSignOf(language: Language): string {
  return (
    new Intl.NumberFormat(LOCALES[language], { useGrouping: 'always' })
      .formatToParts(1_234_567.8)
      .find((part) => part.type === 'group')?.value ?? ''
  );
}

/**
 * Parses a number such as `12 000`, `12,000` or `1.2`. Null if it is ambiguous: a single group of three digits after
 * the language's decimal separator, as in the French `3,500`, or in an unknown language.
 */
export function numberIn(text: string, language: Language | null): number | null {
  const digits = text.replaceAll(/[\s\u00a0\u202f]/g, '');
  const signs = digits.match(/[.,’']/g) ?? [];
  const [first = '', last = ''] = [signs[0], signs.at(-1)];
  if (signs.length === 0) return Number(digits);
  if (signs.length === 1) {
    if (!isGrouped(digits, first)) return /[.,]/.test(first) ? Number(digits.replace(first, '.')) : null;
    const isGroup = language !== null && first === groupSignOf(language);
    return isGroup ? Number(digits.replace(first, '')) : null;
  }
  // The first sign groups thousands; a different one behind it begins the decimals.
  const groups = first === last ? digits : digits.slice(0, digits.lastIndexOf(last));
  if (!isGrouped(groups, first)) return null;
  const rest = first === last ? '' : digits.slice(digits.lastIndexOf(last) + 1);
  return Number(`${groups.replaceAll(first, '')}.${rest}`);
}

/** Whether the digits after the sign are groups of three. */
function isGrouped(digits: string, sign: string): boolean {
  const [head = '', ...groups] = digits.split(sign);
  return /^[1-9]\d{0,2}$/.test(head) && groups.every((group) => /^\d{3}$/.test(group));
}
