import { type Script, ScriptedServer, textDelta, turnDone } from '@palabre/client/scripted-server.double.js';
import { PalabreClient } from './palabre-client.js';

describe('PalabreClient', () => {
  let server: ScriptedServer;
  let client: PalabreClient;
  let tokensMade: number;
  let reconnections: number;

  const start = async (script: Script): Promise<void> => {
    tokensMade = 0;
    reconnections = 0;
    server = await ScriptedServer.start(script);
    client = new PalabreClient(
      server.url,
      async () => `token-${(tokensMade += 1)}`,
      () => (reconnections += 1),
    );
  };
  afterEach(async () => {
    await client.close();
    await server.close();
  });

  const sequences = async (after?: number): Promise<number[]> => {
    const seen: number[] = [];
    for await (const { sequence } of client.turnEvents('turn-1', after)) seen.push(sequence);
    return seen;
  };

  it('starts a turn, signed in, and reads its events to the end', async () => {
    await start({ events: () => [textDelta(1, 'Bon'), textDelta(2, 'jour'), turnDone(3)] });
    expect(await client.startTurn({ message: 'Salut', assistantKey: 'mefali' })).toEqual({
      turnId: 'turn-1',
      conversationId: 'conversation-1',
    });
    expect(server.inputs).toMatchObject([{ message: 'Salut', assistantKey: 'mefali' }]);
    const received = [];
    for await (const event of client.turnEvents('turn-1')) received.push(event);
    expect(received.map(({ raw }) => raw)).toMatchObject([
      { __typename: 'TextDelta', turnId: 'turn-1', sequence: 1, text: 'Bon' },
      { __typename: 'TextDelta', sequence: 2, text: 'jour' },
      { __typename: 'TurnDone', sequence: 3, status: 'COMPLETED' },
    ]);
    expect(received.map(({ event }) => event)).toEqual(received.map(({ raw }) => raw));
    expect(server.authorizations).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('gives a refusal in words', async () => {
    await start({ startTurn: () => ({ __typename: 'QuotaExceeded', message: 'No tokens are left today.' }) });
    expect(await client.startTurn({ message: 'Salut' })).toEqual({ refusal: 'No tokens are left today.' });
  });

  it('cancels', async () => {
    const cancelled: string[] = [];
    await start({ cancelTurn: (id) => cancelled.push(id) });
    await client.cancelTurn('turn-1');
    expect(cancelled).toEqual(['turn-1']);
  });

  it("passes an error on with the server's words", async () => {
    await start({
      startTurn: () => {
        throw new Error('The message is empty.');
      },
    });
    await expect(client.startTurn({ message: '' })).rejects.toMatchObject({
      name: 'RequestRefused',
      code: 'INTERNAL',
      message: 'The message is empty.',
    });
  });

  it('resumes after every lost connection, without a gap and without a repetition', async () => {
    await start({
      async *events(after, server) {
        // One event again that the client has: it must not show twice.
        for (let sequence = Math.max(after, 1); sequence <= 6; sequence += 1) {
          yield sequence === 6 ? turnDone(6) : textDelta(sequence, '.');
          if (sequence === after + 2) server.cut();
        }
      },
    });
    expect(await sequences()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(server.afters.length).toBeGreaterThan(1);
    expect(server.afters).toEqual(server.afters.toSorted((a, b) => a - b));
    expect(reconnections).toBe(server.afters.length - 1);
    expect(new Set(server.authorizations).size).toBe(server.afters.length);
  });

  it('asks again when the server completes the stream before the turn has ended', async () => {
    await start({ events: (after) => (after === 0 ? [textDelta(1, '.')] : [turnDone(2)]) });
    expect(await sequences()).toEqual([1, 2]);
    expect(server.afters).toEqual([0, 1]);
  });

  it('begins where it is told to', async () => {
    await start({
      events: (after) => [1, 2, 3].slice(after).map((n) => (n === 3 ? turnDone(3) : textDelta(n, '.'))),
    });
    expect(await sequences(1)).toEqual([2, 3]);
  });

  it("passes a subscription's error on", async () => {
    await start({
      async *events() {
        yield textDelta(1, '.');
        throw new Error('There is no such turn.');
      },
    });
    await expect(sequences()).rejects.toMatchObject({
      name: 'RequestRefused',
      message: 'There is no such turn.',
    });
  });

  it('does not try a token again that the socket refuses', async () => {
    await start({ admits: () => false });
    await expect(sequences()).rejects.toMatchObject({ name: 'RequestRefused', code: 'UNAUTHENTICATED' });
    expect(server.authorizations).toHaveLength(1);
  });

  it('says at once that no WebSocket gets through', async () => {
    await start({ withoutSockets: 400 });
    await expect(sequences()).rejects.toMatchObject({
      name: 'ServerUnreachable',
      message: expect.stringMatching(/^No WebSocket gets through .* \(HTTP 400\): a proxy/),
    });
    expect(reconnections).toBe(0);
  });

  it('releases the subscription when the reader leaves', async () => {
    let released: () => void = () => undefined;
    const release = new Promise<void>((resolve) => (released = resolve));
    await start({
      async *events() {
        try {
          for (let sequence = 1; ; sequence += 1) {
            await new Promise((resolve) => setImmediate(resolve));
            yield textDelta(sequence, '.');
          }
        } finally {
          released();
        }
      },
    });
    for await (const { sequence } of client.turnEvents('turn-1')) if (sequence === 3) break;
    await release;
    expect(server.afters).toEqual([0]);
  });

  it('tells a loss of the connection once, however often it has to try', async () => {
    await start({
      async *events(after, server) {
        yield textDelta(after + 1, '.');
        if (after > 0) yield turnDone(after + 2);
        else server.cut(2);
      },
    });
    expect(await sequences()).toEqual([1, 2, 3]);
    expect(server.authorizations.length).toBeGreaterThan(1);
    expect(reconnections).toBe(1);
  });

  it('says so when what answers is no Palabre server', async () => {
    await start({});
    const elsewhere = new PalabreClient(`${server.url}/elsewhere`, async () => 'token');
    await expect(elsewhere.startTurn({ message: 'Salut' })).rejects.toMatchObject({
      name: 'ServerUnreachable',
      message: `What answers at ${server.url}/elsewhere/graphql is no Palabre server (HTTP 404).`,
    });
  });
});
