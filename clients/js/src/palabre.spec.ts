import { GraphQLError } from 'graphql';

import { createPalabre, type Palabre, type PalabreOptions } from './palabre.js';
import { type Script, ScriptedServer, textDelta, turnDone } from './scripted-server.double.js';
import { TurnEventsDocument } from './generated/graphql.js';

let server: ScriptedServer;
let client: Palabre;
let tokensMade: number;
let changes: boolean[];

async function start(script: Script, options: PalabreOptions = {}): Promise<void> {
  server = await ScriptedServer.start(script);
  client = createPalabre({
    url: server.url,
    token: async () => `token-${(tokensMade += 1)}`,
    onConnectionChange: (isConnected) => changes.push(isConnected),
    ...options,
  });
}
beforeEach(() => {
  tokensMade = 0;
  changes = [];
});
afterEach(async () => {
  await client.close();
  await server.close();
});

async function sequences(after?: number): Promise<number[]> {
  const seen: number[] = [];
  for await (const { sequence } of client.follow('turn-1', after)) seen.push(sequence);
  return seen;
}

/** Six events, of which each stream has two. */
const lossy: Script = {
  async *events(after) {
    // One event again that the client has: it must not show twice.
    for (let sequence = Math.max(after, 1); sequence <= Math.min(after + 2, 6); sequence += 1) {
      yield sequence === 6 ? turnDone(6) : textDelta(sequence, String(sequence));
    }
    await new Promise(() => undefined);
  },
};

/** Events without an end, until somebody leaves. */
function endless(left: () => void): Script {
  return {
    async *events() {
      try {
        for (let sequence = 1; ; sequence += 1) {
          await new Promise((resolve) => setImmediate(resolve));
          yield textDelta(sequence, '.');
        }
      } finally {
        left();
      }
    },
  };
}

describe('ask', () => {
  it('starts a turn, signed in, and gives its events and its answer', async () => {
    await start({ events: () => [textDelta(1, 'Bon'), textDelta(2, 'jour'), turnDone(3)] });
    const turn = client.ask({ message: 'Salut', assistantKey: 'mefali' });
    const events = await Array.fromAsync(turn);
    expect(server.inputs).toMatchObject([{ message: 'Salut', assistantKey: 'mefali' }]);
    expect(events).toMatchObject([
      { __typename: 'TextDelta', turnId: 'turn-1', sequence: 1, text: 'Bon' },
      { __typename: 'TextDelta', sequence: 2, text: 'jour' },
      { __typename: 'TurnDone', sequence: 3, status: 'COMPLETED' },
    ]);
    await expect(turn.answer).resolves.toMatchObject({
      turnId: 'turn-1',
      conversationId: 'conversation-1',
      text: 'Bonjour',
      status: 'COMPLETED',
    });
    expect(server.authorizations).toEqual(['Bearer token-1', 'Bearer token-2']);
    expect(changes).toEqual([true]);
    // Nothing is left to be read.
    expect(await Array.fromAsync(turn)).toEqual([]);
  });

  it('gives the answer to who reads no events, in one stream', async () => {
    await start({ events: () => [textDelta(1, 'Bon'), textDelta(2, 'jour'), turnDone(3)] });
    const turn = client.ask({ message: 'Salut' });
    const [answer, again] = await Promise.all([turn.answer, turn.answer]);
    expect(answer.text).toBe('Bonjour');
    expect(again).toEqual(answer);
    expect(server.afters).toEqual([0]);
  });

  it('reads on for the answer when whoever read the events leaves', async () => {
    await start({
      events: (after) => [textDelta(1, 'Bon'), textDelta(2, 'jour'), turnDone(3)].slice(after),
    });
    const turn = client.ask({ message: 'Salut' });
    const { answer } = turn;
    for await (const _event of turn) break;
    expect((await answer).text).toBe('Bonjour');
  });

  it('rejects the answer of a turn that fails, with its code', async () => {
    const error = { code: 'MODEL_UNAVAILABLE', message: 'The model does not answer.', retryable: true };
    await start({ events: () => [{ ...turnDone(1, 'FAILED', 'ERROR'), error }] });
    const turn = client.ask({ message: 'Salut' });
    await expect(turn.answer).rejects.toMatchObject({
      name: 'PalabreError',
      code: 'MODEL_UNAVAILABLE',
      extensions: { retryable: true },
    });
    expect(turn.state.end?.error).toEqual(error);
  });

  it.each([
    [{ __typename: 'QuotaExceeded', message: 'No.', resetsAt: null }, 'QUOTA_EXCEEDED', { resetsAt: null }],
    [
      { __typename: 'TurnInProgress', message: 'Busy.', activeTurn: { id: 't-2' } },
      'TURN_IN_PROGRESS',
      { turnId: 't-2' },
    ],
    [
      { __typename: 'IdempotencyConflict', message: 'Other.', firstTurn: { id: 't-3' } },
      'IDEMPOTENCY_CONFLICT',
      { turnId: 't-3' },
    ],
  ])('rejects with the code of a refusal: %o', async (refusal, code, extensions) => {
    await start({ startTurn: () => refusal });
    const turn = client.ask({ message: 'Salut' });
    await expect(turn.started).rejects.toMatchObject({ code, message: refusal.message, extensions });
    await expect(turn.answer).rejects.toMatchObject({ code });
    await expect(Array.fromAsync(turn)).rejects.toMatchObject({ code });
  });

  it('sends a question again whose answer got lost, with the same key', async () => {
    let attempts = 0;
    await start({
      startTurn() {
        attempts += 1;
        if (attempts === 1) server.cut();
        return { __typename: 'TurnAccepted', turn: { id: 'turn-1' }, conversation: { id: 'c' } };
      },
      events: () => [turnDone(1)],
    });
    await client.ask({ message: 'Salut' }).answer;
    const keys = server.inputs.map((input) => (input as { idempotencyKey: string }).idempotencyKey);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    await client.ask({ message: 'Salut', idempotencyKey: 'mine' }).answer;
    expect(server.inputs.at(-1)).toMatchObject({ idempotencyKey: 'mine' });
  });

  it('stops to follow when it is told to, and leaves the turn alone', async () => {
    const left = Promise.withResolvers<void>();
    await start(endless(left.resolve));
    const leaving = new AbortController();
    const turn = client.ask({ message: 'Salut' }, { signal: leaving.signal });
    const reason = new Error('Elsewhere.');
    await expect(
      (async () => {
        for await (const { sequence } of turn) if (sequence === 3) leaving.abort(reason);
      })(),
    ).rejects.toBe(reason);
    await expect(turn.answer).rejects.toBe(reason);
    await left.promise;
  });

  it('cancels', async () => {
    const cancelled: string[] = [];
    await start({
      cancelTurn: (id) => cancelled.push(id),
      events: () => [turnDone(1, 'CANCELLED', 'CANCELLED')],
    });
    const turn = client.ask({ message: 'Salut' });
    await turn.cancel();
    expect(cancelled).toEqual(['turn-1']);
    await expect(turn.answer).resolves.toMatchObject({ status: 'CANCELLED' });
  });

  it('has a question answered once more', async () => {
    await start({ events: () => [textDelta(1, 'Encore'), turnDone(2)] });
    expect((await client.regenerate({ messageId: 'm-1' }).answer).text).toBe('Encore');
    expect(server.inputs).toMatchObject([
      { messageId: 'm-1', idempotencyKey: expect.stringMatching(/^\w{32}$/) },
    ]);
  });
});

describe.each<[how: string, script: Script]>([
  ['a WebSocket', {}],
  ['event streams, where a proxy lets no WebSocket through', { withoutSockets: 403 }],
])('follow over %s', (_how, network) => {
  it('resumes after every lost connection, without a gap and without a repetition', async () => {
    await start({ ...lossy, ...network });
    const seen: number[] = [];
    for await (const { sequence } of client.follow('turn-1')) {
      seen.push(sequence);
      if (sequence % 2 === 0) server.cut();
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
    expect(server.afters).toEqual([0, 2, 4]);
    expect(changes).toEqual([true, false, true, false, true]);
    expect(new Set(server.authorizations).size).toBe(server.authorizations.length);
  });

  it('asks again when the server completes the stream before the turn has ended', async () => {
    await start({ ...network, events: (after) => (after === 0 ? [textDelta(1, '.')] : [turnDone(2)]) });
    expect(await sequences()).toEqual([1, 2]);
    expect(server.afters).toEqual([0, 1]);
  });

  it('begins where it is told to, and ends where there is nothing later', async () => {
    const events = [textDelta(1, '.'), textDelta(2, '.'), turnDone(3)];
    await start({ ...network, events: (after) => events.slice(after) });
    expect(await sequences(1)).toEqual([2, 3]);
    expect(await sequences(3)).toEqual([]);
  });

  it('tries again what the server has no room for now, and passes on what will not pass', async () => {
    let attempts = 0;
    await start({
      ...network,
      async *events(after) {
        attempts += 1;
        yield textDelta(after + 1, '.');
        const code = attempts < 3 ? 'UNAVAILABLE' : 'NOT_FOUND';
        throw new GraphQLError('Not now.', { extensions: { code, retryAfter: 0 } });
      },
    });
    const seen: number[] = [];
    await expect(
      (async () => {
        for await (const { sequence } of client.follow('turn-1')) seen.push(sequence);
      })(),
    ).rejects.toMatchObject({ name: 'PalabreError', code: 'NOT_FOUND', message: 'Not now.' });
    expect(seen).toEqual([1, 2, 3]);
  });

  it('takes events that it does not know as they are', async () => {
    await start({ ...network, events: () => [turnDone(1)] });
    const odd = { __typename: 'StatusChanged', sequence: 1, status: 'RUNNING', detail: 'Moon phase' };
    server.script.events = () => [odd, turnDone(2)];
    expect(await Array.fromAsync(client.follow('turn-1'))).toMatchObject([odd, { sequence: 2 }]);
  });

  it('lets go of the stream when the reader leaves', async () => {
    const left = Promise.withResolvers<void>();
    await start({ ...network, ...endless(left.resolve) });
    for await (const { sequence } of client.follow('turn-1')) if (sequence === 3) break;
    await left.promise;
    expect(server.afters).toEqual([0]);
  });

  it('ends when the client is closed', async () => {
    const left = Promise.withResolvers<void>();
    await start({ ...network, ...endless(left.resolve) });
    await expect(
      (async () => {
        for await (const { sequence } of client.follow('turn-1')) if (sequence === 3) void client.close();
      })(),
    ).rejects.toMatchObject({ code: 'CLOSED' });
    await left.promise;
  });
});

describe('a client', () => {
  it('does not try a token again that the socket refuses', async () => {
    await start({ admits: () => false });
    await expect(sequences()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(server.authorizations).toHaveLength(1);
  });

  it('passes on why there is no token', async () => {
    const reason = new Error('Sign in first.');
    await start({}, { token: () => Promise.reject(reason) });
    await expect(sequences()).rejects.toBe(reason);
    await expect(client.cancel('turn-1')).rejects.toBe(reason);
  });

  it('sends no token where none is given', async () => {
    await start({ events: () => [turnDone(1)] }, { token: null });
    await client.ask({ message: 'Salut' }).answer;
    expect(server.authorizations).toEqual([undefined, undefined]);
  });

  it('gives up after as many tries as it may make', async () => {
    await start({ withoutSockets: 503, withoutStreams: 503 }, { maxRetries: 2 });
    await expect(sequences()).rejects.toMatchObject({ code: 'UNREACHABLE' });
    expect(server.refused).toBe(3);
    expect(changes).toEqual([false]);
  });

  it('says so when what answers is no Palabre server', async () => {
    await start({});
    const elsewhere = createPalabre({ url: `${server.url}/elsewhere` });
    const message = `What answers at ${server.url}/elsewhere/graphql is no Palabre server (HTTP 404).`;
    await expect(elsewhere.cancel('turn-1')).rejects.toMatchObject({ code: 'NOT_PALABRE', message });
    await expect(Array.fromAsync(elsewhere.follow('turn-1'))).rejects.toMatchObject({ code: 'NOT_PALABRE' });
    await elsewhere.close();
  });

  it('says so when nothing answers', async () => {
    await start({});
    await server.close();
    await expect(client.cancel('turn-1')).rejects.toMatchObject({ code: 'UNREACHABLE' });
    await start({});
  });

  it('subscribes to whatever document it is given', async () => {
    await start({ events: () => [turnDone(1)] });
    const results = await Array.fromAsync(
      client.subscribe(TurnEventsDocument, { turnId: 'turn-1', after: 0 }),
    );
    expect(results).toMatchObject([{ turnEvents: { __typename: 'TurnDone' } }]);
  });

  it('refuses to be made without an address where there is no page', () => {
    expect(() => createPalabre()).toThrow('Give the url');
  });
});
