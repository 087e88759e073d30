import { Link } from '@tanstack/react-router';

import { t } from '../i18n/catalogue.js';
import { useWaiting } from '../inbox/waiting.js';
import { Icon } from '../parts/icons.js';
import { PreferencesMenu } from './preferences-menu.js';
import { screens } from './screens.js';
import { isAdmin, useViewer } from './viewer.js';

/** The screens, and who is signed in. On small windows it stands at the bottom. */
export function Navigation() {
  const viewer = useViewer();
  const waiting = useWaiting();
  return (
    <nav className="navigation" aria-label={t('navigation.label')}>
      <img src="icon.svg" alt="" className="emblem" width="32" height="32" />
      <ul className="plain">
        {screens
          .filter(({ isForAdmins }) => isForAdmins === undefined || isAdmin(viewer))
          .map(({ path, label, icon }) => (
            <li key={path}>
              <Link to={path} className="navigation-item">
                <Icon name={icon} />
                <span>{t(label)}</span>
                {path === '/inbox' && waiting > 0 && (
                  <span className="count">
                    {waiting}
                    <span className="unseen"> {t('inbox.waiting', { count: waiting })}</span>
                  </span>
                )}
              </Link>
            </li>
          ))}
      </ul>
      <PreferencesMenu />
    </nav>
  );
}
