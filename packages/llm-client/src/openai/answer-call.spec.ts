import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { ChatPart } from '../chat-model.js';
import { chunk, content, done, event, usageAlone } from '../fixtures/provider-quirk.double.js';
import { AnswerCall, type OpenAnswer } from './answer-call.js';
import { CompletionReader } from './chat/completion-reader.js';

const context = { model: 'm', provider: 'p', takenCallIds: [], estimateInput: () => 1 };
const timeouts = { firstByteTimeoutMs: 1000, idleTimeoutMs: 1000 };
const never = new AbortController().signal;
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

afterEach(() => vi.useRealTimers());

async function collect(parts: AsyncIterable<ChatPart>): Promise<ChatPart[]> {
  const all: ChatPart[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

function opened(body: PassThrough): OpenAnswer {
  return { body, reader: (emit) => new CompletionReader(context, emit) };
}

function callOn(message: PassThrough, given = timeouts): AnswerCall {
  return new AnswerCall(
    () => Promise.resolve(opened(message)),
    (error) => error,
    given,
    never,
  );
}

describe('AnswerCall', () => {
  it('holds the provider back while the reader lags behind, and takes no offence at the silence', async () => {
    vi.useFakeTimers({ toNotFake: ['setImmediate'] });
    const message = new PassThrough();
    const { parts } = callOn(message);
    const first = parts.next();
    await turn();
    for (let i = 0; i < 1100; i++) message.write(content('a'));
    message.write(content('b'));
    await first;
    await turn();
    expect(message.isPaused()).toBe(true);
    expect(parts.lag).toBeLessThan(1200);
    vi.advanceTimersByTime(60_000);
    message.end(chunk({}, 'stop') + done);
    let text = 'a';
    for await (const part of parts) text += part.type === 'text' ? part.text : '';
    expect(text).toBe(`${'a'.repeat(1100)}b`);
    expect(message.isPaused()).toBe(false);
  });

  it('takes each byte for a sign of life before the answer begins, a comment too', async () => {
    vi.useFakeTimers({ toNotFake: ['setImmediate'] });
    const message = new PassThrough();
    const { parts } = callOn(message);
    const next = parts.next();
    await turn();
    message.write(chunk({ role: 'assistant', content: '' }));
    for (let i = 0; i < 10; i++) {
      message.write(': wait\n\n');
      await turn();
      vi.advanceTimersByTime(900);
    }
    message.write(content('a'));
    expect(await next).toMatchObject({ value: { text: 'a' } });
    const silent = parts.next();
    vi.advanceTimersByTime(1000);
    await expect(silent).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
    expect(message.destroyed).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('takes nothing but more of the answer for a sign of life once it has begun', async () => {
    vi.useFakeTimers({ toNotFake: ['setImmediate'] });
    const message = new PassThrough();
    const { parts } = callOn(message);
    const first = parts.next();
    await turn();
    const last = content('b');
    for (const bytes of [content('a'), last.slice(0, 9), last.slice(9)]) {
      message.write(bytes);
      await turn();
      vi.advanceTimersByTime(900);
    }
    expect(await first).toMatchObject({ value: { text: 'a' } });
    expect(await parts.next()).toMatchObject({ value: { text: 'b' } });
    const silent = parts.next();
    for (const bytes of [': wait\n\n', ': wa', 'it\n', '\n']) {
      message.write(bytes);
      await turn();
      vi.advanceTimersByTime(30);
    }
    await expect(silent).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
  });

  describe('when the end is told and the connection stays open', () => {
    const usage = usageAlone({ prompt_tokens: 7, completion_tokens: 3 });
    const patient = { firstByteTimeoutMs: 60_000, idleTimeoutMs: 60_000 };

    const started = async (...bytes: string[]) => {
      vi.useFakeTimers({ toNotFake: ['setImmediate'] });
      const message = new PassThrough();
      const { parts } = callOn(message, patient);
      const all = collect(parts);
      await turn();
      for (const piece of bytes) {
        message.write(piece);
        await turn();
      }
      return { message, all };
    };

    it('waits for the usage, and not long', async () => {
      const { all } = await started(content('a'), chunk({}, 'stop'));
      vi.advanceTimersByTime(3000);
      expect((await all).at(-1)).toMatchObject({ type: 'finish', usage: { source: 'ESTIMATED' } });
    });

    it('waits for nothing more to speak of once the usage is there', async () => {
      const { message, all } = await started(content('a'), chunk({}, 'stop'));
      vi.advanceTimersByTime(2900);
      message.write(usage);
      await turn();
      vi.advanceTimersByTime(200);
      expect((await all).at(-1)).toMatchObject({ type: 'finish', usage: { inputTokens: 7 } });
    });

    it('is not held by what keeps the connection open', async () => {
      const { message, all } = await started(content('a'), chunk({}, 'stop'));
      for (let i = 0; i < 3; i++) {
        vi.advanceTimersByTime(1000);
        message.write(i % 2 === 0 ? ': wait\n\n' : event({ choices: [] }));
        await turn();
      }
      expect((await all).at(-1)).toMatchObject({ type: 'finish' });
    });

    it('goes on while there is more of the answer all the same', async () => {
      const every = { usage: { prompt_tokens: 7, completion_tokens: 1 } };
      const { message, all } = await started(chunk({ content: 'a' }, 'stop', every));
      for (const text of ['b', 'c']) {
        vi.advanceTimersByTime(2900);
        message.write(chunk({ content: text }, 'stop', every));
        await turn();
      }
      vi.advanceTimersByTime(3000);
      const told = (await all).map((part) => ('text' in part ? part.text : part.type));
      expect(told.join(' ')).toBe('a b c finish');
    });
  });

  it('destroys an answer that comes after the reader has left', async () => {
    const { promise, resolve } = Promise.withResolvers<PassThrough>();
    const call = new AnswerCall(
      () => promise.then(opened),
      (error) => error,
      timeouts,
      never,
    );
    const next = call.parts.next();
    await call.parts.return();
    const message = new PassThrough();
    const closed = once(message, 'close');
    resolve(message);
    await closed;
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it('lets go of a connection that does not end after [DONE]', async () => {
    vi.useFakeTimers({ toNotFake: ['setImmediate'] });
    const message = new PassThrough();
    const { parts } = callOn(message);
    const all = collect(parts);
    await turn();
    message.write(content('a') + chunk({}, 'stop') + done);
    expect((await all).map(({ type }) => type)).toEqual(['text', 'finish']);
    expect(message.destroyed).toBe(false);
    const closed = once(message, 'close');
    vi.advanceTimersByTime(1000);
    await closed;
    expect(vi.getTimerCount()).toBe(0);
  });
});
