import { use, useState } from 'react';

import { type Language, languages, t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';
import { Menu } from '../parts/menu.js';
import { FailureText } from '../parts/states.js';
import { LanguageContext } from './language-context.js';
import { keepTheme, preferredTheme, type Theme, themes } from './preferences.js';
import { signOut } from './session.js';
import { ViewerContext } from './viewer.js';

/** Who is signed in, the language and the colours. */
export function PreferencesMenu() {
  const viewer = use(ViewerContext);
  const [hasFailed, setHasFailed] = useState(false);
  return (
    <Menu
      className="navigation-item preferences"
      face={
        <>
          <span className="face" aria-hidden="true">
            <Icon name="person" />
          </span>
          {viewer && <span className="cut">{viewer.name}</span>}
          <span className={viewer ? 'unseen' : 'cut'}>{t('preferences.label')}</span>
        </>
      }
    >
      {viewer && (
        <div className="menu-part">
          <strong>{viewer.name}</strong>
          <span className="soft small">
            {viewer.company.name} · {t(`role.${viewer.role}`)}
          </span>
        </div>
      )}
      <Choices />
      {hasFailed && <FailureText text={t('failure.offline')} />}
      {viewer && (
        <button
          type="button"
          onClick={(event) => {
            // The menu stays open, and says so if it fails.
            event.stopPropagation();
            void signOut().catch(() => setHasFailed(true));
          }}
        >
          <Icon name="back" />
          {t('preferences.signOut')}
        </button>
      )}
    </Menu>
  );
}

function Choices() {
  const { language, choose } = use(LanguageContext);
  const [theme, setTheme] = useState(preferredTheme);
  return (
    <div className="menu-part">
      <label className="field">
        <span>{t('preferences.language')}</span>
        <select value={language} onChange={(event) => choose(event.target.value as Language)}>
          {Object.entries(languages).map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span>{t('preferences.theme')}</span>
        <select
          value={theme}
          onChange={(event) => {
            const chosen = event.target.value as Theme;
            keepTheme(chosen);
            setTheme(chosen);
          }}
        >
          {themes.map((theme) => (
            <option key={theme} value={theme}>
              {t(`theme.${theme}`)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
