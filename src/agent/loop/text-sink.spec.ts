import { setImmediate } from 'node:timers/promises';

import fc from 'fast-check';
import {
  finish,
  ScriptedChatModel,
  type ScriptStep,
  text,
  toolCall,
} from '@palabre/llm-client/scripted-chat-model.double.js';

import type { TurnEntry } from '../../conversations/turns/turn-event.js';
import { grounded } from './grounded.js';
import { play, scriptedPorts, ScriptedSkills, scriptedTurn } from './scripted-turn.double.js';
import { withSources } from './sources/cited-answer.js';
import { ScriptedDocuments } from './sources/scripted-documents.double.js';
import { Sources } from './sources/sources.js';

const report = {
  documentId: 'report',
  documentName: 'report.pdf',
  page: 2,
  section: '',
  text: 'Direct emissions are 412 tonnes.',
  score: 0.7,
};

/** The model's next piece comes after all effects of the previous one. */
function later(): ScriptStep {
  return {
    type: 'gate',
    // As late as it is awaited.
    get until() {
      return setImmediate();
    },
  };
}

/** Parts of answers: cut markers, some without a source, and thoughts. */
const piece = fc.oneof(
  fc.constantFrom('[', '1', '2', ']', ' ', '[1]', 'tonnes', '\n', '```').map(text),
  fc.constant<ScriptStep>({ type: 'reasoning', text: 'Hm.' }),
  fc.constant<ScriptStep>({ type: 'retraction' }),
  fc.constant(later()),
);

/** Everything stored, in order. `isReady`: whether the sink takes each text. */
async function stored(pieces: readonly ScriptStep[], isReady: readonly boolean[]) {
  const documents = new ScriptedDocuments({ emissions: [report] });
  const answer = [text('It says '), later(), ...pieces, later(), text('.'), finish()];
  const model = new ScriptedChatModel([
    [toolCall('retrieve_documents', { query: 'emissions' }, 'search'), finish()],
    answer,
  ]);
  const entries: TurnEntry[] = [];
  const asked = isReady.values();
  const taken: string[] = [];
  const sink = {
    get isReady() {
      return asked.next().value ?? false;
    },
    take: (words: string) => {
      taken.push(words);
      entries.push({ type: 'text-delta', text: words });
    },
  };
  const sources = new Sources();
  const turn = { ...scriptedTurn(6), documents: documents.known };
  const skills = new ScriptedSkills(documents.skills);
  const loop = withSources(grounded, sources)(
    scriptedPorts({ model, skills, text: sink }),
    turn,
    { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, modelCalls: 0, skillCalls: 0, costUsd: null },
    new AbortController().signal,
  );
  const { result } = await play(loop, (entry) => void entries.push(entry));
  return { told: joined(entries), result, taken };
}

/** Pieces of text that stand side by side are one text, however they were cut. */
function joined(entries: readonly TurnEntry[]): TurnEntry[] {
  const told: TurnEntry[] = [];
  for (const entry of entries) {
    const last = told.at(-1);
    if (entry.type === 'text-delta' && last?.type === 'text-delta') {
      told[told.length - 1] = { type: 'text-delta', text: last.text + entry.text };
    } else told.push(entry);
  }
  return told;
}

describe('the text of an answer', () => {
  it('is the same whether it goes through the loop or past it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), fc.array(fc.boolean()), async (pieces, ready) => {
        const through = await stored(pieces, []);
        const past = await stored(pieces, ready);
        expect([past.told, past.result]).toEqual([through.told, through.result]);
      }),
      { numRuns: 200 },
    );
  });

  it('goes past the loop once it has begun, and not again before it has begun anew', async () => {
    const pieces = [
      text('a'),
      later(),
      text('b'),
      later(),
      { type: 'retraction' },
      text('c'),
      later(),
      text('d'),
    ] as const;
    const { taken } = await stored(
      pieces,
      Array.from({ length: 100 }, () => true),
    );
    expect(taken).toEqual([' a', 'b', 'd', '.']);
  });
});
