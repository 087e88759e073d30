import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { Provider } from 'urql';

import { basePath } from '../api/addresses.js';
import { type Api, ApiContext, openApi } from '../api/client.js';
import { assistantsQuery } from '../chat/conversation-operations.js';
import { language, speak, withTexts } from '../i18n/catalogue.js';
import { LanguageContext } from './language-context.js';
import { keepLanguage } from './preferences.js';
import { openRouter, type Router } from './router.js';
import { onSessionChange, token } from './session.js';
import { viewerQuery } from './viewer.js';

const SignIn = lazy(() => withTexts(import('./sign-in.js')).then(({ SignIn }) => ({ default: SignIn })));

/** Another language draws everything anew; another token asks for everything anew. */
export function App() {
  const [spoken, setSpoken] = useState(language);
  const given = useSyncExternalStore(onSessionChange, token);
  return (
    <LanguageContext
      value={{
        language: spoken,
        choose: (language) => {
          keepLanguage(language);
          void speak(language).then(() => setSpoken(language));
        },
      }}
    >
      {given === null ? (
        <Suspense>
          <SignIn key={spoken} />
        </Suspense>
      ) : (
        <SignedIn key={`${spoken} ${given}`} />
      )}
    </LanguageContext>
  );
}

interface Opened {
  router: Router;
  api: Api;
}

function openAll(): Opened {
  return { router: openRouter(), api: openApi() };
}

/** What the first drawing needs is on its way before it. */
let ahead: Opened | null = null;

/** Loads the screen of the address, and asks for what it shows first. Settles once it can be drawn, or has failed. */
export async function loadAhead(): Promise<void> {
  ahead = openAll();
  const { router, api } = ahead;
  const [screen = '', conversation = ''] = location.pathname.slice(basePath.length).split('/');
  const first: PromiseLike<unknown>[] = [router.load(), api.client.query(viewerQuery, {})];
  if (screen === 'chat' && conversation !== '') first.push(import('../chat/thread.js'));
  else if (screen === '' || screen === 'chat') first.push(api.client.query(assistantsQuery, {}));
  await Promise.allSettled(first);
}

function takeAhead(): Opened {
  const opened = ahead ?? openAll();
  ahead = null;
  return opened;
}

function SignedIn() {
  const [{ router, api }] = useState(takeAhead);
  useEffect(() => () => void api.palabre.close(), [api]);
  return (
    <ApiContext value={api}>
      <Provider value={api.client}>
        <RouterProvider router={router} />
      </Provider>
    </ApiContext>
  );
}
