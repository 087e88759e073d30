import '@fontsource-variable/hanken-grotesk/index.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './app/shell.css';
import './styles/print.css';
import { createRoot } from 'react-dom/client';

import { App, loadAhead } from './app/app.js';
import { preferredLanguage } from './app/preferences.js';
import { openSession, token } from './app/session.js';
import { speak } from './i18n/catalogue.js';

async function open(): Promise<void> {
  const texts = speak(preferredLanguage());
  await openSession();
  // Drawn once, with what is to be seen: until then the page shows that it is on its way.
  await Promise.all([texts, token() !== null && loadAhead()]);
  const root = document.getElementById('console');
  if (root) createRoot(root).render(<App />);
}

void open();
