import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { CuttableProxy } from '../harness/cuttable-proxy.js';
import { checkEvents } from '../harness/laws.js';
import { readRequest } from '../harness/provider-request.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import { type StockClient, stockClients } from '../harness/stock-clients.js';
import type { TestClient, WireEvent } from '../harness/test-client.js';

/** Questions whose answers stop in the middle until the test lets them go on. */
const gates = new Map<string, Promise<void>>();

function replyTo(body: JsonObject): ProviderReply {
  const { messages } = readRequest(body);
  if (messages.at(-1)?.role !== 'tool') {
    return [text('Je regarde. '), toolCall('get_company_profile', {}), finish()];
  }
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const until = gates.get(question) ?? Promise.resolve();
  return [text('Vous êtes '), { type: 'gate', until }, text('Demo.'), finish()];
}

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await shareApp(replyTo);
  client = await app.client();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Follows a turn until it completes, or fails, with what came until then; `seen` is called for each event. */
async function follow(
  stock: StockClient,
  turnId: string,
  after: number,
  seen: (event: WireEvent) => void = () => undefined,
): Promise<{ events: WireEvent[]; error: unknown }> {
  const events: WireEvent[] = [];
  const over = Promise.withResolvers<unknown>();
  stock.subscribe(
    { turnId, after },
    {
      event(event) {
        events.push(event);
        seen(event);
      },
      failed: over.resolve,
      completed: () => over.resolve(null),
    },
  );
  return { error: await over.promise, events };
}

async function checkWhole(turnId: string, events: WireEvent[]): Promise<void> {
  checkEvents(turnId, { after: 0, events, told: null, error: null });
  // Apollo's Client asks for the names of all types besides.
  expect(events).toMatchObject(await client.allEvents(turnId));
}

/** A turn that waits in the middle of its answer, and what lets it go on. */
async function askForTwoParts(): Promise<{ turnId: string; goOn: () => void }> {
  const question = `Question ${gates.size}`;
  const { promise, resolve } = Promise.withResolvers<void>();
  gates.set(question, promise);
  const { turnId } = await client.ask(question);
  return { turnId, goOn: resolve };
}

describe.each(Object.entries(stockClients))('turnEvents through %s', (_name, open) => {
  const openTo = (url: string, retryAttempts = 0): StockClient =>
    open({ url, token: client.token!, retryAttempts });

  it('come whole, in order, and complete', async () => {
    const stock = openTo(app.url);
    const { turnId } = await client.ask('Qui sommes-nous ?');
    const { events, error } = await follow(stock, turnId, 0);
    expect(error).toBeNull();
    await checkWhole(turnId, events);
    await stock.close();
  });

  it('go on where they were after a lost connection', async () => {
    await using proxy = await CuttableProxy.to(app.url);
    const { turnId, goOn } = await askForTwoParts();
    const lost = openTo(proxy.url);
    const before = await follow(lost, turnId, 0, ({ text: part }) => {
      if (part === 'Vous êtes ') proxy.cut();
    });
    expect(before.error).not.toBeNull();
    expect(before.events.at(-1)).toMatchObject({ __typename: 'TextDelta' });
    goOn();
    const found = openTo(proxy.url);
    const after = await follow(found, turnId, before.events.length);
    expect(after.error).toBeNull();
    expect(after.events.at(0)?.sequence).toBe(before.events.length + 1);
    await checkWhole(turnId, [...before.events, ...after.events]);
    await Promise.all([lost.close(), found.close()]);
  });
});

// urql's fetchExchange leaves it to others to try again.
describe.each(Object.entries(stockClients).filter(([name]) => name !== 'urql’s fetchExchange'))(
  '%s, when it connects again by itself',
  (_name, open) => {
    it('asks as it did before, and a page that drops what it has seen misses nothing', async () => {
      await using proxy = await CuttableProxy.to(app.url);
      const { turnId, goOn } = await askForTwoParts();
      const stock = open({ url: proxy.url, token: client.token!, retryAttempts: 5 });
      let cuts = 0;
      const { events, error } = await follow(stock, turnId, 0, ({ text: part }) => {
        if (part !== 'Vous êtes ') return;
        if (cuts === 0) proxy.cut();
        else goOn();
        cuts += 1;
      });
      expect(error).toBeNull();
      expect(cuts).toBe(2);
      let last = 0;
      const news = events.filter(({ sequence }) => sequence > last && (last = sequence));
      await checkWhole(turnId, news);
      await stock.close();
    });
  },
);
