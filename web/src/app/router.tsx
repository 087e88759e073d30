import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
  redirect,
} from '@tanstack/react-router';

import { basePath } from '../api/addresses.js';
import { searchOfChat } from '../chat/chat-search.js';
import { t, withTexts } from '../i18n/catalogue.js';
import { Loading, Nothing } from '../parts/states.js';
import { searchOfTurns } from '../turns/turns-search.js';
import { Shell } from './shell.js';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/chat', replace: true });
  },
});

const chat = createRoute({
  getParentRoute: () => root,
  path: '/chat',
  validateSearch: searchOfChat,
  component: lazyRouteComponent(() => import('../chat/chat-screen.js'), 'ChatScreen'),
});

const conversation = createRoute({
  getParentRoute: () => chat,
  path: '$conversationId',
});

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  component: lazyRouteComponent(() => import('../inbox/inbox-screen.js'), 'InboxScreen'),
});

const schedules = createRoute({
  getParentRoute: () => root,
  path: '/schedules',
  component: lazyRouteComponent(
    () => withTexts(import('../schedules/schedules-screen.js')),
    'SchedulesScreen',
  ),
});

const documents = createRoute({
  getParentRoute: () => root,
  path: '/documents',
  component: lazyRouteComponent(
    () => withTexts(import('../documents/documents-screen.js')),
    'DocumentsScreen',
  ),
});

const memory = createRoute({
  getParentRoute: () => root,
  path: '/memory',
  component: lazyRouteComponent(() => withTexts(import('../memory/memory-screen.js')), 'MemoryScreen'),
});

const usage = createRoute({
  getParentRoute: () => root,
  path: '/usage',
  component: lazyRouteComponent(() => withTexts(import('../usage/usage-screen.js')), 'UsageScreen'),
});

const skills = createRoute({
  getParentRoute: () => root,
  path: '/skills',
  component: lazyRouteComponent(() => withTexts(import('../skills/skills-screen.js')), 'SkillsScreen'),
});

const assistants = createRoute({
  getParentRoute: () => root,
  path: '/assistants',
  validateSearch: ({ assistant }: Record<string, unknown>): { assistant?: string } =>
    typeof assistant === 'string' ? { assistant } : {},
  component: lazyRouteComponent(
    () => withTexts(import('../assistants/assistants-screen.js')),
    'AssistantsScreen',
  ),
});

const turns = createRoute({
  getParentRoute: () => root,
  path: '/turns',
  validateSearch: searchOfTurns,
  component: lazyRouteComponent(() => withTexts(import('../turns/turns-screen.js')), 'TurnsScreen'),
});

const company = createRoute({
  getParentRoute: () => root,
  path: '/company',
  component: lazyRouteComponent(() => withTexts(import('../company/company-screen.js')), 'CompanyScreen'),
});

const routes = root.addChildren([
  home,
  chat.addChildren([conversation]),
  inbox,
  schedules,
  skills,
  assistants,
  documents,
  memory,
  usage,
  turns,
  company,
]);

export function openRouter() {
  return createRouter({
    routeTree: routes,
    basepath: basePath,
    defaultPreload: 'intent',
    defaultPendingComponent: Pending,
  });
}

export type Router = ReturnType<typeof openRouter>;

function Pending() {
  return (
    <div className="page">
      <Loading />
    </div>
  );
}

function NotFound() {
  return (
    <Nothing icon="search" title={t('notFound.title')}>
      <Link to="/chat">{t('notFound.action')}</Link>
    </Nothing>
  );
}

declare module '@tanstack/react-router' {
  interface Register {
    router: Router;
  }
}
