import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

import { explorerClient } from './explorer-client.js';

interface ExplorerOptions {
  /** The path of GraphQL over HTTP and WebSocket. */
  graphqlPath: string;
}

/**
 * Serves GraphiQL at /explorer without any other host. A token is passed as `/explorer#token=…`, which stays in the
 * browser. The page itself contains none: behind a proxy without forwarding headers, every client looks local.
 */
export function registerExplorer(
  fastify: FastifyInstance,
  options: ExplorerOptions,
  example: { assistantKey: string; question: string },
): void {
  const assets = readExplorerAssets();
  const byName = new Map(assets.map((asset) => [asset.name, asset]));
  // Relative to the page: a proxy may add a path in front.
  const paths = (extension: string): string[] =>
    assets.filter(({ name }) => name.endsWith(extension)).map(({ name }) => `explorer/assets/${name}`);
  const page = explorerPage({ ...options, tabs: explorerTabs(example) }, paths('.css'), paths('.js'));

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

function withPageHeaders(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.type('text/html; charset=utf-8').headers({
    'content-security-policy': contentSecurityPolicy(request.host),
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
}

/** GraphiQL sets inline styles, and embeds fonts and pictures in its style sheet. */
function contentSecurityPolicy(host: string): string {
  // Older browsers do not include WebSockets of the same host in 'self'.
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
}

interface ExplorerAsset {
  /** Contains a hash of the content, so that browsers may cache it for ever. */
  name: string;
  content: Buffer;
  type: string;
}

/** The build copies the files here, as their packages are not installed in production. */
const VENDOR = fileURLToPath(new URL('./vendor/', import.meta.url));

/** For tests, which run from source. */
const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

const VendorFiles = z.array(z.object({ name: z.string(), from: z.string() }));

const vendorFiles = VendorFiles.parse(
  JSON.parse(readFileSync(new URL('./vendor-files.json', import.meta.url), 'utf8')),
);

function vendor(wanted: string): Buffer {
  const file = vendorFiles.find(({ name }) => name === wanted);
  if (!file) throw new Error(`${wanted} is not in vendor-files.json.`);
  return readFileSync(existsSync(VENDOR) ? join(VENDOR, file.name) : join(PACKAGES, file.from));
}

function asset(base: string, extension: 'css' | 'js', content: Buffer): ExplorerAsset {
  return {
    name: `${base}-${createHash('sha256').update(content).digest('hex').slice(0, 12)}.${extension}`,
    content,
    type: `${extension === 'css' ? 'text/css' : 'text/javascript'}; charset=utf-8`,
  };
}

const ownStyle = `html, body { height: 100%; margin: 0; font-family: system-ui, sans-serif; }
body { display: flex; flex-direction: column; }
#explorer { flex: 1; min-height: 0; }
#sign-in { margin: 0; padding: 10px 16px; font-size: 14px; line-height: 1.5; background: #fff4ce; color: #3b2f00; }
#sign-in[hidden] { display: none; }
`;

/** The files of the explorer in loading order. */
function readExplorerAssets(): ExplorerAsset[] {
  return [
    asset('graphiql', 'css', vendor('graphiql.css')),
    asset('explorer', 'css', Buffer.from(ownStyle)),
    asset('react', 'js', vendor('react.js')),
    asset('react-dom', 'js', vendor('react-dom.js')),
    asset('graphql-ws', 'js', vendor('graphql-ws.js')),
    asset('graphiql', 'js', vendor('graphiql.js')),
    asset('explorer', 'js', Buffer.from(explorerClient)),
  ];
}

interface ExplorerSettings {
  graphqlPath: string;
  tabs: ExplorerTab[];
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The page around GraphiQL. It refers only to files of this server. */
function explorerPage(settings: ExplorerSettings, styles: string[], scripts: string[]): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Palabre explorer</title>
    <link rel="icon" href="data:," />
    ${styles.map((path) => `<link rel="stylesheet" href="${escaped(path)}" />`).join('\n    ')}
  </head>
  <body>
    <p id="sign-in" role="status" hidden>
      You are not signed in. Open the link to the explorer that the server printed when it started. It printed none
      with a token? Add yours: <code>/explorer#token=…</code>, or under Headers
      <code>{"Authorization": "Bearer …"}</code>.
    </p>
    <div id="explorer" data-settings="${escaped(JSON.stringify(settings))}">Loading…</div>
    ${scripts.map((path) => `<script src="${escaped(path)}"></script>`).join('\n    ')}
  </body>
</html>
`;
}

interface ExplorerTab {
  query: string;
  variables: string;
}

const ask = `# 1. Poser une question ;
# la réponse arrive dans l'onglet « Suivre ».
mutation Demander($input: StartTurnInput!) {
  startTurn(input: $input) {
    __typename
    ... on TurnAccepted {
      turn { id status }
      conversation { id title }
    }
    ... on Refusal { message }
  }
}
`;

const follow = `# 2. Suivre la réponse.
# turnId vide : le dernier tour lancé dans cette page.
# after: 0 rejoue tout, même si le tour est fini.
subscription Suivre($turnId: ID!, $after: Int = 0) {
  turnEvents(turnId: $turnId, after: $after) {
    __typename
    sequence
    ... on TextDelta { text }
    ... on TextReset { cause }
    ... on SkillStarted { skill arguments }
    ... on SkillFinished { skill callStatus resultPreview }
    ... on TurnDone {
      status
      finishReason
      usage { inputTokens outputTokens skillCalls }
      error { code message }
    }
  }
}
`;

const lookAround = `# 3. Qui suis-je, quels assistants,
# quelles conversations ?
query Visite {
  viewer { name role company { name country sector } }
  assistants { key name language strategy }
  conversations(first: 5) {
    edges { node { id title updatedAt } }
    pageInfo { hasNextPage endCursor }
  }
}
`;

/** The tabs at the first visit: a question, its answer as a stream, and a look around. */
export function explorerTabs({
  assistantKey,
  question,
}: {
  assistantKey: string;
  question: string;
}): ExplorerTab[] {
  return [
    { query: ask, variables: JSON.stringify({ input: { assistantKey, message: question } }, null, 2) },
    { query: follow, variables: JSON.stringify({ turnId: '', after: 0 }, null, 2) },
    { query: lookAround, variables: '' },
  ];
}
