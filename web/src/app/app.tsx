import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { Provider } from 'urql';

import { ApiContext, openApi } from '../api/client.js';
import { language, speak, withTexts } from '../i18n/catalogue.js';
import { LanguageContext } from './language-context.js';
import { keepLanguage } from './preferences.js';
import { openRouter } from './router.js';
import { onSessionChange, token } from './session.js';

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

function SignedIn() {
  const [router] = useState(openRouter);
  const [api] = useState(openApi);
  useEffect(() => () => void api.palabre.close(), [api]);
  return (
    <ApiContext value={api}>
      <Provider value={api.client}>
        <RouterProvider router={router} />
      </Provider>
    </ApiContext>
  );
}
