import { createPalabre, type TurnEvent } from '@palabre/client';

import { MortalServer } from '../harness/mortal-server.js';

it('follows a turn across the death of the server, and shows what is stored in the end', async () => {
  await using server = await MortalServer.start();
  const changes: boolean[] = [];
  const palabre = createPalabre({
    url: server.url,
    token: async () => (await server.client()).token,
    onConnectionChange: (isConnected) => changes.push(isConnected),
  });
  try {
    const turn = palabre.ask({ assistantKey: 'mefali', message: 'Bonjour' });
    const events: TurnEvent[] = [];
    for await (const event of turn) {
      events.push(event);
      if (event.__typename !== 'TextDelta' || event.text !== 'Bonj') continue;
      await server.kill();
      await server.startAgain();
    }
    const { turnId, text: answer, messageId } = await turn.answer;
    expect(answer).toBe('Bonsoir.');
    const client = await server.client();
    expect(events).toMatchObject(await client.allEvents(turnId));
    const query = 'query ($id: ID!) { node(id: $id) { ... on Message { text } } }';
    expect(await client.get(query, { id: messageId })).toEqual({ node: { text: answer } });
    expect(changes).toEqual([true, false, true]);
  } finally {
    await palabre.close();
  }
});
