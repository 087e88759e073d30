import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { ExplorerTab } from './explorer-tabs.js';
import type { BrowserSignIn } from '../sessions/browser-sign-in.service.js';
import { readWebFiles, registerAssets, type WebFiles } from './web-files.js';

interface WebPagesOptions {
  /** The path of GraphQL over HTTP and WebSocket. */
  graphqlPath: string;
  hasConsole: boolean;
  hasExplorer: boolean;
  explorerTabs: readonly ExplorerTab[];
  signIn: Pick<BrowserSignIn, 'forPage'>;
}

/** A token comes as `#token=…`, which stays in the browser: behind a proxy, every client looks local. */
export function registerWebPages(
  fastify: FastifyInstance,
  options: WebPagesOptions,
  files = readWebFiles(),
): void {
  if (files === null) return;
  registerAssets(fastify, files);
  if (options.hasExplorer) {
    const settings = escaped(
      JSON.stringify({ graphqlPath: options.graphqlPath, tabs: options.explorerTabs }),
    );
    const explorer = files.explorer.replace('<div id="explorer"', `$& data-settings="${settings}"`);
    fastify.get('/explorer', (request, reply) => sendPage(request, reply, explorer, 'explorer'));
  }
  if (!options.hasConsole) return;
  for (const path of ['/', ...files.screens.flatMap((screen) => [`/${screen}`, `/${screen}/*`])]) {
    fastify.get(path, (request, reply) => {
      const told = attributesOf(options.signIn.forPage(request.headers));
      const page = files.console
        .replace('<div id="console"', (start) => start + told)
        .replace('</head>', (end) => preloadsOf(request, files) + end);
      return sendPage(request, reply.header('vary', 'accept-language'), page, 'console');
    });
  }
}

/** The files of the requested screen, so that the browser need not discover them step by step. */
function preloadsOf({ url, headers }: FastifyRequest, { preloads }: WebFiles): string {
  const [, screen] = /^\/([\w-]+)/.exec(url) ?? [];
  const [language] = /^\w+/.exec(headers['accept-language'] ?? '') ?? [];
  const { screens, languages } = preloads;
  const files = [...filesIn(screens, screen ?? 'chat'), ...filesIn(languages, language?.toLowerCase() ?? '')];
  return files
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="preload" as="style" crossorigin href="./${file}">`
        : `<link rel="modulepreload" crossorigin href="./${file}">`,
    )
    .join('');
}

function filesIn(files: Readonly<Record<string, string[]>>, name: string): string[] {
  return Object.hasOwn(files, name) ? (files[name] ?? []) : [];
}

/** The console asks for a token unless there is a session, or an identity provider for signing in. */
function attributesOf(told: ReturnType<BrowserSignIn['forPage']>): string {
  if (told === null) return '';
  const organisation = ` data-organisation="${escaped(told.organisation)}"`;
  return told.hasSession ? `${organisation} data-session` : organisation;
}

type PageName = keyof typeof policies;

function sendPage(request: FastifyRequest, reply: FastifyReply, page: string, name: PageName): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': policyOf(request.host, name),
      'cache-control': 'no-cache',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .send(page.replace('<base href="./"', `<base href="${wayUp(request.url)}"`));
}

/** The relative path to the console's folder. A proxy may add an unknown prefix. */
function wayUp(url: string): string {
  const [path = ''] = url.split('?', 1);
  return '../'.repeat(path.split('/').length - 2) || './';
}

const policies = {
  console: [
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "require-trusted-types-for 'script'",
    'trusted-types dompurify palabre',
  ],
  // GraphiQL's editor sets inline styles, and works in threads of its own.
  explorer: [
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
  ],
};

function policyOf(host: string, page: PageName): string {
  // Older browsers do not include WebSockets of the same host in 'self'.
  const sockets = /^[\w.:[\]-]+$/.test(host) ? ` ws://${host} wss://${host}` : '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    `connect-src 'self'${sockets}`,
    ...policies[page],
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
