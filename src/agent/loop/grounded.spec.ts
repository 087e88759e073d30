import fc from 'fast-check';
import {
  finish,
  ScriptedChatModel,
  type ScriptedReply,
  type ScriptStep,
  text,
  toolCall,
} from '@palabre/llm-client/scripted-chat-model.double.js';

import { assistantDefinitions } from '../../companies/assistants/definitions/shipped-assistants.service.js';
import { noUsage, type TurnEntry } from '../../conversations/turns/turn-event.js';
import type { SkillOutcome } from './agent-ports.js';
import type { AgentResult, AgentTurn, MadeCall } from './agent-turn.js';
import { grounded } from './grounded.js';
import { reactive } from './reactive.js';
import {
  type Carry,
  play,
  type Played,
  resultIn,
  scriptedPorts,
  ScriptedSkills,
  scriptedTurn,
  succeeded,
} from './scripted-turn.double.js';
import { withSources } from './sources/cited-answer.js';
import { type Findings, ScriptedDocuments } from './sources/scripted-documents.double.js';
import { resultOf, type Source, Sources, type UnreadDocument } from './sources/sources.js';

function source(documentName: string, words: string, page: number | null = 3): Source {
  return {
    documentId: `id of ${documentName}`,
    documentName,
    page,
    section: '',
    text: words,
    score: 0.8,
  };
}
const report = source('2023 盤查報告', '本報告書涵蓋 2023 年度。範疇一排放量為 412 公噸二氧化碳當量。');
const policy = source('差旅規定', '國內出差以高鐵為主。搭乘飛機須說明理由。', null);

function failed(error: string): SkillOutcome {
  return {
    status: 'FAILED',
    result: JSON.stringify({ error }),
    preview: error,
  };
}

function search(query: string): ScriptStep {
  return toolCall('retrieve_documents', { query }, `search ${query}`);
}
const question = '去年的排放量是多少？';
function chineseTurn(made: readonly MadeCall[] = [], maxSteps = 5): AgentTurn {
  const turn = scriptedTurn(maxSteps, made);
  const { template, language } = assistantDefinitions.find(({ key }) => key === 'bibliotheque')!;
  return { ...turn, strategy: 'GROUNDED', prompt: { ...turn.prompt, template, language, question } };
}

interface Run extends Played<AgentResult> {
  model: ScriptedChatModel;
  documents: ScriptedDocuments;
}

async function run(
  script: readonly ScriptedReply[],
  found: Record<string, Findings>,
  {
    turn = chineseTurn(),
    others = {} as Record<string, Carry>,
    off = [] as string[],
    guarded = [] as string[],
    unread = [] as UnreadDocument[],
    controller = new AbortController(),
  } = {},
): Promise<Run> {
  const model = new ScriptedChatModel(script);
  const documents = new ScriptedDocuments(found, unread);
  const skills = new ScriptedSkills({ ...documents.skills, ...others });
  for (const key of off) skills.off.add(key);
  for (const key of guarded) skills.guarded.add(key);
  const cited = withSources(grounded, new Sources());
  const known = { ...turn, documents: documents.known };
  const ports = scriptedPorts({ model, skills });
  const played = await play(cited(ports, known, { ...noUsage }, controller.signal));
  return { ...played, model, documents };
}

function types(entries: readonly TurnEntry[]): string[] {
  return entries.map(({ type }) => type);
}
function shown(entries: readonly TurnEntry[]): string {
  return entries.map((entry) => (entry.type === 'text-delta' ? entry.text : '')).join('');
}
function resultsIn(model: ScriptedChatModel): unknown[] {
  return model.requests
    .at(-1)!
    .messages.flatMap((message) =>
      message.role === 'tool' ? [JSON.parse(resultIn(message.content)) as unknown] : [],
    );
}

describe('the grounded loop', () => {
  it('searches first, tells of the sources before the first word, and cites those it used', async () => {
    const { entries, result, model, documents } = await run(
      [
        [text('我先查一下。'), search('排放量'), finish()],
        [text('範疇一排放量為 412 公噸'), text('【'), text('1】[7]，出差另見［2'), text('］。'), finish()],
      ],
      { 排放量: [report, policy, source('其他', '無關。')] },
    );
    expect(types(entries).slice(0, 3)).toEqual(['skill-started', 'sources-found', 'skill-finished']);
    expect(entries[0]).toMatchObject({
      skill: 'retrieve_documents',
      arguments: { query: '排放量' },
      asked: { step: 0, preamble: '' },
    });
    expect(entries[1]).toMatchObject({
      sources: [
        { marker: 1, documentName: '2023 盤查報告', page: 3, score: 0.8 },
        { marker: 2, documentId: 'id of 差旅規定', page: null },
        { marker: 3 },
      ],
    });
    expect(shown(entries)).toBe('範疇一排放量為 412 公噸[1]，出差另見[2]。');
    expect(result).toEqual({
      type: 'done',
      finishReason: 'ANSWERED',
      citations: [
        {
          marker: 1,
          documentId: 'id of 2023 盤查報告',
          documentName: '2023 盤查報告',
          page: 3,
          quote: '範疇一排放量為 412 公噸二氧化碳當量。',
          score: 0.8,
        },
        expect.objectContaining({ marker: 2, documentName: '差旅規定' }),
      ],
    });
    expect(documents.queries).toEqual(['排放量']);
    expect(resultsIn(model)).toMatchObject([
      { passages: [{ marker: 1, document: '2023 盤查報告', page: 3, text: report.text }, {}, {}] },
    ]);
  });

  it('forces the first call to search, and offers the search with the skills from then on', async () => {
    const others = { look: () => Promise.resolve(succeeded('1')) };
    const { model } = await run(
      [
        [search('排放量'), finish()],
        [text('412'), finish()],
      ],
      { 排放量: [report] },
      { others },
    );
    const [first, second] = model.requests;
    expect(first).toMatchObject({ toolChoice: { name: 'retrieve_documents' }, tools: [{}] });
    expect(second?.toolChoice).toBeUndefined();
    expect(second?.tools.map(({ name }) => name)).toEqual(['retrieve_documents', 'look']);
    expect(second?.messages.slice(0, 2)).toEqual(first?.messages);
  });

  it('searches for the question when the model does not', async () => {
    for (const refusal of [text('412 公噸。'), toolCall('look', {}), toolCall('retrieve_documents', '{')]) {
      const { entries, result, documents } = await run(
        [
          [refusal, finish()],
          [text('412 [1]'), finish()],
        ],
        { [question]: [report] },
      );
      expect(documents.queries).toEqual([question]);
      expect(shown(entries)).toBe('412 [1]');
      expect(result).toMatchObject({ citations: [{ marker: 1 }] });
    }
  });

  it('searches for the question when the model’s words for it were cut off', async () => {
    const { documents } = await run(
      [
        [toolCall('retrieve_documents', '{"query":'), finish('length')],
        [text('412 [1]'), finish()],
      ],
      { [question]: [report] },
    );
    expect(documents.queries).toEqual([question]);
  });

  it('searches again when asked, and numbers on', async () => {
    const { entries, result, model } = await run(
      [
        [search('排放量'), finish()],
        [text('還要查 [1][2]。'), search('差旅'), finish()],
        [text('A[1] B[2] C[3]'), finish()],
      ],
      { 排放量: [report], 差旅: [report, policy] },
    );
    const found = entries.flatMap((entry) => (entry.type === 'sources-found' ? [entry.sources] : []));
    expect(found.map((sources) => sources.map(({ marker }) => marker))).toEqual([[1], [2]]);
    expect(types(entries).slice(3)).toEqual([
      'text-delta',
      'text-reset',
      'skill-started',
      'sources-found',
      'skill-finished',
      'text-delta',
    ]);
    expect(shown(entries)).toBe('還要查 [1]。A[1] B[2] C');
    expect(result).toMatchObject({ citations: [{ marker: 1 }, { marker: 2 }] });
    expect(resultsIn(model)[1]).toMatchObject({ passages: [{ marker: 1 }, { marker: 2 }] });
  });

  it('forgets what it held back of words that are withdrawn', async () => {
    const { entries, result } = await run(
      [
        [search('排放量'), finish()],
        [text('再查 [1'), search('差旅'), finish()],
        [text('] 查完了。'), finish()],
      ],
      { 排放量: [report] },
    );
    const answer = entries.slice(types(entries).indexOf('text-reset'));
    expect(shown(answer)).toBe('] 查完了。');
    expect(result).toMatchObject({ citations: [] });
  });

  it('cites nothing for the sake of words that are withdrawn', async () => {
    const { result } = await run(
      [
        [search('排放量'), finish()],
        [text('見 [1]。'), search('差旅'), finish()],
        [text('見 [2]。'), finish()],
      ],
      { 排放量: [report], 差旅: [policy] },
    );
    expect(result).toMatchObject({ citations: [{ marker: 2 }] });
  });

  it('numbers searches at the same time in the order of asking', async () => {
    const quickIsFound = Promise.withResolvers<void>();
    const { result } = await run(
      [
        [search('slow'), search('quick'), finish()],
        [text('[1][2]'), finish()],
      ],
      {
        slow: async () => {
          await quickIsFound.promise;
          return [report];
        },
        quick: () => {
          quickIsFound.resolve();
          return Promise.resolve([policy]);
        },
      },
    );
    expect(result).toMatchObject({
      citations: [
        { marker: 1, documentName: '2023 盤查報告' },
        { marker: 2, documentName: '差旅規定' },
      ],
    });
  });

  it('tells the model when nothing was found, and lets no marker through', async () => {
    const { entries, result, model } = await run(
      [
        [search('利率'), finish()],
        [text('文件裡沒有提到 [1]。'), finish()],
      ],
      { 排放量: [report] },
    );
    expect(types(entries)).toEqual(['skill-started', 'skill-finished', 'text-delta']);
    expect(resultsIn(model)).toEqual([{ passages: [], note: expect.stringContaining('查不到相關內容') }]);
    expect(shown(entries)).toBe('文件裡沒有提到。');
    expect(result).toMatchObject({ finishReason: 'ANSWERED', citations: [] });
  });

  it('tells the model what it asked about that no passage has, and people the documents', async () => {
    const { document, ...passage } = { ...report, document: report.documentName };
    const found = { passages: [{ document, ...passage }], missing: ['利率', '貸款'] };
    const { entries, model } = await run(
      [
        [search('排放量的利率'), finish()],
        [text('文件裡沒有提到。'), finish()],
      ],
      { 排放量: [report] },
      { others: { retrieve_documents: () => Promise.resolve(succeeded(JSON.stringify(found))) } },
    );
    expect(resultsIn(model)).toMatchObject([
      { passages: [{ marker: 1 }], note: expect.stringContaining('沒有提到：利率、貸款') },
    ]);
    expect(entries).toContainEqual(
      expect.objectContaining({ type: 'skill-finished', resultPreview: '2023 盤查報告' }),
    );
  });

  it('tells the model when the search failed', async () => {
    const { entries, model } = await run(
      [
        [search('排放量'), finish()],
        [text('查不到。'), finish()],
      ],
      {},
      { others: { retrieve_documents: () => Promise.resolve(failed('The database is away.')) } },
    );
    expect(entries[1]).toMatchObject({ type: 'skill-finished', callStatus: 'FAILED' });
    expect(resultsIn(model)).toEqual([
      { error: expect.stringContaining('查詢文件失敗'), reason: 'The database is away.' },
    ]);
  });

  it('without documents tells and asks exactly what the reactive loop does', async () => {
    const script = [[text('沒有文件 [1]。'), finish()]];
    const { model, documents, ...played } = await run(script, {});
    const other = new ScriptedChatModel(script);
    const expected = await play(
      reactive(scriptedPorts({ model: other }), chineseTurn(), { ...noUsage }, new AbortController().signal),
    );
    expect(played).toEqual(expected);
    expect(model.requests).toEqual(other.requests);
    expect(documents.queries).toEqual([]);
  });

  it.each<[string, Parameters<typeof run>[2]]>([
    ['may not be searched', { off: ['retrieve_documents'] }],
    ['are searched when the model asks for it', { turn: { ...chineseTurn(), retrieval: 'AUTO' } }],
  ])('asks for no search where documents %s', async (_, options) => {
    const { entries, model, documents } = await run(
      [[text('不用查 [1]。'), finish()]],
      { 排放量: [report] },
      options,
    );
    expect(types(entries)).toEqual(['text-delta']);
    expect(shown(entries)).toBe('不用查 [1]。');
    expect(documents.queries).toEqual([]);
    const isOffered = model.requests[0]!.tools.some(({ name }) => name === 'retrieve_documents');
    expect([isOffered, model.requests[0]!.toolChoice]).toEqual([options?.off === undefined, undefined]);
  });

  it('searches when the model asks for it where that is left to the model', async () => {
    const turn: AgentTurn = { ...chineseTurn(), retrieval: 'AUTO' };
    const { entries, result } = await run(
      [
        [text('查一下。'), search('排放量'), finish()],
        [text('412 公噸 [1][2]。'), finish()],
      ],
      { 排放量: [report] },
      { turn },
    );
    expect(types(entries).slice(-4)).toEqual([
      'skill-started',
      'sources-found',
      'skill-finished',
      'text-delta',
    ]);
    expect(result).toMatchObject({ citations: [{ marker: 1 }] });
  });

  it('waits for a person who is to allow the search', async () => {
    const { entries, result, documents } = await run(
      [[search('排放量'), finish()]],
      { 排放量: [report] },
      { guarded: ['retrieve_documents'] },
    );
    expect(entries).toEqual([]);
    expect(result).toMatchObject({ type: 'waiting', inputs: [{ skill: 'retrieve_documents' }] });
    expect(documents.queries).toEqual([]);
  });

  it('tells the model which documents could not be searched', async () => {
    const unread = [
      { document: '新報告.pdf', error: null },
      { document: '壞檔.pdf', error: 'It is encrypted.' },
    ];
    const { entries, model } = await run(
      [
        [search('排放量'), finish()],
        [text('還在讀取。'), finish()],
      ],
      { 其他: [report] },
      { unread },
    );
    const [{ note }] = resultsIn(model) as [{ note: string }];
    expect(resultsIn(model)).toEqual([{ passages: [], unread, note }]);
    expect(note).toMatch(/還在讀取，無法查詢：新報告\.pdf.*無法讀取.*壞檔\.pdf.*查不到/u);
    expect(entries[1]).toMatchObject({ callStatus: 'SUCCEEDED', resultPreview: note });
  });

  it('ends with the signal', async () => {
    const controller = new AbortController();
    const retrieve = (signal: AbortSignal): Promise<Source[]> =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        controller.abort(new Error('cancelled'));
      });
    const { error } = await run([[search('排放量'), finish()]], { 排放量: retrieve }, { controller });
    expect(error).toEqual(new Error('cancelled'));
  });
});

describe('a grounded turn that is taken over', () => {
  const [numbered] = new Sources().number([report]);
  const made = (status: MadeCall['status'], result: string | null): MadeCall => ({
    callId: 'call-000',
    skill: 'retrieve_documents',
    asked: { step: 0, preamble: '', modelCallId: 'a', modelArguments: '{"query":"排放量"}' },
    status,
    result,
    startedAt: new Date(0),
  });

  it('knows the sources that were found, also when the documents are gone by now', async () => {
    const turn = chineseTurn([made('SUCCEEDED', resultOf([numbered!]))]);
    const { entries, result, documents } = await run([[text('412 公噸 [1][2]'), finish()]], {}, { turn });
    expect(types(entries)).toEqual(['text-delta']);
    expect(shown(entries)).toBe('412 公噸 [1]');
    expect(result).toMatchObject({ citations: [{ marker: 1, documentId: 'id of 2023 盤查報告' }] });
    expect(documents.queries).toEqual([]);
  });

  it('searches again where nobody knows what was found', async () => {
    const turn = chineseTurn([made('RUNNING', null)]);
    const { entries, documents } = await run([[text('[1]'), finish()]], { 排放量: [report] }, { turn });
    expect(types(entries)).toEqual(['sources-found', 'skill-finished', 'text-delta']);
    expect(documents.queries).toEqual(['排放量']);
  });
});

it('shows and cites the same however the answer is cut into pieces', async () => {
  const answer = '範疇一為 412 公噸【1】[9]，出差［2, 8］以高鐵為主 [ 2 ]，[x] 與 [3] 無關。';
  const playCut = async (pieces: readonly string[]) => {
    const script = [
      [search('排放量'), finish()],
      [...pieces.map(text), finish()],
    ];
    const { entries, result } = await run(script, { 排放量: [report, policy] });
    return { shown: shown(entries), result };
  };
  const whole = await playCut([answer]);
  expect(whole.shown).toBe('範疇一為 412 公噸[1]，出差[2]以高鐵為主 [2]，[x] 與 無關。');
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: answer.length - 1 })), async (cuts) => {
      const borders = [0, ...cuts.toSorted((a, b) => a - b), answer.length];
      const pieces = borders.slice(1).map((end, index) => answer.slice(borders[index], end));
      expect(await playCut(pieces)).toEqual(whole);
    }),
    { numRuns: 60 },
  );
});
