import { readFileSync } from 'node:fs';
import { LocalSite } from '@palabre/outbound/local-site.double.js';
import type { JsonObject } from '@palabre/json';

import { uploadPages } from '../harness/citation-view.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import { answerOf, type TestClient } from '../harness/test-client.js';

/** What people say in their first ten minutes, and what becomes of it. */
interface Said {
  assistant: string;
  /** In one conversation, the last of which is looked at. */
  say: string[];
  /** What is called for it; null: nothing but that it is looked for. */
  skill: string | null;
  input?: JsonObject;
  /** A part of the answer. Left out: one honest sentence, and how to set a model. */
  answer?: string;
}

const golden = JSON.parse(
  readFileSync(
    new URL('../../packages/offline-model/golden/first-ten-minutes.json', import.meta.url),
    'utf8',
  ),
) as Said[];

const PAGE = `<html lang="fr"><head><title>Tarifs de la Senelec</title></head><body><article>
  <p>À Dakar, le prix du kWh est de 91,17 FCFA.</p></article></body></html>`;
const DOCUMENTS = {
  'rapport-2023.md':
    '# Rapport annuel\n\nLes émissions directes de 2023 sont de 412 tonnes de CO2.\n\nEn 2022, les émissions directes étaient de 455 tonnes de CO2.',
  'informe.md': '# Informe\n\nEl consumo eléctrico de 2023 fue de 84.500 kWh.',
  '盤查報告.md': '# 溫室氣體盤查\n\n2022 年範疇一排放量為 455 公噸。2023 年範疇一排放量為 412 公噸。',
};
/** They only look something up, which is no answer yet. */
const SEARCHES: ReadonlySet<unknown> = new Set(['recall', 'retrieve_documents', 'search_skills']);
const HOW_TO_CONNECT = /LLM_BASE_URL=http:\/\/localhost:11434\/v1/g;
const FIGURE = /\d+(?:[.,\u00a0\u202f ]\d+)*/g;

const stack = new AsyncDisposableStack();
let site: LocalSite;
let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  site = stack.use(
    await LocalSite.start((request, response) => {
      const isSearch = request.url?.startsWith('/search') ?? false;
      const found = { results: [{ url: `${site.url}/page`, title: 'Tarifs de la Senelec', content: 'kWh' }] };
      response
        .writeHead(200, { 'content-type': isSearch ? 'application/json' : 'text/html; charset=utf-8' })
        .end(isSearch ? JSON.stringify(found) : PAGE);
    }),
  );
  app = stack.use(
    await startApp([], {
      LLM_BASE_URL: '',
      LLM_MODEL: '',
      OFFLINE_MODEL_TOKENS_PER_SECOND: '0',
      SEARCH_URL: site.url,
      OUTBOUND_ALLOW: site.host,
    }),
  );
  client = await app.client({ company: await app.company(), role: 'ADMIN' });
  for (const [name, text] of Object.entries(DOCUMENTS)) await uploadPages(client, name, text);
});
afterAll(() => stack.disposeAsync());

interface Told {
  conversationId: string;
  calls: { skill: unknown; input: unknown }[];
  /** With plain spaces, whichever the language groups its digits with. */
  answer: string;
}

async function ask(message: string, input: object): Promise<Told> {
  const { turnId, conversationId } = await client.ask(message, input);
  const events = await client.allEvents(turnId);
  expect(events.at(-1)).toMatchObject({ __typename: 'TurnDone', status: 'COMPLETED' });
  const calls = events.flatMap(({ __typename, skill, arguments: given }) =>
    __typename === 'SkillStarted' ? [{ skill, input: given }] : [],
  );
  return { conversationId, calls, answer: answerOf(events).replaceAll(/[\u00a0\u202f]/g, ' ') };
}

async function converse({ assistant, say }: Said): Promise<Told> {
  let told: Told | null = null;
  for (const message of say) {
    const input: object = told ? { conversationId: told.conversationId } : { assistantKey: assistant };
    told = await ask(message.replace('{site}', site.url), input);
  }
  if (!told) throw new Error('Nothing was said.');
  return told;
}

it.each(golden.filter(({ answer }) => answer !== undefined))('$assistant answers « $say »', async (said) => {
  const { calls, answer } = await converse(said);
  if (said.skill === null) expect(calls.filter(({ skill }) => !SEARCHES.has(skill))).toEqual([]);
  else expect(calls).toContainEqual({ skill: said.skill, input: expect.objectContaining(said.input ?? {}) });
  expect(answer).toContain(said.answer);
  expect(answer).toMatch(HOW_TO_CONNECT);
});

it.each(golden.filter(({ answer }) => answer === undefined))(
  '$assistant would rather not answer « $say »',
  async (said) => {
    const { calls, answer } = await converse(said);
    expect(calls.filter(({ skill }) => !SEARCHES.has(skill))).toEqual([]);
    expect(answer).toMatch(HOW_TO_CONNECT);
    const own = answer.replaceAll(HOW_TO_CONNECT, '');
    // One sentence, in which no figure stands that the message has not got.
    expect(own.match(FIGURE)?.filter((figure) => !said.say.at(-1)?.includes(figure)) ?? []).toEqual([]);
    expect(own.trim().split('\n')).toHaveLength(1);
  },
);
