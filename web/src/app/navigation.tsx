import { Link } from '@tanstack/react-router';

import { t } from '../i18n/catalogue.js';
import { useWaiting } from '../inbox/waiting.js';
import { Icon } from '../parts/icons.js';
import { Menu } from '../parts/menu.js';
import { PreferencesMenu } from './preferences-menu.js';
import { type Screen, screens } from './screens.js';
import { isAdmin, useViewer } from './viewer.js';

/** So many have room beside the menu at the bottom of a small window. */
const FIRST = 4;

/** The screens, and who is signed in. On small windows it stands at the bottom, and the later screens in a menu. */
export function Navigation() {
  const viewer = useViewer();
  const shown = screens.filter(({ isForAdmins }) => isForAdmins === undefined || isAdmin(viewer));
  const later = shown.length > FIRST + 1 ? shown.slice(FIRST) : [];
  return (
    <nav className="navigation" aria-label={t('navigation.label')}>
      <img src="icon.svg" alt="" className="emblem" width="32" height="32" />
      <ul className="plain">
        {shown.map((screen) => (
          <li key={screen.path} className={later.includes(screen) ? 'later' : undefined}>
            <ScreenLink {...screen} className="navigation-item" />
          </li>
        ))}
        {later.length > 0 && (
          <li className="more">
            <Menu
              className="navigation-item"
              face={
                <>
                  <Icon name="menu" />
                  <span>{t('navigation.more')}</span>
                </>
              }
            >
              {later.map((screen) => (
                <ScreenLink key={screen.path} {...screen} />
              ))}
            </Menu>
          </li>
        )}
      </ul>
      <PreferencesMenu />
    </nav>
  );
}

function ScreenLink({ path, label, icon, className }: Screen & { className?: string }) {
  return (
    <Link to={path} className={className}>
      <Icon name={icon} />
      <span>{t(label)}</span>
      {path === '/inbox' && <WaitingCount />}
    </Link>
  );
}

function WaitingCount() {
  const waiting = useWaiting();
  if (waiting === 0) return null;
  return (
    <span className="count">
      {waiting}
      <span className="unseen"> {t('inbox.waiting', { count: waiting })}</span>
    </span>
  );
}
