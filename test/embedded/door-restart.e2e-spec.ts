import { HttpAgent } from '@ag-ui/client';

import { newId } from '../../src/common/ids.js';
import { MortalServer } from '../harness/mortal-server.js';

it('resumes a run across the death of the server, exactly after the last frame', async () => {
  await using server = await MortalServer.start();
  const threadId = newId();
  const input = {
    threadId,
    runId: newId(),
    protocolVersion: '1.0',
    messages: [{ id: 'u', role: 'user', content: 'Bonjour' }],
  };
  const post = async (lastEventId?: string): Promise<Response> => {
    const { token } = await server.client();
    return fetch(`${server.url}/ag-ui/mefali`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
      body: JSON.stringify(input),
    });
  };
  let seen = '';
  const first = await post();
  const reader = first.body!.pipeThrough(new TextDecoderStream()).getReader();
  while (!seen.includes('Bonj"')) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`The stream has ended: ${first.status} ${seen}`);
    seen += value;
  }
  await reader.cancel();
  await server.kill();
  await server.startAgain();
  // A frame that is not whole was not seen.
  const whole = seen.slice(0, seen.lastIndexOf('\n\n') + 2);
  const lastId = whole
    .match(/^id: (.*)$/gm)!
    .at(-1)!
    .slice('id: '.length);
  const rest = await (await post(lastId)).text();
  const all = await (await post()).text();
  const framesOf = (stream: string): string[] =>
    stream.split('\n\n').filter((frame) => frame.startsWith('id: '));
  expect([...framesOf(whole), ...framesOf(rest)]).toEqual(framesOf(all));
  const agent = new HttpAgent({
    url: `${server.url}/ag-ui/mefali/connect`,
    headers: { authorization: `Bearer ${(await server.client()).token}` },
    threadId,
  });
  await agent.runAgent();
  expect(agent.messages.map(({ content }) => content)).toEqual(['Bonjour', 'Bonsoir.']);
  expect(rest).toContain('MESSAGES_SNAPSHOT');
});
