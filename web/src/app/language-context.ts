import { createContext } from 'react';

import type { Language } from '../i18n/catalogue.js';

export const LanguageContext = createContext<{ language: Language; choose: (language: Language) => void }>({
  language: 'en',
  choose: () => undefined,
});
