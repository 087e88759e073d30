import { randomUUID } from 'node:crypto';

import type { Attack, Attacker } from '../attacker.js';
import { scripted } from './turns.js';

const WORDS = 'Palabre à Dakar. ';
/** Short to write, and a thousand steps when it is written out. */
const LONG_PATTERN = '^((.{0,30}x?){0,30}y?){0,30}$';

function posting(path: string, bodyOf: (count: number) => object, atOnce = 4) {
  return (attacker: Attacker): Promise<void> =>
    attacker.storm(atOnce, (count) => attacker.post(JSON.stringify(bodyOf(count)), {}, path));
}

function many<T>(count: number, one: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => one(index));
}

function roleOf(index: number): string {
  return index % 2 === 0 ? 'user' : 'assistant';
}

function tools(count: number): object[] {
  return many(count, (index) => ({
    name: `tool_${index}`,
    description: WORDS,
    parameters: { type: 'object', properties: { a: { type: 'string', pattern: `${LONG_PATTERN}${index}` } } },
  }));
}

function deep(levels: number): object {
  return many(levels, (level) => level).reduce<object>((inside) => ({ a: [inside] }), {});
}

async function neverRead(attacker: Attacker, path: string, body: object): Promise<void> {
  const text = JSON.stringify(body);
  const socket = await attacker.connection();
  socket.pause();
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAuthorization: Bearer ${attacker.token}\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

/** What is said in the protocols beside GraphQL. */
export const doorAttacks: Attack[] = [
  {
    name: 'chats of 5,000 messages',
    isQuick: true,
    run: posting('/v1/chat/completions', () => ({
      model: 'mefali',
      messages: many(5_000, (index) => ({ role: roleOf(index + 1), content: WORDS.repeat(10) })),
    })),
  },
  {
    name: 'responses to 5,000 items',
    run: posting('/v1/responses', () => ({
      model: 'mefali',
      input: many(5_000, (index) => ({ role: roleOf(index + 1), content: WORDS.repeat(10) })),
    })),
  },
  {
    name: 'responses to 16 MB of words',
    run: posting('/v1/responses', () => ({ model: 'mefali', input: WORDS.repeat(800_000) }), 2),
  },
  {
    name: 'chats with 128 tools of patterns',
    run: posting('/v1/chat/completions', () => ({
      model: 'mefali',
      messages: [{ role: 'user', content: scripted({}) }],
      tools: tools(128).map((tool) => ({ type: 'function', function: tool })),
    })),
  },
  {
    name: 'runs with 10,000 messages and a deep state',
    run: posting('/ag-ui/mefali', () => ({
      threadId: randomUUID(),
      runId: randomUUID(),
      state: deep(40),
      messages: many(9_999, (index) => ({ id: `m${index}`, role: roleOf(index), content: 'Bonjour.' })),
    })),
  },
  {
    name: 'runs in threads that are always new',
    run: posting('/ag-ui/mefali', () => ({
      threadId: randomUUID(),
      runId: randomUUID(),
      messages: [{ id: 'm', role: 'user', content: scripted({ words: 2 }) }],
    })),
  },
  {
    name: 'messages of 10,000 parts',
    run: posting('/ai-sdk/mefali', (count) => ({
      id: `${randomUUID()}-${count}`,
      messages: [
        { id: 'm', role: 'user', parts: many(7_000, (index) => ({ type: 'text', text: `${index}` })) },
      ],
    })),
  },
  {
    name: 'lists of calls for MCP',
    run: posting('/mcp', () => many(1_000, (id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }))),
  },
  {
    name: 'greetings of MCP again and again',
    run: (attacker) =>
      attacker.storm(8, (id) =>
        attacker.post(
          JSON.stringify({
            jsonrpc: '2.0',
            id,
            method: 'initialize',
            params: {
              protocolVersion: '2025-06-18',
              capabilities: {},
              clientInfo: { name: 'a'.repeat(10_000), version: '1' },
            },
          }),
          { accept: 'application/json, text/event-stream' },
          '/mcp',
        ),
      ),
  },
  {
    name: 'answers at a door that nobody reads',
    run: async (attacker) => {
      const body = { model: 'mefali', input: scripted({ words: 20_000, pauseMs: 0 }), stream: true };
      await Promise.all(many(20, () => neverRead(attacker, '/v1/responses', body)));
      await attacker.untilOver();
    },
  },
  {
    name: 'responses of others, by their ids',
    run: (attacker) =>
      attacker.storm(8, async () =>
        (await attacker.request(`/v1/responses/resp_${randomUUID()}?stream=true`)).arrayBuffer(),
      ),
  },
];
