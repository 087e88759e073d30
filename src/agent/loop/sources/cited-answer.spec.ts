import fc from 'fast-check';
import { ModelError } from '@palabre/llm-client';
import {
  failure,
  finish,
  ScriptedChatModel,
  type ScriptStep,
  text,
  toolCall,
} from '@palabre/llm-client/scripted-chat-model.double.js';

import { noUsage, type TurnEntry } from '../../../conversations/turns/turn-event.js';
import type { AgentLoop, AgentTurn } from '../agent-turn.js';
import { planned } from '../planned.js';
import { reactive } from '../reactive.js';
import { play, scriptedPorts, ScriptedSkills, scriptedTurn, succeeded } from '../scripted-turn.double.js';
import { withSources } from './cited-answer.js';
import { ScriptedDocuments } from './scripted-documents.double.js';
import { type Source, Sources, sourcesIn } from './sources.js';

function source(documentName: string, words: string, page: number | null = 2): Source {
  return {
    documentId: `id of ${documentName}`,
    documentName,
    page,
    section: 'Emissions › Scope 1',
    text: words,
    score: 0.7,
  };
}
const report = source('report.pdf', 'Direct emissions are 412 tonnes. Power adds 95 tonnes.');
const policy = source('policy.md', 'Trains come first. Flights need a reason.', null);

function search(query: string): ScriptStep {
  return toolCall('retrieve_documents', { query }, `search ${query}`);
}
const enough = [toolCall('synthesize_answer', { reason: 'Enough.' }), finish()];
function shown(entries: readonly TurnEntry[]): string {
  return entries.map((entry) => (entry.type === 'text-delta' ? entry.text : '')).join('');
}

async function run(
  strategy: AgentLoop,
  script: ScriptStep[][],
  documents: ScriptedDocuments,
  { turn = {} as Partial<AgentTurn>, tools = 0 } = {},
) {
  const model = new ScriptedChatModel(script);
  const others = Array.from({ length: tools }, (_, index) => [
    `tool_${index}`,
    () => Promise.resolve(succeeded('1')),
  ]);
  const skills = new ScriptedSkills({
    ...documents.skills,
    analyze_document: () => Promise.resolve(succeeded('{}')),
    ...Object.fromEntries(others),
  });
  const sources = new Sources();
  const known = { ...scriptedTurn(6), documents: documents.known, ...turn };
  const played = await play(
    withSources(strategy, sources)(
      scriptedPorts({ model, skills }),
      known,
      { ...noUsage },
      new AbortController().signal,
    ),
  );
  return { ...played, model, sources };
}
function toolsIn(model: ScriptedChatModel): string[] {
  return model.requests[0]!.tools.map(({ name }) => name);
}

describe.each<[string, AgentLoop, ScriptStep[][]]>([
  ['reactive', reactive, []],
  ['planned', planned, [enough]],
])('a %s turn that may search documents', (_, strategy, before) => {
  it('tells of its sources before the answer, and cites those it used', async () => {
    const { entries, result, model } = await run(
      strategy,
      [
        [search('emissions'), finish()],
        ...before,
        [text('412 tonnes [1'), text('][9], by train [2].'), finish()],
      ],
      new ScriptedDocuments({ emissions: [report, policy] }),
    );
    const types = entries.map(({ type }) => type).filter((type) => type !== 'plan-decided');
    expect(types.slice(0, 4)).toEqual(['skill-started', 'sources-found', 'skill-finished', 'text-delta']);
    expect(entries.find(({ type }) => type === 'sources-found')).toMatchObject({
      sources: [{ quote: expect.stringContaining('emissions') }, { marker: 2 }],
    });
    expect(shown(entries)).toBe('412 tonnes [1], by train [2].');
    expect(result).toMatchObject({
      citations: [
        { marker: 1, documentName: 'report.pdf', page: 2, quote: expect.stringContaining('412 tonnes') },
        { marker: 2, documentName: 'policy.md', page: null },
      ],
    });
    expect(model.requests.at(-1)!.messages.at(-1)!.content).toContain('Emissions › Scope 1');
  });

  it('leaves brackets alone where nothing was searched', async () => {
    const { entries, result } = await run(
      strategy,
      [...before, [text('See [1] and a[0].'), finish()]],
      new ScriptedDocuments({ emissions: [report] }),
    );
    expect(shown(entries)).toBe('See [1] and a[0].');
    expect(result).toMatchObject({ citations: [] });
  });

  it('is offered no skill that reads documents where there are none', async () => {
    const script = [...before, [text('Hello.'), finish()]];
    expect(toolsIn((await run(strategy, script, new ScriptedDocuments({}))).model)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/_documents?$/)]),
    );
    const { model } = await run(strategy, script, new ScriptedDocuments({ emissions: [report] }), {
      tools: 200,
    });
    expect(toolsIn(model)).toEqual(
      expect.arrayContaining(['search_skills', 'retrieve_documents', 'analyze_document']),
    );
    expect(toolsIn(model)).not.toContain('tool_7');
  });

  it('names the documents that it is restricted to', async () => {
    const documents = { areThere: true, asked: ['bilan.xlsx', 'rapport.pdf'] };
    const script = [...before, [text('Hello.'), finish()]];
    const { model } = await run(strategy, script, new ScriptedDocuments({}), { turn: { documents } });
    const described = model.requests[0]!.tools.filter(({ description }) =>
      description.endsWith('no others are read: bilan.xlsx; rapport.pdf'),
    );
    expect(described.map(({ name }) => name).toSorted()).toEqual(['analyze_document', 'retrieve_documents']);
  });
});

it('numbers and tells of what the model is shown, and of no more', async () => {
  const long = Array.from({ length: 8 }, (_, index) =>
    source(`${index}.pdf`, `Tonnes ${index}. `.repeat(600)),
  );
  const { entries, model } = await run(
    reactive,
    [
      [search('emissions'), finish()],
      [text('See [1] and [8].'), finish()],
    ],
    new ScriptedDocuments({ emissions: long }),
  );
  const told = entries.flatMap((entry) => (entry.type === 'sources-found' ? entry.sources : []));
  expect(told.length).toBeGreaterThan(1);
  expect(told.length).toBeLessThan(8);
  const finished = entries.find((entry) => entry.type === 'skill-finished');
  const stored = finished?.type === 'skill-finished' ? sourcesIn(finished.result ?? '') : [];
  expect(stored.map(({ marker }) => marker)).toEqual(told.map(({ marker }) => marker));
  expect(model.requests.at(-1)!.messages.at(-1)!.content).toContain(`Tonnes ${told.length - 1}.`);
  expect(shown(entries)).toBe('See [1] and.');
});

it('tells of what a search found with the end of that search, not of another that was over before', async () => {
  const { entries } = await run(
    reactive,
    [
      [search('emissions'), toolCall('analyze_document', {}, 'analyze'), search('trains'), finish()],
      [text('See [1] and [2].'), finish()],
    ],
    new ScriptedDocuments({ emissions: [report], trains: [report, policy] }),
  );
  const told = entries.flatMap((entry): (string | number)[] => {
    if (entry.type === 'sources-found') return entry.sources.map(({ marker }) => marker);
    return entry.type === 'skill-finished' ? [entry.skill] : [];
  });
  expect(told).toEqual([1, 'retrieve_documents', 'analyze_document', 2, 'retrieve_documents']);
});

it('can cite an answer that broke off', async () => {
  const { error, entries, sources } = await run(
    reactive,
    [
      [search('emissions'), finish()],
      [text('412 tonnes [1].'), failure(new ModelError('MODEL_REFUSED', 'Gone.', false))],
    ],
    new ScriptedDocuments({ emissions: [report] }),
  );
  expect(error).not.toBeNull();
  expect(sources.citedIn(shown(entries))).toMatchObject([{ marker: 1, documentName: 'report.pdf' }]);
});

it('has a citation for every marker of an answer, and a marker for every citation', async () => {
  const piece = fc.oneof(
    fc.nat({ max: 12 }).map((number) => `[${number}]`),
    fc.constantFrom('412 tonnes', '. ', ' ', '[', ']', '【2】', '[1, 3]', '1', '7]', '[2024]', '溫室氣體'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 20 }), fc.nat({ max: 3 }), async (pieces, count) => {
      const found = [report, policy, source('other.pdf', 'Nothing else.')].slice(0, count);
      const script = [
        [search('emissions'), finish()],
        [...['So: ', ...pieces].map(text), finish()],
      ];
      const { entries, result } = await run(
        reactive,
        script,
        new ScriptedDocuments({ emissions: found, more: [] }),
      );
      const markers = [...shown(entries).matchAll(/\[(\d{1,3})\]/g)].map(([, digits]) => Number(digits));
      const cited = result?.type === 'done' ? result.citations.map(({ marker }) => marker) : [];
      expect(cited).toEqual([...new Set(markers)].toSorted((a, b) => a - b));
      expect(cited.every((marker) => marker >= 1 && marker <= count)).toBe(true);
    }),
    { numRuns: 100 },
  );
});
