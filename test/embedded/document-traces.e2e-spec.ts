import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';

import { DELETE_DOCUMENT, processed, upload } from '../harness/document-view.js';
import { eventually } from '../harness/eventually.js';
import { spokenIn } from '../harness/provider-request.js';
import { startApp } from '../harness/start-app.js';
import { tablesHolding } from '../harness/stored-anywhere.js';

const SAID = 'Le karité de Kolda est mûr en juillet.';
const OTHER = 'Le sésame de Kaffrine est semé en juin.';
const CITATIONS =
  'query ($id: ID!) { turn(id: $id) { answer { text citations { marker documentName quote } } } }';

it('leaves none of its passages in what turns keep, and all of other documents', async () => {
  await using app = await startApp((request) =>
    (spokenIn(request).at(-1) ?? '').startsWith('tool:')
      ? [text('En été [1].'), finish()]
      : [toolCall('retrieve_documents', { query: 'karité de Kolda, sésame de Kaffrine' }), finish()],
  );
  const ada = await app.client();
  const ask = { assistantKey: 'bibliotheque' };
  const [gone, kept] = [await upload(ada, 'karite.txt', SAID), await upload(ada, 'sesame.txt', OTHER)];
  for (const id of [gone, kept]) await processed(ada, id);
  const { turnId, conversationId } = await ada.ask('Quand ?', ask);
  await ada.allEvents(turnId);
  const { turnId: later } = await ada.ask('Et encore ?', { conversationId });
  await ada.allEvents(later);
  const keeping = (): Promise<string[]> => tablesHolding(app.database, SAID);
  expect(await keeping()).toEqual(expect.arrayContaining(['model_call', 'skill_call', 'turn_event']));
  const others = (await tablesHolding(app.database, OTHER)).toSorted();

  await ada.get(DELETE_DOCUMENT, { id: gone });
  expect(await eventually(keeping, (tables) => tables.length === 0)).toEqual([]);
  expect((await tablesHolding(app.database, OTHER)).toSorted()).toEqual(others);
  const { turn } = await ada.get<{ turn: { answer: { text: string; citations: object[] } } }>(CITATIONS, {
    id: turnId,
  });
  // What was answered stays: it says where from, and no longer what.
  expect(turn.answer.text).toBe('En été [1].');
  expect(turn.answer.citations).toEqual([
    { marker: 1, documentName: expect.any(String), quote: expect.any(String) },
  ]);
});
