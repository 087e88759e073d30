import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { LocalSite } from '@palabre/outbound/local-site.double.js';

const PIECE = Buffer.alloc(65_536, '[');
const PAGE = `<html><body>${'<div>'.repeat(20_000)}${'<p class="a b c">word</p>'.repeat(10_000)}`;
const DEEP = '['.repeat(100_000);
/** A thousand times as much when it is unpacked. */
const BOMB = gzipSync(Buffer.alloc(500_000_000));
const EMPTY_OBJECTS = `[${'{},'.repeat(600_000)}{}]`;
/** Each of more digits than a number holds. */
const LONG_NUMBERS = `[${'12345678901234567890,'.repeat(90_000)}1]`;
/** As many values, and as many bytes, as are read of an answer. */
const LARGEST = JSON.stringify(
  Array.from({ length: 12_000 }, (_, index) => ({
    name: `${index}`.padEnd(45, 'a'),
    text: 'b'.repeat(45),
    at: 'c'.repeat(45),
  })),
);
const LARGEST_NUMBERS = `[${Array.from({ length: 49_000 }, (_, index) => `${index + 1}234567890123456789012345678.5e1`).join(',')}]`;
/** Two million values. */
const JUNK = Array.from({ length: 1_000_000 }, () => []);
const TOOLS = Array.from({ length: 5_000 }, (_, index) => ({
  name: `tool_${index}`,
  description: 'Does something.',
  inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '^((a+)+)+$' } } },
}));

function flood(response: ServerResponse): void {
  const write = (): void => {
    while (!response.destroyed && response.write(PIECE));
  };
  response.on('drain', write);
  write();
}

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 100);
  response.on('close', () => clearInterval(timer));
}

function hint(response: ServerResponse): void {
  const timer = setInterval(() => response.writeEarlyHints({ link: '</a>; rel=preload' }), 1);
  response.on('close', () => clearInterval(timer));
}

async function speakMcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const { id, method } = (await json(request)) as { id?: number; method: string };
  if (id === undefined) return void response.writeHead(202).end();
  const serverInfo = { name: 'many', version: '1' };
  const result =
    method === 'initialize'
      ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo }
      : {
          tools: request.url === '/mcp-objects' ? [] : TOOLS,
          junk: request.url === '/mcp-objects' ? JUNK : 0,
        };
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  request.on('error', () => undefined);
  response.on('error', () => undefined);
  switch (request.url?.split('?', 1)[0]) {
    case '/flood':
      response.writeHead(200, { 'content-type': 'application/json' });
      return flood(response);
    case '/drip':
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return drip(response);
    case '/deep':
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(DEEP);
    case '/page':
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    case '/bomb':
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      return void response.end(BOMB);
    case '/objects':
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(EMPTY_OBJECTS);
    case '/largest':
    case '/largest-numbers':
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(request.url?.startsWith('/largest-numbers') ? LARGEST_NUMBERS : LARGEST);
    case '/numbers':
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(LONG_NUMBERS);
    case '/around':
      return void response.writeHead(307, { location: '/around' }).end();
    case '/inside':
      return void response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data' }).end();
    case '/hints':
      return hint(response);
    case '/headers':
      response.writeHead(
        200,
        Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`x-${index}`, 'a'])),
      );
      return void response.end('{}');
    case '/mcp':
    case '/mcp-objects':
      return void speakMcp(request, response).catch(() => response.destroy());
    default:
      // Nothing is ever said.
      return undefined;
  }
}

/** Where a company's skills, servers and webhooks may be: what it says is chosen by its path. */
export function startHostileSite(): Promise<LocalSite> {
  return LocalSite.start(answer);
}
