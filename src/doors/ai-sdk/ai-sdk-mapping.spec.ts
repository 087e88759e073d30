import { readUIMessageStream, uiMessageChunkSchema, type UIMessage, type UIMessageChunk } from 'ai';
import fc from 'fast-check';

import { wordingIn } from '../../common/wording/wording.js';
import type { TurnEvent } from '../../conversations/turns/turn-event.js';
import { failedTurn, played, textOf, turnLogs, waitsIn } from '../turn-events.double.js';
import { type RunPart, turnFrames } from '../turn-frames.js';
import { AiSdkMapping, type Chunk } from './ai-sdk-mapping.js';

const turn = { id: 't', conversationId: 'k', answerId: 'a' };
const whole: RunPart = { answered: new Set(), passesUntil: Number.MAX_SAFE_INTEGER, followsBackground: true };

async function chunksOf(log: readonly TurnEvent[], part = whole): Promise<Chunk[]> {
  const toolNameOf = (skill: string): string | null => (skill === 'read_page' ? 'readPage' : null);
  const mapping = new AiSdkMapping({
    turn,
    answered: new Set(),
    toolNameOf,
    wording: async () => wordingIn('fr').doors,
  });
  const frames = await Array.fromAsync(turnFrames({ events: played(log), part, mapping, after: null }));
  return frames.map((frame) => JSON.parse(frame.slice(frame.indexOf('data: ') + 6)) as Chunk);
}

/** The client's message from chunks, after an earlier one. Rejects where the client would. */
async function messageOf(chunks: readonly Chunk[], message?: UIMessage): Promise<UIMessage | undefined> {
  let last = message;
  const stream = new ReadableStream<UIMessageChunk>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk as UIMessageChunk);
      controller.close();
    },
  });
  const isError = chunks.at(-1)?.type === 'error';
  const reading = readUIMessageStream({ stream, message, terminateOnError: !isError });
  for await (const one of reading) last = one;
  return last;
}

function textIn(message: UIMessage | undefined): string {
  return (message?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

/** The text at the move to the background is separate. */
const logs = turnLogs.map((log) => log.filter(({ type }) => type !== 'moved-to-background'));

it('are valid, and leave a client with the text that the turn leaves', async () => {
  const schema = uiMessageChunkSchema();
  await fc.assert(
    fc.asyncProperty(turnLogs, async (log) => {
      const chunks = await chunksOf(log);
      for (const chunk of chunks) {
        expect(await schema.validate?.(chunk)).toMatchObject({ success: true });
      }
      await messageOf(chunks);
    }),
  );
  await fc.assert(
    fc.asyncProperty(logs, async (log) => {
      expect(textIn(await messageOf(await chunksOf(log)))).toBe(textOf(log));
    }),
  );
});

it('go on after an answer in the same message', async () => {
  await fc.assert(
    fc.asyncProperty(logs, async (log) => {
      let message: UIMessage | undefined;
      for (const answered of [new Set<string>(), ...waitsIn(log)]) {
        const chunks = await chunksOf(log, { answered, passesUntil: 0, followsBackground: true });
        message = await messageOf(chunks, message && structuredClone(message));
      }
      expect(message?.id).toBe('a');
      // Nothing of an earlier response is withdrawn: the loop withdraws text before it asks.
      expect(textIn(message)).toContain(textOf(log));
    }),
  );
});

it('tells in the language of the assistant of a failure without an error', async () => {
  expect((await chunksOf([failedTurn])).at(-1)).toEqual({ type: 'error', errorText: 'La demande a échoué.' });
});
