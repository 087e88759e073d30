import type { TextKey } from '../i18n/catalogue.js';
import type { IconName } from '../parts/icons.js';
import paths from './screens.json';

export interface Screen {
  path: `/${keyof typeof paths}`;
  label: TextKey;
  icon: IconName;
  /** Only admins have a use for it. */
  isForAdmins?: true;
}

/** In the order of the navigation. The server knows by screens.json which addresses are the console's. */
export const screens: readonly Screen[] = [
  { path: '/chat', label: 'screen.chat', icon: 'chat' },
  { path: '/inbox', label: 'screen.inbox', icon: 'inbox' },
  { path: '/schedules', label: 'screen.schedules', icon: 'clock' },
  { path: '/skills', label: 'screen.skills', icon: 'skills', isForAdmins: true },
  { path: '/assistants', label: 'screen.assistants', icon: 'assistants', isForAdmins: true },
  { path: '/documents', label: 'screen.documents', icon: 'documents' },
  { path: '/memory', label: 'screen.memory', icon: 'memory' },
  { path: '/usage', label: 'screen.usage', icon: 'usage', isForAdmins: true },
  { path: '/turns', label: 'screen.turns', icon: 'turns', isForAdmins: true },
  { path: '/company', label: 'screen.company', icon: 'company', isForAdmins: true },
];
