import type en from './en.json';
import type enOfScreens from './screens/en.json';

/** The languages of the interface, by their own names. What assistants answer in is another matter. */
export const languages = { fr: 'Français', en: 'English', es: 'Español', 'zh-Hant': '繁體中文' } as const;
export type Language = keyof typeof languages;

/** Those of the chat, the inbox and the frame are loaded first, those of the other screens with these. */
export type TextKey = keyof typeof en | keyof typeof enOfScreens;

/** A text, or one for each plural category that the language has. `{name}` is replaced by a value. */
export type Text = string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>);
type Catalogue = Partial<Record<TextKey, Text>>;

type Values = Readonly<Record<string, string | number>>;

const load: Record<Language, () => Promise<{ default: Catalogue }>> = {
  fr: () => import('./fr.json'),
  en: () => import('./en.json'),
  es: () => import('./es.json'),
  'zh-Hant': () => import('./zh-hant.json'),
};

const loadOfScreens: typeof load = {
  fr: () => import('./screens/fr.json'),
  en: () => import('./screens/en.json'),
  es: () => import('./screens/es.json'),
  'zh-Hant': () => import('./screens/zh-hant.json'),
};

let hasScreens = false;
/** Which is loaded, or will be. */
let wanted: Language = 'en';
let current: { language: Language; catalogue: Catalogue; plurals: Intl.PluralRules } | null = null;

/** Everything drawn afterwards is in this language. */
export async function speak(language: Language): Promise<void> {
  wanted = language;
  const loaded = await Promise.all([load[language](), ...(hasScreens ? [loadOfScreens[language]()] : [])]);
  // Another one was chosen meanwhile.
  if (wanted !== language) return;
  const known = current?.language === language ? current.catalogue : {};
  const catalogue = Object.assign({}, known, ...loaded.map(({ default: texts }) => texts)) as Catalogue;
  current = { language, catalogue, plurals: new Intl.PluralRules(language) };
  document.documentElement.lang = language;
}

/** A module whose texts are those of the screens, and not of the chat or the inbox alone. */
export async function withTexts<Module>(screen: Promise<Module>): Promise<Module> {
  const [module] = await Promise.all([screen, loadScreenTexts()]);
  return module;
}

async function loadScreenTexts(): Promise<void> {
  if (hasScreens) return;
  hasScreens = true;
  await speak(wanted);
}

export function language(): Language {
  return current?.language ?? 'en';
}

/** The text in the language that is spoken. `count` chooses among plurals. */
export function t(key: TextKey, values: Values = {}): string {
  if (!current) throw new Error('No language has been loaded yet.');
  const text = current.catalogue[key];
  if (text === undefined) throw new Error(`The text ${key} has not been loaded.`);
  return filledIn(typeof text === 'string' ? text : pluralOf(text, values.count, current.plurals), values);
}

function pluralOf(
  text: Exclude<Text, string>,
  count: string | number | undefined,
  rules: Intl.PluralRules,
): string {
  return text[rules.select(Number(count ?? 0))] ?? text.other;
}

function filledIn(text: string, values: Values): string {
  return text.replaceAll(/\{(\w+)\}/g, (all, name: string) => {
    const value = values[name];
    return typeof value === 'number' ? value.toLocaleString(language()) : (value ?? all);
  });
}

/** The first of the wished languages that there is. Any Chinese is answered in the one there is. */
export function languageFor(wishes: readonly string[]): Language {
  for (const wish of wishes) {
    const [tag = ''] = wish.toLowerCase().split('-', 1);
    const found = (Object.keys(languages) as Language[]).find(
      (language) => language.split('-', 1)[0] === tag,
    );
    if (found) return found;
  }
  return 'en';
}
