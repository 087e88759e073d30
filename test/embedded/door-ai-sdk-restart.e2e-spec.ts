import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai';

import { newId } from '../../src/common/ids.js';
import { MortalServer } from '../harness/mortal-server.js';

it('shows the AI SDK’s chat the message under way after the death of the server', async () => {
  const resumes = Promise.withResolvers<void>();
  await using server = await MortalServer.start(resumes.promise);
  const { token } = await server.client();
  const transport = new DefaultChatTransport<UIMessage>({
    api: `${server.url}/ai-sdk/mefali`,
    headers: { authorization: `Bearer ${token}` },
  });
  const chatId = newId();
  const stream = await transport.sendMessages({
    trigger: 'submit-message',
    chatId,
    messageId: undefined,
    messages: [{ id: newId(), role: 'user', parts: [{ type: 'text', text: 'Bonjour' }] }],
    abortSignal: undefined,
  });
  const reader = stream.getReader();
  for (;;) {
    const { value } = await reader.read();
    if (value?.type === 'text-delta') break;
  }
  await server.kill();
  await reader.cancel().catch(() => undefined);
  await server.startAgain();
  const resumed = await transport.reconnectToStream({ chatId });
  resumes.resolve();
  let message: UIMessage | undefined;
  for await (const shown of readUIMessageStream({ stream: resumed! })) message = shown;
  expect(message).toMatchObject({ metadata: { status: 'COMPLETED' } });
  expect(message?.parts.filter(({ type }) => type === 'text')).toMatchObject([{ text: 'Bonsoir.' }]);
});
