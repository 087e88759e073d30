import fc from 'fast-check';

import { MessagePathRepository } from '../../conversations/message-path.repository.js';
import type { SearchIndex } from '../../documents/search-index/search-index.service.js';
import type { SearchHit } from '../../documents/search-index/search.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { type MemoryKind, memoryKinds } from '../memory.entity.js';
import type { SeenMemoryRepository } from '../seen-memory.repository.js';
import { RelevantMemories, relevanceOf } from './relevant-memories.service.js';
import { scriptedMemory } from './scripted-memory.double.js';

const now = new Date('2026-06-01T00:00:00Z');
function daysAgo(days: number): Date {
  return new Date(now.getTime() - days * 86_400_000);
}
function relevance(
  byWords: number,
  {
    similarity = null,
    kind = 'FACT',
    days = 0,
  }: { similarity?: number | null; kind?: MemoryKind; days?: number } = {},
): number {
  return relevanceOf({ byWords, similarity }, { kind, validFrom: daysAgo(days) }, now);
}

/** The scores of notes that the index finds with these lexical scores. */
async function scoresFor(
  question: string,
  notes: readonly [content: string, lexicalScore: number][],
): Promise<number[]> {
  const memories = notes.map(([content]) => scriptedMemory({ content, validFrom: now }));
  const hits = memories.map(({ id }, index): SearchHit => {
    return { id, lexicalScore: notes[index]?.[1] ?? 0, similarity: null, score: 0.5 };
  });
  const index = { search: () => Promise.resolve({ hits }) } as unknown as SearchIndex;
  const seen = { findTold: () => Promise.resolve(memories) } as unknown as SeenMemoryRepository;
  const relevant = new RelevantMemories(seen, index, new MessagePathRepository());
  const query = { text: question, vector: null, warning: null };
  const found = await relevant.find({} as Transaction, { memberId: 'awa', now }, query, 40);
  return found.map(({ score }) => score);
}

describe('the relevance of a memory', () => {
  it('is its lexical score, relative to the best that has one of the words', async () => {
    expect(
      await scoresFor('What of the budget?', [
        ['the budget is tight', 8],
        ['a budget', 4],
      ]),
    ).toEqual([1, 0.5]);
  });

  it('is 0 for what has but parts of the words, and no measure for the others', async () => {
    expect(
      await scoresFor('And the xylophone budget?', [
        ['a telephone', 9],
        ['a budget', 3],
      ]),
    ).toEqual([0, 1]);
  });

  it('is not less for words that no memory has, nor for a name that all of them have', async () => {
    const notes: [string, number][] = [
      ['Baobab goes on', 0.004],
      ['Baobab is late', 0.002],
    ];
    const question = 'Où en est Baobab, et que dirait aissatou diallo du budget ?';
    expect(await scoresFor(question, notes)).toEqual([1, 0.5]);
  });

  it('is its similarity when that is higher', () => {
    expect(relevance(0, { similarity: 0.8 })).toBeCloseTo(1);
    expect(relevance(0.5, { similarity: 0.3 })).toBe(0.5);
    expect(relevance(0, { similarity: 0.1 })).toBe(0);
  });

  it('is lower for old memories and for contacts', () => {
    expect(relevance(1, { days: 180 })).toBeCloseTo(0.9);
    expect(relevance(1, { kind: 'CONTACT' })).toBe(0.9);
    // However old: never so much that something else would go before it that says half as much.
    expect(relevance(1, { kind: 'CONTACT', days: 10_000 })).toBeGreaterThan(relevance(0.5));
  });

  it('does not change within a day', () => {
    const validFrom = new Date('2026-05-20T13:00:00Z');
    const at = (time: string): number =>
      relevanceOf(
        { byWords: 1, similarity: null },
        { kind: 'FACT', validFrom },
        new Date(`2026-06-01T${time}Z`),
      );
    expect(at('00:00:00')).toBe(at('12:59:00'));
  });

  it('is between 0 and 1, less for less and for older', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
        fc.constantFrom(...memoryKinds),
        fc.integer({ min: -10, max: 9_000 }),
        (byWords, similarity, kind, days) => {
          const score = relevance(byWords, { similarity, kind, days });
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          expect(relevance(byWords / 2, { similarity, kind, days })).toBeLessThanOrEqual(score);
          expect(relevance(byWords, { similarity, kind, days: days + 30 })).toBeLessThanOrEqual(score);
        },
      ),
    );
  });
});
