import { type Language, languageFor, languages } from '../i18n/catalogue.js';

/** What this browser keeps for whoever sits before it. */
const LANGUAGE = 'palabre:language';
/** As web/public/theme.js reads it. */
const THEME = 'palabre:theme';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export function preferredLanguage(): Language {
  const kept = localStorage.getItem(LANGUAGE);
  return kept !== null && kept in languages ? (kept as Language) : languageFor(navigator.languages);
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(LANGUAGE, language);
}

export function preferredTheme(): Theme {
  const kept = localStorage.getItem(THEME);
  return themes.find((theme) => theme === kept) ?? 'system';
}

export function keepTheme(theme: Theme): void {
  localStorage.setItem(THEME, theme);
  showTheme();
}

export function showTheme(): void {
  document.documentElement.dataset.theme = preferredTheme();
}
