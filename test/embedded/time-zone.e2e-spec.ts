import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import { eventually } from '../harness/eventually.js';
import { remember } from '../harness/memory-view.js';
import { lastOf, readRequest, resultIn, systemOf } from '../harness/provider-request.js';
import { ShiftedClock } from '../harness/shifted-clock.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

/** In Taipei one in the morning of Wednesday, 10 March. */
const ahead = Date.parse('2027-03-09T17:00:00Z') - Date.now();
const clock = new ShiftedClock();

const THERESE = { assistantKey: 'therese' };

let app: TestApp;
/** Somebody of whom nothing is known yet. */
let client: TestClient;
/** What the model calls skills with, and what it was sent. */
let skillCall: ProviderReply | null = null;
let sent: JsonObject[] = [];

function reply(body: JsonObject): ProviderReply {
  sent.push(body);
  if (readRequest(body).tool_choice?.function) return [toolCall('note_memories', { memories: [] }), finish()];
  return skillCall && lastOf(body).role !== 'tool' ? skillCall : [text('Bien.'), finish()];
}

beforeAll(async () => {
  clock.advance(ahead);
  app = await startApp(reply, { TIME_ZONE: 'Asia/Taipei' }, { clock });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  [skillCall, sent] = [null, []];
  client = await app.client({ sub: newId() });
});

async function bringIn(createdAt: string, said: string): Promise<void> {
  const messages = [{ role: 'USER', author: 'Nadia', text: said, createdAt }];
  await client.get(
    'mutation ($input: ImportConversationInput!) { importConversation(input: $input) { id } }',
    {
      input: { ...THERESE, messages },
    },
  );
}
async function contextOf(message: string): Promise<string> {
  const { memoryContext } = await client.get<{ memoryContext: { text: string } }>(
    'query ($message: String!) { memoryContext(message: $message) { text } }',
    { message },
  );
  return memoryContext.text;
}
async function ask(message: string): Promise<void> {
  const { turnId } = await client.ask(message, THERESE);
  await client.allEvents(turnId);
}

describe('where it is another day than in UTC', () => {
  it('an excerpt stands below its day', async () => {
    await bringIn('2027-03-08T16:00:00Z', 'The kiln is hot.');
    expect(await contextOf('What about the kiln?')).toContain('mardi 9 mars 2027\nNadia: The kiln is hot.');
  });

  it.each(['昨天我們談了什麼？', 'De quoi avons-nous parlé hier ?', 'What did we talk about on 9 March?'])(
    'a question finds what was said on the day that it names: %s',
    async (question) => {
      await bringIn('2027-03-08T15:59:59Z', 'The hall is booked.');
      await bringIn('2027-03-08T16:00:00Z', 'Porto it is.');
      await bringIn('2027-03-09T15:59:59Z', 'Two rooms will do.');
      await bringIn('2027-03-09T16:00:00Z', 'Trains are late.');
      const told = await contextOf(question);
      expect(told).toContain('Porto it is.');
      expect(told).toContain('Two rooms will do.');
      expect(told).not.toMatch(/hall|Trains/);
    },
  );

  it('a note is of its day', async () => {
    await remember(client, { kind: 'FACT', subject: 'kiln', content: 'The kiln is new.' });
    expect(await contextOf('Tell me of the kiln.')).toContain('2027-03-10 :');
  });
});

/** Turns go by the database's clock, and all that they do has to go by the same. */
describe('where it may be another day than in UTC', () => {
  beforeAll(() => clock.advance(-ahead));

  it('the skill that recalls goes by the days there', async () => {
    await bringIn('2026-03-08T16:00:00Z', 'Porto it is.');
    await bringIn('2026-03-08T15:00:00Z', 'The hall is booked.');
    skillCall = [toolCall('recall', { from: '2026-03-09', to: '2026-03-10' }), finish()];
    await ask('Et alors ?');
    const result = sent.map((body) => lastOf(body)).find(({ role }) => role === 'tool');
    expect(resultIn(result?.content ?? '')).toMatchObject({
      conversations: [{ date: '2026-03-09', text: 'lundi 9 mars 2026\nNadia: Porto it is.' }],
    });
  });

  it('the prompt has its date, and so has the task that takes notes', async () => {
    // There is always a place where it is another day.
    const zone = new Date().getUTCHours() < 10 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
    await app.restart({ TIME_ZONE: zone });
    client = await app.client({ sub: newId() });
    const before = daysIn(zone);
    await ask('Nous avons choisi Porto pour le congrès.');
    const after = daysIn(zone);
    const ofIt = (): JsonObject[] => sent.filter((body) => JSON.stringify(body).includes('congrès'));
    const prompt = ofIt().find((body) => !isNoting(body));
    const task = await eventually(
      async () => ofIt().find(isNoting),
      (body) => body !== undefined,
    );
    const { full, iso } = systemOf(prompt).includes(`Date : ${before.full}.`) ? before : after;
    expect(systemOf(prompt)).toContain(`Date : ${full}.`);
    expect(lastOf(task).content).toContain(`# Aujourd'hui\n${iso}\n`);
  });
});

function isNoting(body: JsonObject): boolean {
  return readRequest(body).tool_choice?.function?.name === 'note_memories';
}

/** Today there, in French and as the fields of a date. */
function daysIn(timeZone: string): { full: string; iso: string } {
  const now = new Date();
  const format = (locale: string, style: 'full' | 'short'): string =>
    new Intl.DateTimeFormat(locale, { timeZone, dateStyle: style }).format(now);
  // Swedes write 2027-03-10.
  return { full: format('fr', 'full'), iso: format('sv', 'short') };
}
