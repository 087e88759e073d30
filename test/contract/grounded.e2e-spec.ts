import { finish, hang, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import { citedAnswerOf, inPages, sourcesIn, uploadPages } from '../harness/citation-view.js';
import { processed, upload } from '../harness/document-view.js';
import { seenToEnd } from '../harness/laws.js';
import { lastOf, readRequest, resultIn, toolsOf } from '../harness/provider-request.js';
import { gate, parseBy } from '../harness/scripted-parsing.js';
import { barrier, type BookReply, ScriptBook } from '../harness/script-book.js';
import { requestsFor, setActive } from '../harness/skill-view.js';
import { shareApp, startApp, type TestApp } from '../harness/start-app.js';
import { answerOf, type TestClient } from '../harness/test-client.js';
import { cancelTurn } from '../harness/turn-view.js';

const SEARCH = 'retrieve_documents';
const assistant = { assistantKey: 'bibliotheque' };

const COVER = '# Rapport 2023\n\nCe rapport présente les résultats de la coopérative de Thiès.';
const FIGURES =
  '# Émissions\n\nLes émissions directes de 2023 sont de 412 tonnes de CO2. L’électricité ajoute 95 tonnes.';
const TRAVEL =
  '# Voyages\n\nPour les déplacements nationaux, le train est préféré à l’avion. Un vol doit être justifié.';

function searches(query: string): BookReply {
  return [toolCall(SEARCH, { query }), finish()];
}
function says(...words: readonly string[]): BookReply {
  return [...words.map((one) => text(one)), finish()];
}

function choiceIn(body: JsonObject | undefined): string | undefined {
  return readRequest(body).tool_choice?.function?.name;
}
function namesOf(sources: readonly { documentName: string }[]): string[] {
  return [...new Set(sources.map(({ documentName }) => documentName))];
}
function setRetrieval(client: TestClient, retrieval: string): Promise<unknown> {
  return client.get(
    `mutation ($input: UpdateAssistantInput!) { updateAssistant(key: "bibliotheque", input: $input) { retrieval } }`,
    { input: { retrieval } },
  );
}

const book = new ScriptBook();
let app: TestApp;
let ada: TestClient;
let company: string;

beforeAll(async () => {
  app = await shareApp(book.replyTo);
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  parseBy(inPages);
  company = await app.company();
  ada = await app.client({ company });
});
afterEach(() => void vi.restoreAllMocks());

async function ask(replies: readonly BookReply[], input: object = assistant, client = ada) {
  const question = book.add(...replies);
  const { turnId, conversationId } = await client.ask(question, input);
  const events = await seenToEnd(client, turnId);
  return { turnId, conversationId, events, requests: requestsFor(app, question) };
}

describe('an answer from documents', () => {
  it('comes after its sources, and cites page and words of those that it uses', async () => {
    const report = await uploadPages(ada, 'rapport.pdf', COVER, FIGURES);
    await uploadPages(ada, 'voyages.md', TRAVEL);
    const { turnId, events, requests } = await ask([
      searches('émissions directes 2023 tonnes'),
      says('直接排放量為 412 公噸', ' [1', ']，', '另見 [99]。'),
    ]);
    expect(events.map(({ __typename }) => __typename).filter((type) => type !== 'TextDelta')).toEqual([
      'StatusChanged',
      'StatusChanged',
      'SkillStarted',
      'SourcesFound',
      'SkillFinished',
      'TurnDone',
    ]);
    const [best] = sourcesIn(events);
    expect(best).toMatchObject({ marker: 1, documentId: report, documentName: 'rapport.pdf', page: 2 });
    expect(requests.map(choiceIn)).toEqual([SEARCH, undefined]);
    expect(toolsOf(requests[1])).toContain(SEARCH);
    const answer = await citedAnswerOf(ada, turnId);
    expect(answer.text).toBe('直接排放量為 412 公噸 [1]，另見。');
    expect(answer.text).toBe(answerOf(events));
    expect(answer.citations).toEqual([
      { ...best, quote: expect.stringContaining('412 tonnes'), score: expect.any(Number) },
    ]);
    expect(FIGURES).toContain(answer.citations[0]?.quote);
  });

  it('cites the page that the words stand on, of a paragraph that runs over to the next', async () => {
    const [begun, ended] = [
      'Le responsable relève la température deux fois par jour et la note dans',
      'le registre',
    ];
    const discarded = 'Les vaccins sont jetés au-dessus de neuf degrés.';
    await uploadPages(ada, 'depot.pdf', begun, `${ended}, gardé sept ans. ${discarded}`);
    const { turnId, events } = await ask([searches('vaccins jetés'), says(`${discarded.slice(0, -1)} [1].`)]);
    const cited = { marker: 1, page: 2, quote: discarded };
    expect(sourcesIn(events)).toMatchObject([cited]);
    expect((await citedAnswerOf(ada, turnId)).citations).toMatchObject([cited]);
  });

  it('cites in the texts of a structured answer alone, whose lists stay as they are', async () => {
    await uploadPages(ada, 'rapport.pdf', COVER, FIGURES);
    const properties = { said: { type: 'string' }, years: { type: 'array', items: { type: 'integer' } } };
    const answerSchema = { type: 'object', properties };
    const citing = async (json: string): Promise<number[]> => {
      const { turnId } = await ask(
        [searches('émissions directes'), says(json.slice(0, 30), json.slice(30))],
        {
          ...assistant,
          answerSchema,
        },
      );
      const { text: said, citations } = await citedAnswerOf(ada, turnId);
      expect(said).toBe(json);
      return citations.map(({ marker }) => marker);
    };
    expect(await citing('{"said": "412 公噸 [1]，見 [9]。", "years": [7]}')).toEqual([1]);
    expect(await citing('{"said": "412 公噸。", "years": [1]}')).toEqual([]);
  });

  it('goes on from the question before, also where the model does not ask for a search', async () => {
    await uploadPages(ada, 'rapport.pdf', COVER, FIGURES);
    const first = await ask([searches('émissions directes'), says('412 公噸 [1]。')]);
    const { conversationId } = first;
    // The question of a script book is short, and stands by itself for nobody.
    const next = await ask([says('不查。'), says('還是 [1]。')], { conversationId });
    const [, query] = next.events.flatMap(({ __typename, arguments: given }) =>
      __typename === 'SkillStarted' ? ['', (given as { query: string }).query] : [],
    );
    expect(query?.match(/Question/g)).toHaveLength(2);
    // What was cited under a number then is under another one now, or none.
    expect(JSON.stringify(readRequest(next.requests[0]).messages)).toContain('412 公噸。');
  });

  it('says that they say nothing, and cites nothing', async () => {
    await uploadPages(ada, 'rapport.pdf', FIGURES);
    const { turnId, events, requests } = await ask([searches('xylophone'), says('文件裡沒有提到 [1]。')]);
    expect(sourcesIn(events)).toEqual([]);
    expect(resultIn(lastOf(requests[1]).content)).toMatchObject({ passages: [] });
    expect(await citedAnswerOf(ada, turnId)).toMatchObject({ text: '文件裡沒有提到。', citations: [] });
  });

  it('keeps its citations when it is cancelled', async () => {
    await uploadPages(ada, 'rapport.pdf', FIGURES);
    const question = book.add(searches('émissions directes'), [text('412 公噸 [1]，而且'), hang()]);
    const { turnId } = await ada.ask(question, assistant);
    for await (const { __typename } of ada.turnEvents(turnId)) if (__typename === 'TextDelta') break;
    await cancelTurn(ada, turnId);
    await ada.allEvents(turnId);
    expect(await citedAnswerOf(ada, turnId)).toMatchObject({
      status: 'INTERRUPTED',
      citations: [{ marker: 1, documentName: 'rapport.pdf' }],
    });
  });
});

describe('other assistants', () => {
  it.each(['mefali', 'explorateur'])(
    'such as %s search when they like, and cite as well',
    async (assistantKey) => {
      await uploadPages(ada, 'rapport.pdf', COVER, FIGURES);
      const synthesis: BookReply = (body) =>
        toolsOf(body).includes('synthesize_answer')
          ? [toolCall('synthesize_answer', { reason: 'Assez.' }), finish()]
          : [text('412 tonnes [1][7].'), finish()];
      const { turnId, events } = await ask([searches('émissions directes'), synthesis], { assistantKey });
      expect(await citedAnswerOf(ada, turnId)).toMatchObject({
        text: '412 tonnes [1].',
        citations: [{ marker: 1, documentName: 'rapport.pdf', page: 2 }],
      });
      expect(sourcesIn(events).length).toBeGreaterThan(0);
    },
  );

  it('are not offered the search where there is nothing to be searched', async () => {
    const { requests, turnId } = await ask([says('Voir [1].')], { assistantKey: 'mefali' });
    expect(toolsOf(requests[0])).not.toContain(SEARCH);
    expect(await citedAnswerOf(ada, turnId)).toMatchObject({ text: 'Voir [1].', citations: [] });
  });
});

describe('what an admin decides', () => {
  it('leaves the search to the model, or takes it away', async () => {
    await uploadPages(ada, 'rapport.pdf', FIGURES);
    await setRetrieval(ada, 'AUTO');
    const left = await ask([says('你好。')]);
    expect(left.requests.map(choiceIn)).toEqual([undefined]);
    expect(toolsOf(left.requests[0])).toContain(SEARCH);
    await setRetrieval(ada, 'FORCED');
    await setActive(ada, SEARCH, false);
    const taken = await ask([says('你好。')]);
    expect(taken.requests.map(choiceIn)).toEqual([undefined]);
    expect(toolsOf(taken.requests[0])).not.toContain(SEARCH);
    const refused = await ada.send(
      'mutation { updateAssistant(key: "bibliotheque", input: { retrieval: null }) { key } }',
    );
    expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
  });
});

describe('a turn about certain documents', () => {
  it('finds nothing in others', async () => {
    await uploadPages(ada, 'rapport.pdf', FIGURES);
    const travel = await uploadPages(ada, 'voyages.md', TRAVEL);
    const { events, requests, turnId } = await ask(
      [searches('émissions train avion tonnes'), says('火車 [1]。')],
      { ...assistant, documentIds: [travel, travel.toUpperCase()] },
    );
    expect(namesOf(sourcesIn(events))).toEqual(['voyages.md']);
    expect(JSON.stringify(requests)).not.toContain('412 tonnes');
    expect(JSON.stringify(readRequest(requests[0]).tools)).toContain('voyages.md');
    const { turn } = await ada.get<{ turn: object }>('query ($id: ID!) { turn(id: $id) { documentIds } }', {
      id: turnId,
    });
    expect(turn).toEqual({ documentIds: [travel] });
  });

  it('finds nothing in others after a restart either, and keeps its numbers', async () => {
    const lasting = await startApp(book.replyTo, { SHUTDOWN_GRACE_SECONDS: '0' }, { isLasting: true });
    await using _ = lasting;
    const client = await lasting.client();
    await uploadPages(client, 'rapport.pdf', FIGURES);
    const travel = await uploadPages(client, 'voyages.md', TRAVEL);
    const { step, reached, open } = barrier();
    const question = book.add(searches('train avion'), searches('émissions tonnes justifié'), [
      text('火車 [1]'),
      step,
      text('。'),
      finish(),
    ]);
    const { turnId } = await client.ask(question, { ...assistant, documentIds: [travel] });
    await reached;
    await lasting.restart();
    open();
    const later = await lasting.client();
    const events = await seenToEnd(later, turnId);
    const sources = sourcesIn(events);
    expect(namesOf(sources)).toEqual(['voyages.md']);
    expect(sources.map(({ marker }) => marker)).toEqual(sources.map((_source, index) => index + 1));
    expect(await citedAnswerOf(later, turnId)).toMatchObject({
      text: '火車 [1]。',
      citations: [{ marker: 1, documentId: travel }],
    });
  });

  it.each(['absent', 'foreign', 'no id at all'])('is refused where one is %s', async (kind) => {
    const own = await uploadPages(ada, 'voyages.md', TRAVEL);
    const bob = await app.client({ company: await app.company(), sub: 'bob' });
    const ids = {
      absent: newId(),
      foreign: await uploadPages(bob, 'rapport.pdf', FIGURES),
      'no id at all': 'x',
    };
    const { errors } = await ada.send(
      'mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }',
      { input: { ...assistant, message: '?', documentIds: [own, ids[kind as keyof typeof ids]] } },
    );
    expect(errors).toMatchObject([
      {
        message: 'There is no such document.',
        extensions: { code: 'NOT_FOUND', path: ['input', 'documentIds'], argument: 'input.documentIds' },
      },
    ]);
    // Nothing of the question is kept.
    const { conversations } = await ada.get<{ conversations: { edges: unknown[] } }>(
      '{ conversations(first: 5) { edges { node { id } } } }',
    );
    expect(conversations.edges).toEqual([]);
  });

  it('says which of them are still being read, or never were', async () => {
    const { reached, wait, open } = gate();
    parseBy(async function* (file) {
      await wait();
      return yield* inPages(file);
    });
    const waiting = await upload(ada, 'rapport.pdf', FIGURES);
    await reached;
    const empty = await upload(ada, 'vide.txt', '');
    const about = { ...assistant, documentIds: [waiting, empty] };
    const early = await ask([searches('émissions'), says('還在讀取。')], about);
    const result = resultIn(lastOf(early.requests[1]).content) as { unread: { document: string }[] };
    expect(result.unread.map(({ document }) => document)).toContain('rapport.pdf');
    expect(sourcesIn(early.events)).toEqual([]);
    open();
    await processed(ada, waiting);
    await processed(ada, empty);
    const later = await ask([searches('émissions directes'), says('412 [1]。')], about);
    expect(namesOf(sourcesIn(later.events))).toEqual(['rapport.pdf']);
    expect(resultIn(lastOf(later.requests[1]).content)).toMatchObject({
      unread: [{ document: 'vide.txt', error: '檔案是空的。' }],
    });
  });
});

it('never shows documents of another company', async () => {
  const bob = await app.client({ company: await app.company(), sub: 'bob' });
  await uploadPages(bob, 'secret.pdf', FIGURES);
  await uploadPages(ada, 'voyages.md', TRAVEL);
  const { events, requests } = await ask([searches('émissions directes tonnes train'), says('[1]')]);
  expect(namesOf(sourcesIn(events))).toEqual(['voyages.md']);
  expect(JSON.stringify(requests)).not.toContain('412 tonnes');
});
