import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import {
  type ScriptedProvider,
  startScriptedProvider,
} from '@palabre/llm-client/scripted-provider.double.js';

import { signToken } from '../../src/companies/auth/token-signer.js';
import { newId } from '../../src/common/ids.js';
import { createLogger } from '../../src/common/process/logger.js';
import { readConfig } from '../../src/common/config/read-config.js';
import { type Server, startServer } from '../../src/app/server.js';
import { contextOf, type ContextView, pin } from '../harness/memory-context-view.js';
import { forget, remember, update } from '../harness/memory-view.js';
import { isUpkeep, questionOf } from '../harness/provider-request.js';
import { SECRET } from '../harness/start-app.js';
import { TestClient } from '../harness/test-client.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';

const onServer = testDatabaseUrl === null ? describe.skip : describe;

onServer('a context on several replicas', () => {
  let testDatabase: TestDatabase;
  let provider: ScriptedProvider;
  let servers: Server[];
  const clients: TestClient[] = [];

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    provider = await startScriptedProvider(() => [
      text('Nous avons retenu le bleu pour la façade.'),
      finish(),
    ]);
    const config = readConfig({
      PORT: '0',
      DATABASE_URL: testDatabase.location.database.url ?? '',
      AUTH_SECRET: SECRET,
      LLM_BASE_URL: provider.baseUrl,
      LLM_MODEL: 'scripted',
      CONVERSATION_TITLES: 'question',
    });
    const logger = createLogger({ level: 'silent', pretty: false });
    servers = [await startServer(config, logger), await startServer(config, logger)];
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    for (const server of servers) await server.close();
    await provider.close();
    await testDatabase[Symbol.asyncDispose]();
  });

  /** The same new member at each replica. */
  const member = async (): Promise<[here: TestClient, there: TestClient]> => {
    const token = await signToken(
      SECRET,
      { sub: newId(), company: 'demo', role: 'ADMIN', name: 'Awa' },
      3600,
    );
    const both = servers.map(({ url }) => new TestClient(url, token));
    clients.push(...both);
    return [both[0]!, both[1]!];
  };

  it('is good nowhere any more once memory has changed anywhere', async () => {
    const [here, there] = await member();
    const message = 'Quand est le déménagement de Baobab, et la façade ?';
    const noted = await remember(here, { kind: 'FACT', subject: 'Déménagement', content: 'prévu en juin' });
    /** Asks there until it is known there, and gives what there was at first. */
    const askThere = async (asked: object = {}): Promise<ContextView> => {
      const first = await contextOf(there, message, asked);
      expect(await contextOf(there, message, asked)).toEqual({ ...first, cached: true });
      return first;
    };
    expect((await askThere()).text).toContain('prévu en juin');

    const newer = await update(here, noted.id, { content: 'repoussé à septembre' });
    const updated = await askThere();
    expect(updated).toMatchObject({ cached: false, text: expect.stringContaining('septembre') });
    expect(updated.text).not.toContain('juin');

    const project = { kind: 'PROJECT', subject: 'Baobab', content: 'site vitrine' };
    const shared = await remember(here, { ...project, shared: true });
    expect(await askThere()).toMatchObject({ cached: false, text: expect.stringContaining('site vitrine') });

    await forget(here, newer.id);
    const forgotten = await askThere();
    expect(forgotten.cached).toBe(false);
    expect(forgotten.text).not.toContain('septembre');

    const { turnId, conversationId } = await here.ask('Quelle couleur pour la façade ?', {
      assistantKey: 'therese',
    });
    expect((await here.allEvents(turnId)).at(-1)).toMatchObject({ status: 'COMPLETED' });
    const recalled = await askThere();
    expect(recalled).toMatchObject({ cached: false, text: expect.stringContaining('retenu le bleu') });

    expect((await askThere({ conversationId })).cached).toBe(false);
    await pin(here, conversationId, shared.id);
    expect((await askThere({ conversationId })).cached).toBe(false);
    await forget(here, shared.id);
    expect((await askThere({ conversationId })).text).not.toContain('site vitrine');
  });

  it('is in a turn what memoryContext shows, whichever replica is asked', async () => {
    const [here, there] = await member();
    await remember(here, { kind: 'PREFERENCE', subject: 'Réponses', content: 'courtes' });
    const message = 'Bonjour à vous deux';
    for (const [asked, client] of [
      [there, here],
      [here, there],
    ] as const) {
      const shown = await contextOf(asked, message);
      expect(shown.text).toContain('courtes');
      const { turnId } = await client.ask(message, { assistantKey: 'therese' });
      await client.allEvents(turnId);
      // After the turn the model is asked what is to be noted.
      const request = provider.requests.findLast((body) => !isUpkeep(body));
      expect(questionOf(request)).toBe(`${shown.text}\n\n${message}`);
    }
  });
});
