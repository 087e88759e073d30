import { ModelError, type ChatPart, type ChatRequest } from './chat-model.js';
import {
  failure,
  finish,
  gate,
  hang,
  reasoning,
  ScriptedChatModel,
  text,
  toolCall,
} from './scripted-chat-model.double.js';

const request: ChatRequest = { model: null, messages: [], tools: [], maxOutputTokens: 10 };
const never = new AbortController().signal;

async function partsOf(model: ScriptedChatModel): Promise<ChatPart[]> {
  const parts: ChatPart[] = [];
  for await (const part of model.stream(request, never)) parts.push(part);
  return parts;
}

describe('ScriptedChatModel', () => {
  it('plays one reply after the other and keeps the requests', async () => {
    const model = new ScriptedChatModel([
      [reasoning('Hm'), toolCall('f', { x: 1 }, 'a'), finish()],
      [text('Hel'), text('lo'), finish()],
    ]);
    expect((await partsOf(model)).map(({ type }) => type)).toEqual(['reasoning', 'tool-call', 'finish']);
    expect((await partsOf(model)).at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
    expect(model.requests).toEqual([request, request]);
    expect(model.aborted).toBe(0);
    await expect(partsOf(model)).rejects.toThrow('this is call 3');
  });

  it('finds a reply by the request', async () => {
    const model = new ScriptedChatModel(({ maxOutputTokens }, call) => [
      text(`${maxOutputTokens}/${call}`),
      finish(),
    ]);
    expect((await partsOf(model))[0]).toEqual({ type: 'text', text: '10/1' });
  });

  it('fails as it is told, and where a reply has no end', async () => {
    const error = new ModelError('CONTEXT_TOO_LARGE', 'Too long.', false);
    const model = new ScriptedChatModel([[text('a'), failure(error)], [text('a')]]);
    await expect(partsOf(model)).rejects.toBe(error);
    await expect(partsOf(model)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
    expect(model.aborted).toBe(0);
  });

  it('waits at a gate', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const parts = new ScriptedChatModel([[gate(promise), text('a'), finish()]]).stream(request, never);
    const next = parts.next();
    const other = Promise.resolve('still waiting');
    expect(await Promise.race([next, other])).toBe('still waiting');
    resolve();
    expect(await next).toMatchObject({ value: { text: 'a' } });
  });

  it('hangs until it is aborted, or the reader leaves', async () => {
    const model = new ScriptedChatModel(() => [text('a'), hang()]);
    const controller = new AbortController();
    const parts = model.stream(request, controller.signal);
    await parts.next();
    const next = parts.next();
    controller.abort(new Error('cancelled'));
    await expect(next).rejects.toThrow('cancelled');
    const left = model.stream(request, never);
    await left.next();
    await left.return?.();
    expect(model.aborted).toBe(2);
  });
});
