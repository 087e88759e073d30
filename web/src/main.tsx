import '@fontsource-variable/hanken-grotesk/index.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './app/shell.css';
import { createRoot } from 'react-dom/client';

import { App } from './app/app.js';
import { preferredLanguage, showTheme } from './app/preferences.js';
import { openSession } from './app/session.js';
import { speak } from './i18n/catalogue.js';

async function open(): Promise<void> {
  showTheme();
  await Promise.all([openSession(), speak(preferredLanguage())]);
  const root = document.getElementById('console');
  if (root) createRoot(root).render(<App />);
}

void open();
