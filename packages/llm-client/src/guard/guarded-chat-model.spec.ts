import { CallNotMade, ModelError, type ChatPart, type ChatRequest } from '../chat-model.js';
import { GuardedChatModel } from './guarded-chat-model.js';
import {
  failure,
  finish,
  gate,
  hang,
  ScriptedChatModel,
  text,
  type Script,
  type ScriptedReply,
} from '../scripted-chat-model.double.js';

const request: ChatRequest = { model: null, messages: [], tools: [], maxOutputTokens: 10, companyId: 'a' };
const never = new AbortController().signal;
const away = new ModelError('MODEL_UNAVAILABLE', 'away', true);

let scripted: ScriptedChatModel;
let model: GuardedChatModel;

function start(script: Script<ChatRequest, ScriptedReply>, maxConcurrent = 10): void {
  scripted = new ScriptedChatModel(script);
  model = new GuardedChatModel(scripted, { model: 'm', maxConcurrent });
}

async function partsOf(given: ChatRequest = request, signal = never): Promise<ChatPart[]> {
  const parts: ChatPart[] = [];
  for await (const part of model.stream(given, signal)) parts.push(part);
  return parts;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function fail(times: number, given: ChatRequest = request): Promise<void> {
  for (let i = 0; i < times; i++) await expect(partsOf(given)).rejects.toBe(away);
}

afterEach(() => vi.useRealTimers());

describe('GuardedChatModel', () => {
  it('hands on what the model sends, and stops listening to the signal', async () => {
    start([[text('a'), finish()]]);
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    expect(await partsOf(request, signal)).toMatchObject([{ type: 'text', text: 'a' }, { type: 'finish' }]);
    for (const [type, listener] of added.mock.calls) {
      expect(removed.mock.calls).toContainEqual([type, listener]);
    }
    expect(scripted.requests).toEqual([request]);
  });

  it('makes no call for a stream that is not read, nor for an aborted signal', async () => {
    start([]);
    model.stream(request, never);
    const reason = new Error('too late');
    await expect(partsOf(request, AbortSignal.abort(reason))).rejects.toEqual(new CallNotMade(reason));
    expect(scripted.requests).toEqual([]);
  });
});

describe('GuardedChatModel lets in one call after the other', () => {
  it('when a call has told its finish', async () => {
    start(() => [text('a'), finish()], 1);
    const first = model.stream(request, never);
    await first.next();
    const second = model.stream(request, never).next();
    await turn();
    expect(scripted.requests).toHaveLength(1);
    expect(await first.next()).toMatchObject({ value: { type: 'finish' } });
    expect(await second).toMatchObject({ value: { type: 'text' } });
  });

  it('one that somebody waits for beside those of its company that nobody does', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    start((_, call) => (call === 1 ? [gate(promise), finish()] : [finish()]), 1);
    const upkeep = { ...request, isUpkeep: true };
    const calls = [request, upkeep, upkeep, upkeep, request].map((given) => partsOf(given));
    resolve();
    await Promise.all(calls);
    expect(scripted.requests).toEqual([request, upkeep, request, upkeep, upkeep]);
  });

  it('when a call fails', async () => {
    start((_, call) => (call === 1 ? [text('a'), failure(away)] : [finish()]), 1);
    const first = model.stream(request, never);
    await first.next();
    const second = partsOf();
    await expect(first.next()).rejects.toBe(away);
    expect(await first.next()).toEqual({ done: true, value: undefined });
    expect(await second).toHaveLength(1);
  });

  it('when a reader leaves, also while the model is silent', async () => {
    start((_, call) => (call === 1 ? [text('a'), hang()] : [finish()]), 1);
    const first = model.stream(request, never);
    await first.next();
    const silent = first.next();
    const second = partsOf();
    await first.return?.();
    expect(await silent).toEqual({ done: true, value: undefined });
    expect(await second).toHaveLength(1);
    expect(scripted.aborted).toBe(1);
  });

  it('when a call is aborted, even if nobody reads it any more', async () => {
    start((_, call) => (call === 1 ? [text('a'), hang()] : [finish()]), 1);
    const controller = new AbortController();
    const first = model.stream(request, controller.signal);
    await first.next();
    const second = partsOf();
    controller.abort(new Error('cancelled'));
    expect(await second).toHaveLength(1);
    await expect(first.next()).rejects.toThrow('cancelled');
  });

  it('and nothing for those that leave, or are aborted, while they wait', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    start(() => [gate(promise), finish()], 1);
    const first = partsOf();
    const leaving = model.stream(request, never);
    const left = leaving.next();
    const controller = new AbortController();
    const aborted = partsOf(request, controller.signal);
    await turn();
    await leaving.return?.();
    expect(await left).toEqual({ done: true, value: undefined });
    const reason = new Error('cancelled');
    controller.abort(reason);
    await expect(aborted).rejects.toEqual(new CallNotMade(reason));
    const last = partsOf({ ...request, companyId: 'b' });
    resolve();
    await Promise.all([first, last]);
    expect(scripted.requests.map(({ companyId }) => companyId)).toEqual(['a', 'b']);
  });

  it('of each company in its turn', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    start(() => [gate(promise), finish()], 1);
    const calls = ['a', 'a', 'a', 'b'].map((companyId) => partsOf({ ...request, companyId }));
    await turn();
    resolve();
    await Promise.all(calls);
    expect(scripted.requests.map(({ companyId }) => companyId)).toEqual(['a', 'a', 'b', 'a']);
  });
});

describe('GuardedChatModel leaves a failing model alone', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toNotFake: ['setImmediate', 'setTimeout'], now: 0 });
  });

  it('after five failures, and tries again later', async () => {
    start((_, call) => (call <= 5 ? [text('a'), failure(away)] : [text('a'), finish()]));
    await fail(5);
    expect(model.circuitOf('m')).toEqual({ model: 'm', circuit: 'open', key: 'accepted' });
    await expect(partsOf()).rejects.toMatchObject({ retryable: true, retryAfterMs: 15_000 });
    expect(scripted.requests).toHaveLength(5);
    vi.setSystemTime(15_000);
    const trial = model.stream(request, never);
    const first = trial.next();
    await turn();
    // The first part decides.
    await first;
    expect(model.circuitOf('m').circuit).toBe('closed');
    expect(await partsOf()).toHaveLength(2);
  });

  it('and no other model of the provider', async () => {
    start(({ model: name }) => (name === null ? [failure(away)] : [finish()]));
    await fail(5);
    expect(model.circuitOf('m').circuit).toBe('open');
    expect(await partsOf({ ...request, model: 'other' })).toHaveLength(1);
    await expect(partsOf({ ...request, model: 'm' })).rejects.toMatchObject({ detail: 'circuit open' });
  });

  it('also those that have waited for their place meanwhile', async () => {
    start(() => [failure(away)], 1);
    const calls = Array.from({ length: 7 }, () => partsOf().catch((error: unknown) => error));
    const errors = await Promise.all(calls);
    expect(scripted.requests).toHaveLength(5);
    expect(errors.slice(5)).toMatchObject([{ detail: 'circuit open' }, { detail: 'circuit open' }]);
  });

  it('but does not hold it against the model that a reader has left, or was stopped', async () => {
    start((_, call) => (call <= 10 ? [hang()] : [failure(away)]));
    for (let i = 0; i < 5; i++) {
      const controller = new AbortController();
      const stopped = partsOf(request, controller.signal);
      await turn();
      controller.abort(new Error('cancelled'));
      await expect(stopped).rejects.toThrow('cancelled');
      const left = model.stream(request, never);
      void left.next();
      await left.return?.();
    }
    expect(model.circuitOf('m').circuit).toBe('closed');
  });

  it('nor takes it for a success that a reader has left a silent model', async () => {
    start((_, call) => (call === 5 ? [hang()] : [failure(away)]));
    await fail(4);
    const left = model.stream(request, never);
    const silent = left.next();
    await turn();
    await left.return?.();
    expect(await silent).toEqual({ done: true, value: undefined });
    await fail(1);
    expect(model.circuitOf('m').circuit).toBe('open');
  });

  it('while another call is trying it, which frees the way also when it is stopped', async () => {
    start((_, call) => (call <= 5 ? [failure(away)] : call === 6 ? [hang()] : [finish()]));
    await fail(5);
    vi.setSystemTime(15_000);
    const controller = new AbortController();
    const trial = partsOf(request, controller.signal);
    await turn();
    expect(scripted.requests).toHaveLength(6);
    await expect(partsOf()).rejects.toMatchObject({ retryable: true, retryAfterMs: 1_000 });
    controller.abort(new Error('cancelled'));
    await expect(trial).rejects.toThrow('cancelled');
    expect(await partsOf()).toHaveLength(1);
    expect(model.circuitOf('m').circuit).toBe('closed');
  });
});
