import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { JsonObject } from '@palabre/json';

import { skillEnd } from '../harness/input-view.js';
import { seenToEnd } from '../harness/laws.js';
import { ScriptBook } from '../harness/script-book.js';
import { shareApp, type TestApp } from '../harness/start-app.js';

const book = new ScriptBook();
let app: TestApp;
beforeAll(async () => void (app = await shareApp(book.replyTo)));
afterAll(() => app[Symbol.asyncDispose]());

it('are checked deep inside a schema that contains itself, too', async () => {
  const client = await app.client();
  const parameters = {
    type: 'object',
    properties: { part: { type: 'string' }, inside: { $ref: '#' } },
    required: ['part'],
    additionalProperties: false,
  };
  const nested = Array.from({ length: 5 }).reduce<JsonObject>((inside) => ({ part: 'a', inside }), {
    part: 7,
  });
  const question = book.add([toolCall('read_page', nested), finish()], [text('C’est fait.'), finish()]);
  const clientSkills = [{ key: 'read_page', description: 'Reads the page.', parameters }];
  const { turnId } = await client.ask(question, { assistantKey: 'mefali', clientSkills });
  expect(skillEnd(await seenToEnd(client, turnId))).toMatchObject({ callStatus: 'FAILED' });
});
