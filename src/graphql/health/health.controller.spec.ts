import type { FastifyReply } from 'fastify';
import type { ModelCircuit } from '@palabre/llm-client';

import { DomainError } from '../../common/errors/domain-error.js';
import { readConfig } from '../../common/config/read-config.js';
import type { Database } from '../../platform/database/database.js';
import type { Listening, PubSub } from '../../platform/pubsub/pub-sub.js';
import type { SearchState, SemanticLeg } from '../../documents/search-index/semantic/semantic-leg.service.js';
import type { ModelProviders } from '../../llm/model-providers.js';
import type { TurnLog } from '../../conversations/turns/log/turn-log.service.js';
import { HealthController } from './health.controller.js';

const lexical: SearchState = { search: 'lexical only', embedder: null };
const closed: ModelCircuit[] = [{ model: 'm', circuit: 'closed', key: 'unknown' }];

async function probe(
  listening: Listening,
  showMigrations: () => Promise<boolean>,
  models: ModelCircuit[] = closed,
  search: SearchState = lexical,
  check: () => Promise<void> = async () => undefined,
  storingForMs: number | null = null,
) {
  const database = { dataSource: { showMigrations }, check } as unknown as Database;
  const providers = { circuits: () => models } as ModelProviders;
  const semantic = { state: search } as SemanticLeg;
  const pubSub = { listening } as PubSub;
  const log = { storingForMs } as TurnLog;
  const controller = new HealthController(database, pubSub, readConfig({}), providers, semantic, log);
  let status: number | null = null;
  const reply = { status: (code: number) => (status = code) } as unknown as FastifyReply;
  const readiness = await controller.ready(reply);
  return { ...readiness, httpStatus: status };
}

async function migrated(): Promise<boolean> {
  return false;
}

it.each<[Listening, number]>([
  [{ state: 'not needed' }, 200],
  [{ state: 'ok' }, 200],
  [{ state: 'lost', forMs: 4_900 }, 200],
  [{ state: 'lost', forMs: 5_100 }, 503],
])('%p: answers with %d', async (listening, httpStatus) => {
  expect(await probe(listening, migrated)).toEqual({
    httpStatus,
    status: httpStatus === 200 ? 'ready' : 'not ready',
    role: 'all',
    database: 'ok',
    migrations: 'ok',
    listening: listening.state,
    events: 'ok',
    model: 'offline stand-in',
    models: closed,
    ...lexical,
  });
});

it.each([
  [2_900, 200, 'ok'],
  [3_100, 503, 'late'],
])('events on their way for %d ms: answers with %d', async (ms, httpStatus, events) => {
  const check = async (): Promise<void> => undefined;
  expect(await probe({ state: 'ok' }, migrated, closed, lexical, check, ms)).toMatchObject({
    httpStatus,
    events,
  });
});

it('is ready without a model, and says so', async () => {
  const models: ModelCircuit[] = [
    { model: 'm', circuit: 'open', key: 'accepted' },
    { model: 'f', circuit: 'half-open', key: 'unknown' },
  ];
  expect(await probe({ state: 'ok' }, migrated, models)).toMatchObject({ httpStatus: 200, models });
});

it('is degraded while the provider refuses the key, which no restart would mend', async () => {
  const models: ModelCircuit[] = [{ model: 'm', circuit: 'closed', key: 'refused' }];
  const refused = await probe({ state: 'ok' }, migrated, models);
  expect(refused).toMatchObject({ httpStatus: 200, status: 'degraded', models });
  expect(await probe({ state: 'ok' }, async () => true, models)).toMatchObject({
    httpStatus: 503,
    status: 'not ready',
  });
});

it('is ready while the embedder is away, and says so', async () => {
  const away: SearchState = { search: 'lexical and semantic', embedder: 'open' };
  expect(await probe({ state: 'ok' }, migrated, closed, away)).toMatchObject({ httpStatus: 200, ...away });
});

it('is not ready without the database, nor with one that is behind', async () => {
  const away = async (): Promise<never> => {
    throw new Error('The database is away.');
  };
  expect(await probe({ state: 'ok' }, away)).toMatchObject({ httpStatus: 503, database: 'unreachable' });
  expect(await probe({ state: 'ok' }, async () => true)).toMatchObject({
    httpStatus: 503,
    migrations: 'pending',
  });
});

it('is not ready while the database takes no writes, and says so', async () => {
  const refuse = async (): Promise<never> => {
    throw new DomainError('UNAVAILABLE', 'Not just now.', {}, { cause: { code: '25006' } });
  };
  expect(await probe({ state: 'ok' }, migrated, closed, lexical, refuse)).toMatchObject({
    httpStatus: 503,
    database: 'read-only',
  });
});
