/** `language` when it is a tag that Intl takes, else English. */
export function localeOf(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** Intl's formatters take far longer to make than to use, and a prompt is built anew before every model call. */
function remembered<Formatter>(make: (locale: string) => Formatter): (locale: string) => Formatter {
  const made = new Map<string, Formatter>();
  return (locale) => {
    const formatter = made.get(locale) ?? make(locale);
    // Locales are those of assistants; a bound all the same, for a tag may have any extension.
    if (made.size < 100) made.set(locale, formatter);
    return formatter;
  };
}

const days = remembered(
  (locale) =>
    new Intl.DateTimeFormat(locale, {
      dateStyle: 'full',
      timeZone: 'UTC',
      calendar: 'gregory',
      numberingSystem: 'latn',
    }),
);
const numbers = remembered((locale) => new Intl.NumberFormat(locale, { numberingSystem: 'latn' }));
const names = {
  language: remembered((locale) => new Intl.DisplayNames([locale], { type: 'language' })),
  region: remembered((locale) => new Intl.DisplayNames([locale], { type: 'region' })),
};

/**
 * The day that a Date says in UTC, in words. Nothing finer: a prompt that changes by the minute is never in a provider's
 * cache.
 */
export const dayText = (day: Date, locale: string): string => days(locale).format(day);

/** `fr (français)`: the code first, and plainly. */
export function languageText(language: string, locale: string): string {
  const name = displayName('language', language, locale);
  return name === language ? language : `${language} (${name})`;
}

/** `Sénégal (SN)`. What is no ISO 3166-1 code stays as it is. */
export function countryText(country: string, locale: string): string {
  const name = displayName('region', country, locale);
  return name === country ? country : `${name} (${country})`;
}

/** An amount with its ISO 4217 code, `currency` null when it is not known. */
export function moneyText(amount: number, currency: string | null, locale: string): string {
  const plain = () => numberText(amount, locale);
  if (currency === null) return plain();
  try {
    const text = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      numberingSystem: 'latn',
      trailingZeroDisplay: 'stripIfInteger',
    }).format(amount);
    // A symbol alone is not enough for a skill that asks for the code.
    return text.includes(currency) ? text : `${text} (${currency})`;
  } catch {
    return `${plain()} ${currency}`;
  }
}

export const numberText = (value: number, locale: string): string => numbers(locale).format(value);

function displayName(type: 'language' | 'region', code: string, locale: string): string {
  const key = `${type} ${code} ${locale}`;
  const known = displayNames.get(key);
  if (known !== undefined) return known;
  const name = lookUp(type, code, locale);
  if (displayNames.size < 10_000) displayNames.set(key, name);
  return name;
}

/** Looking a name up takes longer than all the rest of a prompt. */
const displayNames = new Map<string, string>();

function lookUp(type: 'language' | 'region', code: string, locale: string): string {
  try {
    return names[type](locale).of(code) ?? code;
  } catch {
    return code;
  }
}
