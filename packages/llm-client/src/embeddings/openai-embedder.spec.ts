import type { JsonObject } from '@palabre/json';

import { ModelError } from '../chat-model.js';
import type { Embedder } from '../embedder.js';
import { O200kTokenizer } from '../o200k-tokenizer.js';
import { hang } from '../scripted-chat-model.double.js';
import {
  disconnect,
  type EmbeddingScript,
  type ProviderReply,
  raw,
  type ScriptedProvider,
  startScriptedProvider,
  status,
} from '../scripted-provider.double.js';
import { OpenAiEmbedder } from './openai-embedder.js';

const settings = {
  baseUrl: 'THE_URL',
  key: 'THE_KEY',
  model: 'THE_MODEL',
  tooLong: 'The texts are too long.',
  dimensions: 'THE_DIMENSIONS',
};
const { signal } = new AbortController();
const tokenizer = new O200kTokenizer();

let provider: ScriptedProvider;
let embedder: OpenAiEmbedder;

async function start(
  embeddings: EmbeddingScript,
  { model = 'm-1', dimensions = null as number | null } = {},
): Promise<Embedder> {
  provider = await startScriptedProvider([], embeddings);
  const options = { baseUrl: provider.baseUrl, apiKey: 'key-1', model, dimensions, settings };
  embedder = new OpenAiEmbedder(options, tokenizer);
  return embedder;
}
afterEach(async () => {
  embedder.close();
  await provider.close();
});

/** A vector's direction shows the length of its text. */
const byLength: EmbeddingScript = (texts) => ({ vectors: texts.map(({ length }) => [length, 1]) });
function inputs(): string[][] {
  return provider.embeddingRequests.map(({ input }) => input as string[]);
}
function failureOf(embedding: Promise<unknown>): Promise<unknown> {
  return embedding.then(
    () => null,
    (error: unknown) => error,
  );
}
function answer(body: JsonObject) {
  return [status(200, body)];
}
function vectorsOfTwo(data: JsonObject[]) {
  return answer({ object: 'list', data });
}

describe('an embedder behind the protocol', () => {
  it('gives a unit vector for each text, in their order', async () => {
    await start(byLength);
    const [three, four] = await embedder.embed(['123', '1234'], 'item', signal);
    expect([three![0]! / three![1]!, four![0]! / four![1]!]).toEqual([
      expect.closeTo(3, 4),
      expect.closeTo(4, 4),
    ]);
    expect(Math.hypot(...three!)).toBeCloseTo(1, 5);
    expect(provider.embeddingRequests).toEqual([
      { model: 'm-1', input: ['123', '1234'], encoding_format: 'float' },
    ]);
    expect(provider.headers[0]).toMatchObject({ authorization: 'Bearer key-1' });
  });

  it('asks for a length where one is set, and for no vectors where there are no texts', async () => {
    await start(byLength, { dimensions: 2 });
    expect(await embedder.embed([], 'item', signal)).toEqual([]);
    await embedder.embed(['a'], 'item', signal);
    expect(provider.embeddingRequests).toMatchObject([{ dimensions: 2 }]);
  });

  it('tells a model what the text is for where it was trained to be told', async () => {
    await start(byLength, { model: 'nomic-embed-text:v1.5' });
    await embedder.embed(['pay'], 'query', signal);
    await embedder.embed(['pay'], 'item', signal);
    expect(inputs()).toEqual([['search_query: pay'], ['search_document: pay']]);
  });

  it('sends many texts in several requests, each within what providers take', async () => {
    await start(byLength);
    const texts = Array.from({ length: 300 }, (_, index) => 'word '.repeat(1 + (index % 200)));
    const vectors = await embedder.embed(texts, 'item', signal);
    expect(vectors).toHaveLength(300);
    expect(inputs().flat()).toEqual(texts);
    expect(Math.max(...inputs().map(({ length }) => length))).toBeLessThanOrEqual(96);
    expect(inputs().length).toBeGreaterThan(3);
  });

  it('cuts what is longer than any model takes', async () => {
    await start(byLength);
    await embedder.embed(['word '.repeat(20_000)], 'item', signal);
    expect(tokenizer.count(inputs()[0]![0]!)).toBeLessThanOrEqual(8_000);
  });

  it('finds out how much the model takes, and sends no more from then on', async () => {
    const tooLong = status(400, { error: { message: 'the input length exceeds the context length' } });
    await start((texts, call) =>
      texts.some((text) => tokenizer.count(text) > 512) ? [tooLong] : byLength(texts, call),
    );
    const long = 'word '.repeat(3_000);
    expect(await embedder.embed([long, 'short'], 'item', signal)).toHaveLength(2);
    const calls = inputs().length;
    await embedder.embed([long], 'item', signal);
    expect(inputs()).toHaveLength(calls + 1);
  });
});

describe('an embedder that is asked for too much a minute', () => {
  const long = 'word '.repeat(2_000);
  const busy = (message: string): ProviderReply => [
    status(429, { error: { message } }, { 'retry-after-ms': '1' }),
  ];

  it('is asked again for the same text', async () => {
    const throttled = busy('Too many tokens, please wait before trying again.');
    await start((texts, call) => (call === 1 ? throttled : byLength(texts, call)));
    await embedder.embed([long], 'item', signal);
    expect(inputs()).toEqual([[long], [long]]);
  });

  it('is given texts as long as before where one is too long for a minute', async () => {
    const tooMuch = busy('Request too large: Limit 6000, Requested 9000.');
    await start((texts, call) => (call === 1 ? tooMuch : byLength(texts, call)));
    expect(await failureOf(embedder.embed([long], 'item', signal))).toMatchObject({ status: 429 });
    await embedder.embed([long], 'item', signal);
    expect(inputs()).toEqual([[long], [long]]);
  });
});

describe('an embedder that takes few texts at a time', () => {
  const TEXTS = Array.from({ length: 64 }, (_, index) => `text ${'x'.repeat(index)}`);
  const refusing =
    (most: number, refusal: ProviderReply): EmbeddingScript =>
    (texts, call) =>
      texts.length > most ? refusal : byLength(texts, call);
  const refusals = {
    words: [status(400, { error: { message: `batch size is invalid, it should not be larger than 10` } })],
    size: [status(413, 'Payload Too Large')],
    kind: [status(422, { error: 'batch size 64 > maximum allowed batch size 4', error_type: 'Validation' })],
  };

  it.each([
    ['says so', 10, refusals.words, 8],
    ['does not say why', 4, refusals.size, 4],
    ['says so by another status', 1, refusals.kind, 1],
  ])('is given no more from then on, where it %s', async (_, most, refusal, found) => {
    await start(refusing(most, refusal));
    const vectors = await embedder.embed(TEXTS, 'item', signal);
    expect(vectors.map(([x = 0, y = 1]) => Math.round(x / y))).toEqual(TEXTS.map(({ length }) => length));
    expect(inputs().filter(({ length }) => length > most).length).toBeLessThan(7);
    const calls = inputs().length;
    await embedder.embed(TEXTS, 'item', signal);
    const sizes = inputs()
      .slice(calls)
      .map(({ length }) => length);
    expect(sizes).toEqual(Array.from({ length: 64 / found }, () => found));
  });

  it('is given texts as long as before', async () => {
    await start(refusing(4, refusals.size));
    const long = 'word '.repeat(2_000);
    await embedder.embed([...TEXTS, long], 'item', signal);
    expect(inputs().at(-1)).toContain(long);
  });

  it('is told from one that fails at a text, which takes as many as before', async () => {
    const bad = [status(400, { error: { message: 'bad input' } })];
    await start((texts, call) => (texts.includes('bad') ? bad : byLength(texts, call)));
    const failure = await failureOf(embedder.embed([...TEXTS.slice(0, 40), 'bad'], 'item', signal));
    expect(failure).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: false });
    await embedder.embed(TEXTS, 'item', signal);
    expect(inputs().at(-1)).toHaveLength(64);
  });

  it('is told from one that finds a short text too long, whose others are not cut for it', async () => {
    await start((texts, call) => (texts.includes('bad') ? refusals.size : byLength(texts, call)));
    const failure = await failureOf(embedder.embed(['bad'], 'item', signal));
    expect(failure).toMatchObject({ code: 'CONTEXT_TOO_LARGE' });
    const long = 'word '.repeat(2_000);
    await embedder.embed([long], 'item', signal);
    expect(inputs().at(-1)).toEqual([long]);
  });
});

describe('an answer that cannot be used', () => {
  const of = (embedding: unknown, index = 1) => ({ index, embedding }) as JsonObject;
  const good = { index: 0, embedding: [1, 0] };

  it.each<[string, ReturnType<EmbeddingScript>]>([
    ['too few', vectorsOfTwo([good])],
    ['too many', vectorsOfTwo([good, of([1, 0]), of([1, 0], 2)])],
    ['the same place twice and another never', vectorsOfTwo([of([1, 0], 1), of([1, 0], 2)])],
    ['different lengths', vectorsOfTwo([good, of([1, 0, 0])])],
    ['none at all', vectorsOfTwo([good, of([])])],
    ['nothing but noughts', vectorsOfTwo([good, of([0, 0])])],
    ['no number', vectorsOfTwo([good, of([1, null])])],
    ['text', vectorsOfTwo([good, of('AACAPwAAAAA=')])],
    ['no list', answer({ object: 'error' })],
    ['no JSON', [status(200, 'fine')]],
  ])('is refused, and may be better later: %s', async (_, reply) => {
    await start(() => reply);
    expect(await failureOf(embedder.embed(['a', 'b'], 'query', signal))).toMatchObject({
      name: 'ModelError',
      code: 'MODEL_UNAVAILABLE',
      retryable: true,
    });
  });

  it('is refused where a number is beyond all bounds', async () => {
    await start(() => [raw('{"data":[{"index":0,"embedding":[1e999,0]}]}')]);
    expect(await failureOf(embedder.embed(['a'], 'query', signal))).toBeInstanceOf(ModelError);
  });

  it('is for a person to mend where it is not as long as was asked for', async () => {
    await start(byLength, { dimensions: 3 });
    expect(await failureOf(embedder.embed(['a'], 'query', signal))).toMatchObject({
      retryable: false,
      message: expect.stringMatching(/THE_DIMENSIONS/),
    });
  });

  it('is put in order by its numbers, or as it comes where all are numbered 0', async () => {
    const shuffled = vectorsOfTwo([of([0, 1], 1), of([1, 0], 0)]);
    const unnumbered = vectorsOfTwo([of([1, 0], 0), of([0, 1], 0)]);
    await start((_texts, call) => (call === 1 ? shuffled : unnumbered));
    const expected = [Float32Array.of(1, 0), Float32Array.of(0, 1)];
    expect(await embedder.embed(['a', 'b'], 'item', signal)).toEqual(expected);
    expect(await embedder.embed(['a', 'b'], 'item', signal)).toEqual(expected);
  });
});

describe('an embedder that fails', () => {
  const busy = [status(429, undefined, { 'retry-after-ms': '1' })];

  it('is asked again for a batch, after the time that it asks for', async () => {
    await start((texts, call) => (call < 3 ? busy : byLength(texts, call)));
    expect(await embedder.embed(['a'], 'item', signal)).toHaveLength(1);
    expect(inputs()).toHaveLength(3);
  });

  it('is asked once for a question', async () => {
    await start(() => busy);
    expect(await failureOf(embedder.embed(['a'], 'query', signal))).toMatchObject({ retryable: true });
    expect(inputs()).toHaveLength(1);
  });

  it('is left alone when it asks for more time than a batch can wait', async () => {
    await start(() => [status(429, undefined, { 'retry-after': '300' })]);
    expect(await failureOf(embedder.embed(['a'], 'item', signal))).toMatchObject({ retryAfterMs: 300_000 });
    expect(inputs()).toHaveLength(1);
  });

  it('is left alone after several failures in a row, by batches and questions alike', async () => {
    // The last failure says how long: after a millisecond the circuit would be open no more.
    await start((_texts, call) => (call < 5 ? busy : [status(429, undefined, { 'retry-after': '300' })]));
    await failureOf(embedder.embed(['a'], 'item', signal));
    await failureOf(embedder.embed(['a'], 'item', signal));
    expect(embedder.state).toBe('open');
    const asked = inputs().length;
    expect(await failureOf(embedder.embed(['a'], 'query', signal))).toMatchObject({ retryable: true });
    expect(inputs()).toHaveLength(asked);
  });

  it.each([
    [401, {}, /THE_KEY/],
    [404, {}, /m-1.*THE_MODEL and THE_URL/],
    [400, { error: { message: 'dimensions is not supported' } }, /400/],
  ] as const)('is not asked again after %d, which a person has to mend', async (code, body, message) => {
    await start(() => [status(code, body)]);
    expect(await failureOf(embedder.embed(['a'], 'item', signal))).toMatchObject({
      retryable: false,
      message: expect.stringMatching(message),
    });
    expect(inputs()).toHaveLength(1);
  });

  it('fails where the connection is cut, without the key in its words', async () => {
    await start(() => [status(500, { error: { message: 'the key key-1 is fine' } })]);
    const refused = await failureOf(embedder.embed(['a'], 'query', signal));
    expect((refused as ModelError).detail).toMatch(/the key \[key\] is fine/);
    provider.embeddings = () => [disconnect()];
    expect(await failureOf(embedder.embed(['a'], 'query', signal))).toMatchObject({ retryable: true });
  });

  it('closes the socket when whoever asks stops, and tells why', async () => {
    const asked = Promise.withResolvers<void>();
    await start(() => {
      asked.resolve();
      return [hang()];
    });
    const stopping = new AbortController();
    const failure = failureOf(embedder.embed(['a'], 'item', stopping.signal));
    await asked.promise;
    const reason = new Error('stopped');
    stopping.abort(reason);
    expect(await failure).toBe(reason);
    await provider.nextAbort();
    expect(embedder.state).toBe('closed');
  });

  it('does not keep a question waiting', async () => {
    await start(() => [hang()]);
    expect(await failureOf(embedder.embed(['a'], 'query', signal))).toMatchObject({
      retryable: true,
      message: expect.stringMatching(/in time/),
    });
  });
});
