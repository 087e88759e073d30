import { finish, hang, reasoning, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import {
  type ProviderReply,
  type ScriptedProvider,
  startScriptedProvider,
} from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { isUpkeep } from '../harness/provider-request.js';
import { Replica } from '../harness/replicas.js';
import { answerOf } from '../harness/test-client.js';
import { createTestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';

const onServer = testDatabaseUrl === null ? describe.skip : describe;

function inputOf(request: JsonObject): JsonObject[] {
  return request['input'] as JsonObject[];
}

onServer('a turn by the Responses API', () => {
  it('goes on with the thoughts of the server that was killed, sealed as they came', async () => {
    await using testDatabase = await createTestDatabase();
    let isKilled = false;
    const reply = (request: JsonObject): ProviderReply => {
      if (isUpkeep(request)) return [finish()];
      const hasResult = inputOf(request).some(({ type }) => type === 'function_call_output');
      if (!hasResult) return [reasoning('Hm.'), toolCall('get_company_profile', {}, 'call_1'), finish()];
      if (isKilled) return [text('It is 42.'), finish()];
      return [text('It is'), hang()];
    };
    await using provider: ScriptedProvider = await startScriptedProvider(reply);
    await using replica = await Replica.start({
      databaseUrl: testDatabase.location.database.url ?? '',
      provider,
      settings: { LLM_API: 'responses' },
    });
    const client = await replica.client();
    const { turnId } = await client.ask('How much?');
    // What is shown is stored.
    for await (const { text: shown } of client.turnEvents(turnId)) if (shown === 'It is') break;
    await replica.down('SIGKILL');
    isKilled = true;
    await replica.up();
    const events = await (await replica.client()).allEvents(turnId);
    expect(answerOf(events)).toBe('It is 42.');
    const [first, second, last] = provider.requests.filter((request) => !isUpkeep(request));
    expect(provider.requests.filter((request) => !isUpkeep(request))).toHaveLength(3);
    expect(last).toEqual(second);
    expect(inputOf(last ?? {}).slice(inputOf(first ?? {}).length)).toMatchObject([
      { type: 'reasoning', encrypted_content: 'sealed-0' },
      { type: 'function_call', call_id: 'call_1', name: 'get_company_profile' },
      { type: 'function_call_output', call_id: 'call_1' },
    ]);
    expect(new Set(provider.protocols)).toEqual(new Set(['responses']));
  });
});
