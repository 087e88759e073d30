/** Intl's formatters take far longer to make than to use. */
const formatters = new Map<string, Intl.DateTimeFormat>();

const MOST_LANGUAGES = 100;

/** The day that a Date says in UTC, so that `yesterday` below it can be told from it: `Monday 8 May 2023`. */
export const dayHeading = (day: Date, language: string): string =>
  formatterOf(language).format(day).replaceAll(',', '');

const formatterOf = (language: string): Intl.DateTimeFormat => {
  const known = formatters.get(language);
  if (known) return known;
  const made = makeFormatter(language);
  if (formatters.size < MOST_LANGUAGES) formatters.set(language, made);
  return made;
};

const makeFormatter = (language: string): Intl.DateTimeFormat => {
  const style: Intl.DateTimeFormatOptions = {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
    calendar: 'gregory',
    numberingSystem: 'latn',
  };
  try {
    // English as most of the world writes it: the day before the month.
    return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, style);
  } catch {
    return new Intl.DateTimeFormat('en-GB', style);
  }
};
