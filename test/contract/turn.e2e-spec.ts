import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';

import { seenToEnd } from '../harness/laws.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import { answerOf, kindsOf } from '../harness/test-client.js';

describe('a turn', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await shareApp((request) => {
      const messages = request.messages as { role: string; content: string }[];
      if (messages.at(-1)?.role === 'tool') return [text('Vous êtes '), text('Demo.'), finish()];
      return [text('Je regarde. '), toolCall('get_company_profile', {}), finish()];
    });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it('streams skills and text, and what its end tells can be queried', async () => {
    const client = await app.client();
    const { turnId, conversationId } = await client.ask('Qui sommes-nous ?');
    const events = await client.allEvents(turnId);
    expect(kindsOf(events)).toEqual([
      'StatusChanged',
      'StatusChanged',
      'TextDelta',
      'TextReset',
      'SkillStarted',
      'SkillFinished',
      'TextDelta',
      'TurnDone',
    ]);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1));
    expect(answerOf(events)).toBe('Vous êtes Demo.');
    const { turn } = await client.get<{ turn: Record<string, unknown> }>(
      `query ($id: ID!) { turn(id: $id) {
         status finishReason lastSequence question { text } answer { id text status } usage { modelCalls skillCalls inputTokens }
         conversation { id title activeTurn { id } messages(first: 5) { edges { node { role text turn { id } } } } }
         skillCalls { id skill status resultPreview finishedAt } } }`,
      { id: turnId },
    );
    expect(turn).toMatchObject({
      status: 'COMPLETED',
      finishReason: 'ANSWERED',
      lastSequence: events.length,
      question: { text: 'Qui sommes-nous ?' },
      answer: { id: events.at(-1)?.messageId, text: 'Vous êtes Demo.', status: 'COMPLETE' },
      usage: { modelCalls: 2, skillCalls: 1 },
      conversation: { id: conversationId, title: 'Qui sommes-nous ?', activeTurn: null },
      skillCalls: [
        {
          id: events.find(({ __typename }) => __typename === 'SkillStarted')?.callId,
          skill: 'get_company_profile',
          status: 'SUCCEEDED',
        },
      ],
    });
  });

  it('is seen the same from any of its events on, by whoever follows it, leaves or comes late', async () => {
    const client = await app.client();
    const { turnId } = await client.ask('Qui sommes-nous ?');
    const events = await seenToEnd(client, turnId);
    for (let after = 0; after <= events.length; after += 1) {
      expect(await client.allEvents(turnId, after)).toEqual(events.slice(after));
    }
  });
});
