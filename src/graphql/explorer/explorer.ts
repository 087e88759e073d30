import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readExplorerAssets } from './explorer-assets.js';
import { explorerTabs } from './explorer-examples.js';
import { explorerPage } from './explorer-page.js';

export interface ExplorerOptions {
  /** Where this server answers GraphQL, over HTTP and WebSocket alike. */
  graphqlPath: string;
}

/**
 * Serves GraphiQL at /explorer from the installation, without any other host. A token is handed over as
 * `/explorer#token=…`, which stays in the browser. The page itself holds none: behind a proxy that adds no headers,
 * everybody looks like a visitor of this machine.
 */
export function registerExplorer(fastify: FastifyInstance, options: ExplorerOptions): void {
  const assets = readExplorerAssets();
  const byName = new Map(assets.map((asset) => [asset.name, asset]));
  // Seen from the page: a proxy may have it all below a path of its own.
  const paths = (extension: string): string[] =>
    assets.filter(({ name }) => name.endsWith(extension)).map(({ name }) => `explorer/assets/${name}`);
  const page = explorerPage({ ...options, tabs: explorerTabs }, paths('.css'), paths('.js'));

  fastify.get('/explorer', (request, reply) => withPageHeaders(request, reply).send(page));

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
