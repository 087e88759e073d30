import { O200kTokenizer } from '@palabre/llm-client';

import type { Assistant } from '../../companies/assistants/assistant.repository.js';
import { Calendar } from '../../common/calendar.js';
import { createLogger, type LogLevel } from '../../common/process/logger.js';
import type { Conversation } from '../../conversations/conversation.repository.js';
import type { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { DomainEvents } from '../../platform/events/domain-events.js';
import { memoriesForgotten } from '../memory.events.js';
import { InProcessPubSub } from '../../platform/pubsub/in-process-pub-sub.js';
import type { SearchIndex } from '../../documents/search-index/search-index.service.js';
import type { PreparedQuery } from '../../documents/search-index/search.js';
import type { Material } from './compose-context.js';
import { ContextCache, LineTokens } from './context-cache.service.js';
import { ContextBuilder, type ContextMaterial } from './context-builder.service.js';
import type { ContextRequest } from './memory-context.js';
import { MemoryContexts } from './memory-contexts.service.js';
import { scriptedMemory } from './scripted-memory.double.js';

const tokenizer = new O200kTokenizer();
const fact = scriptedMemory({ content: 'to the house by the lake' });
const material: Material = {
  preferences: [],
  project: null,
  contacts: [],
  facts: [{ memory: fact, score: 1 }],
  others: [],
  recalled: [],
};

function asked(changes: Partial<ContextRequest> = {}): ContextRequest {
  return {
    memberId: 'awa',
    message: 'Where do we move?',
    conversation: null,
    assistant: { id: 'mefali', key: 'mefali', language: 'en', recallsConversations: false } as Assistant,
    now: new Date('2026-06-01T09:00:00Z'),
    leaf: null,
    shownFrom: null,
    ...changes,
  };
}

/** A memory with one fact in it. `state` may be changed. */
function start({ level = 'silent' as LogLevel, timeZone = 'UTC' } = {}) {
  const state = { version: '1,0,0', warning: null as string | null };
  /** All calls, in order. */
  const done: string[] = [];
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream;
  const logger = createLogger({ level, pretty: false, destination });
  const committed: (() => void)[] = [];
  const tx = { companyId: 'nord', afterCommit: (call) => committed.push(call) } as Pick<
    Transaction,
    'companyId' | 'afterCommit'
  > as Transaction;
  const carryOut = (_: string, work: (tx: Transaction) => unknown) => work(tx);
  const database = { read: carryOut, readAtOnce: carryOut } as unknown as Database;
  const index = {
    version: async () => {
      done.push('version');
      return state.version;
    },
    prepareWords: (text: string): PreparedQuery => ({ text, vector: null, warning: null }),
    prepare: async (text: string): Promise<PreparedQuery> => {
      done.push('embed');
      return { text, vector: null, warning: state.warning };
    },
  } as unknown as SearchIndex;
  const reader = {
    read: async (): Promise<Material> => {
      done.push('read');
      return material;
    },
  } as unknown as ContextMaterial;
  const events = new DomainEvents();
  const pubSub = new InProcessPubSub(logger);
  const tokens = new LineTokens(tokenizer);
  const cache = new ContextCache(pubSub, tokens, events);
  const calendar = new Calendar(timeZone);
  const builder = new ContextBuilder(reader, tokens, calendar);
  const contexts = new MemoryContexts(database, index, builder, cache, calendar, logger);
  const { signal } = new AbortController();
  const read = (changes: Partial<ContextRequest> = {}) => contexts.read('nord', asked(changes), signal);
  const forget = async (): Promise<void> => {
    await events.emit(tx, memoriesForgotten, [fact]);
    for (const call of committed.splice(0)) call();
  };
  return { contexts, cache, read, forget, state, done, lines, tx };
}

describe('a context', () => {
  it('is made once for as long as nothing has changed that it is made of', async () => {
    const { read, state, done } = start();
    const first = await read();
    expect(first).toMatchObject({ cached: false, items: [{ section: 'FACT', memory: fact }] });
    expect(await read({ message: 'where do we MOVE' })).toEqual({ ...first, cached: true });
    expect(done).toEqual(['version', 'embed', 'version', 'read', 'version']);
    state.version = '2,0,0';
    expect(await read()).toEqual(first);
    expect(await read()).toEqual({ ...first, cached: true });
  });

  it.each<[string, Partial<ContextRequest>]>([
    ['another question', { message: 'Where do they move?' }],
    ['another member', { memberId: 'ben' }],
    ['a conversation', { conversation: { id: 'a', activeProjectId: null } as Conversation }],
    ['another assistant', { assistant: { ...asked().assistant, id: 'solven' } }],
    ['another language', { assistant: { ...asked().assistant, language: 'fr' } }],
    [
      'what earlier conversations tell besides',
      { assistant: { ...asked().assistant, recallsConversations: true } },
    ],
    ['another day', { now: new Date('2026-06-02T00:00:00Z') }],
  ])('is another one for %s', async (_, changes) => {
    const { read } = start();
    await read();
    expect((await read(changes)).cached).toBe(false);
  });

  it('is the same until the end of the day', async () => {
    const { read } = start();
    await read({ now: new Date('2026-06-01T00:00:00Z') });
    expect((await read({ now: new Date('2026-06-01T23:59:59Z') })).cached).toBe(true);
  });

  it.each([
    ['Asia/Taipei', '2026-05-31T16:00:00Z', '2026-06-01T15:59:59Z', '2026-06-01T16:00:00Z'],
    // Two days that begin on the same one of UTC: the clock is put forward on the first.
    ['Europe/London', '2026-03-29T00:00:00Z', '2026-03-29T22:59:59Z', '2026-03-29T23:00:00Z'],
  ])('is the same until the end of the day in %s', async (timeZone, first, last, next) => {
    const { read } = start({ timeZone });
    await read({ now: new Date(first) });
    expect((await read({ now: new Date(last) })).cached).toBe(true);
    expect((await read({ now: new Date(next) })).cached).toBe(false);
  });

  it('is another one where another project is pinned, or the model is shown other messages', async () => {
    const { read } = start();
    const conversation = { id: 'a', activeProjectId: null } as Conversation;
    const [pinned, moved] = [
      { ...conversation, activeProjectId: 'p' },
      { conversation, shownFrom: 'm' },
    ];
    for (const changes of [{ conversation }, { conversation: pinned }, moved]) {
      expect((await read(changes)).cached).toBe(false);
      expect((await read(changes)).cached).toBe(true);
    }
  });

  it('is read of in one statement where nothing was ever noted or said', async () => {
    const { contexts, read, state, done, tx } = start();
    state.version = '0,0,0';
    expect(await contexts.isBlank(tx, 'awa')).toBe(true);
    expect(await read()).toEqual({ text: '', tokens: 0, budget: 2000, items: [], omitted: 0, cached: false });
    expect(done).toEqual(['version', 'version']);
    state.version = '0,10,0';
    expect(await contexts.isBlank(tx, 'awa')).toBe(false);
  });

  it('is not kept by this process once anything of the company’s is forgotten', async () => {
    const { read, forget } = start();
    await read();
    await forget();
    expect((await read()).cached).toBe(false);
  });
});

describe('with an embedder', () => {
  it('asks it for what is not known, and for nothing else', async () => {
    const { read, done } = start();
    await read();
    expect(done.splice(0)).toEqual(['version', 'embed', 'version', 'read']);
    expect((await read()).cached).toBe(true);
    expect(done).toEqual(['version']);
  });

  it('keeps nothing that was made without its answer', async () => {
    const { read, state } = start();
    state.warning = 'It did not answer.';
    expect([(await read()).cached, (await read()).cached]).toEqual([false, false]);
    state.warning = null;
    expect([(await read()).cached, (await read()).cached]).toEqual([false, true]);
  });

  it('does not trouble it for a member of whom nothing is known', async () => {
    const { read, state, done } = start();
    state.version = '0,0,0';
    expect((await read()).text).toBe('');
    expect(done).not.toContain('embed');
  });
});

describe('the log', () => {
  it('tells what was told, by ids and figures, but not what it says', async () => {
    const { read, lines } = start({ level: 'debug' });
    await read();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      memberId: 'awa',
      assistant: 'mefali',
      sections: { FACT: [fact.id] },
      tokens: expect.any(Number),
      omitted: 0,
      cached: false,
      ms: expect.any(Number),
    });
    expect(lines.join('')).not.toMatch(/lake|Move|move/);
  });

  it('tells that as well where everything is asked for', async () => {
    const { read, lines } = start({ level: 'trace' });
    await read();
    expect(lines.join('')).toContain('by the lake');
  });
});
