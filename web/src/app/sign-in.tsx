import { useState } from 'react';

import { t } from '../i18n/catalogue.js';
import { Field, submits } from '../parts/form.js';
import { FailureText } from '../parts/states.js';
import { useTitle } from '../parts/page.js';
import { PreferencesMenu } from './preferences-menu.js';
import { organisation, signIn, signInByProvider, signInProblem } from './session.js';

/** Where one comes in without a link. */
export function SignIn() {
  useTitle(t('signIn.title'));
  const name = organisation();
  const problem = signInProblem();
  return (
    <main className="sign-in">
      <div className="card">
        <img src="icon.svg" alt="" width="44" height="44" />
        <h1>{t('signIn.title')}</h1>
        <p className="soft">{t('signIn.lead')}</p>
        {problem && <FailureText text={t(`signIn.${problem}`)} />}
        {name === null ? (
          <TokenForm />
        ) : (
          <>
            <button type="button" className="button main" onClick={signInByProvider}>
              {t('signIn.with', { organisation: name })}
            </button>
            <details>
              <summary>{t('signIn.byToken')}</summary>
              <TokenForm />
            </details>
          </>
        )}
      </div>
      <PreferencesMenu />
    </main>
  );
}

function TokenForm() {
  const [given, setGiven] = useState('');
  return (
    <form onSubmit={submits(() => signIn(given.trim()))}>
      <Field
        label={t('signIn.token')}
        type="password"
        autoComplete="off"
        required
        value={given}
        onChange={setGiven}
      />
      <button type="submit" className="button main" disabled={given.trim() === ''}>
        {t('signIn.action')}
      </button>
      <p className="soft small">{t('signIn.hint')}</p>
    </form>
  );
}
