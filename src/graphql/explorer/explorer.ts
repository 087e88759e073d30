import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readExplorerAssets } from './explorer-assets.js';
import { explorerTabs } from './explorer-examples.js';
import { explorerPage } from './explorer-page.js';

export interface ExplorerOptions {
  /** Where this server answers GraphQL, over HTTP and WebSocket alike. */
  graphqlPath: string;
  /** Signs the page in, for a visitor of the same machine only. Null: the visitor brings a token. */
  token: string | null;
}

/**
 * Serves GraphiQL at /explorer from the installation, without any other host. A token may also be handed over as
 * `/explorer#token=…`, which stays in the browser.
 */
export function registerExplorer(fastify: FastifyInstance, options: ExplorerOptions): void {
  const assets = readExplorerAssets();
  const byName = new Map(assets.map((asset) => [asset.name, asset]));
  const paths = (extension: string): string[] =>
    assets.filter(({ name }) => name.endsWith(extension)).map(({ name }) => `/explorer/assets/${name}`);
  const page = (token: string | null): string =>
    explorerPage({ ...options, token, tabs: explorerTabs }, paths('.css'), paths('.js'));

  fastify.get('/explorer', (request, reply) =>
    withPageHeaders(request, reply).send(page(isSameMachine(request) ? options.token : null)),
  );

  fastify.get<{ Params: { name: string } }>('/explorer/assets/:name', (request, reply) => {
    const found = byName.get(request.params.name);
    if (!found) return reply.code(404).type('text/plain; charset=utf-8').send('There is no such file.\n');
    return reply
      .type(found.type)
      .headers({
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      })
      .send(found.content);
  });
}

const withPageHeaders = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.type('text/html; charset=utf-8').headers({
    'content-security-policy': contentSecurityPolicy(request.host),
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });

/** GraphiQL sets styles on its elements and keeps its fonts and pictures in its style sheet. */
const contentSecurityPolicy = (host: string): string => {
  // Older browsers do not count WebSockets of the same host under 'self'.
  const sockets = /^[\w.:[\]-]+$/.test(host) ? ` ws://${host} wss://${host}` : '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    'font-src data:',
    "img-src 'self' data:",
    `connect-src 'self'${sockets}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
};

/**
 * The token is for whoever sits at this machine. The address keeps the network out; the name keeps out a web page
 * elsewhere that lets its own name point to this machine (DNS rebinding); a forwarded request comes from anywhere; and
 * only another site's script names an origin when it asks for a page.
 */
const isSameMachine = (request: FastifyRequest): boolean =>
  !['forwarded', 'origin', 'x-forwarded-for', 'x-real-ip', 'via'].some(
    (header) => header in request.headers,
  ) &&
  ['localhost', '127.0.0.1', '[::1]', '::1'].includes(request.hostname) &&
  ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.socket.remoteAddress ?? '');
