import type { Clock } from '../../../common/clock.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { RelevantMemories } from '../../../memory/context/relevant-memories.service.js';
import { scriptedMemory } from '../../../memory/context/scripted-memory.double.js';
import { type Memory, memoryKinds, type MemoryRange } from '../../../memory/memory.entity.js';
import type { SeenMemoryRepository } from '../../../memory/seen-memory.repository.js';
import type { MessagePathRepository } from '../../../conversations/message-path.repository.js';
import type { SearchIndex } from '../../../documents/search-index/search-index.service.js';
import type { PreparedQuery, SearchHit } from '../../../documents/search-index/search.js';
import type { SkillContext } from '../../skill.js';
import { NotedMemories } from './recall-sources.service.js';

const tx = {} as Transaction;
const query: PreparedQuery = { text: 'move', vector: null, warning: null };
const march: MemoryRange = {
  kinds: memoryKinds,
  from: new Date('2026-03-01'),
  before: new Date('2026-04-01'),
};
const always: MemoryRange = { ...march, from: new Date(0), before: new Date('9999-12-31') };

function notedIn(month: string, changes: Partial<Memory> = {}): Memory {
  return scriptedMemory({ validFrom: new Date(`2026-${month}-15`), ...changes });
}
function many(count: number, changes: Partial<Memory> = {}): Memory[] {
  return Array.from({ length: count }, () => notedIn('05', changes));
}

/** What is remembered, each with the word that is asked for, the first the best. `limits`: what was searched for. */
class Shelf {
  readonly limits: number[] = [];
  readonly noted: NotedMemories;

  constructor(private readonly memories: readonly Memory[]) {
    const seen = {
      findMany: async (_: Transaction, __: string, ids: readonly string[]) => this.among(ids),
      findInRange: async (_: Transaction, __: string, ids: readonly string[], range: MemoryRange) =>
        this.among(ids).filter(isIn(range)),
      listInRange: async (_: Transaction, __: string, range: MemoryRange, limit: number) => {
        const [own, shared] = [true, false].map((isOwn) =>
          this.memories.filter(({ ownerId }) => (ownerId !== null) === isOwn).filter(isIn(range)),
        );
        return [...own!.slice(0, limit), ...shared!.slice(0, limit)];
      },
    } as unknown as SeenMemoryRepository;
    const search = async (_: Transaction, __: PreparedQuery, { limit }: { limit: number }) => {
      this.limits.push(limit);
      return {
        hits: this.memories.slice(0, limit).map(hitOf),
        weights: { idf: new Map(), otherIdf: new Map(), averageLength: 9 },
      };
    };
    const relevant = new RelevantMemories(
      seen,
      { search } as unknown as SearchIndex,
      { listBeside: async () => [] } as unknown as MessagePathRepository,
    );
    this.noted = new NotedMemories(seen, relevant, { now: () => new Date('2026-06-01') } as Clock);
  }

  private among = (ids: readonly string[]): Memory[] => this.memories.filter(({ id }) => ids.includes(id));
}

const asker = { memberId: 'awa', questionId: 'q' } as SkillContext;

function isIn({ kinds, from, before }: MemoryRange) {
  return ({ kind, validFrom }: Memory): boolean =>
    kinds.includes(kind) && validFrom >= from && validFrom < before;
}

function hitOf({ id }: Memory, index: number): SearchHit {
  return {
    id,
    lexicalScore: 1 - index / 10_000,
    similarity: null,
    score: 1,
  };
}

describe('of what bears on a query', () => {
  it('is found what was noted in the days that are asked for, behind whatever was noted in others', async () => {
    const old = notedIn('03');
    const { noted, limits } = new Shelf([...many(400), old]);
    expect(await noted.find(tx, asker, query, march)).toEqual({ memories: [old], isAll: true });
    expect(limits).toEqual([100, 1000]);
  });

  it('is found what is of the kinds that are asked for, behind whatever is of others', async () => {
    const contact = notedIn('05', { kind: 'CONTACT' });
    const { noted } = new Shelf([...many(150), contact]);
    const range: MemoryRange = { ...always, kinds: ['CONTACT'] };
    expect((await noted.find(tx, asker, query, range)).memories).toEqual([contact]);
  });

  it('is read no further than there is a need to', async () => {
    const { noted, limits } = new Shelf([...many(5), ...many(200, { kind: 'PROJECT' })]);
    await noted.find(tx, asker, query, always);
    expect(limits).toEqual([100]);
    const few = new Shelf([...many(5), notedIn('03')]);
    expect((await few.noted.find(tx, asker, query, march)).isAll).toBe(true);
    expect(few.limits).toEqual([100]);
  });

  it('are ten told, and that they are not all', async () => {
    const best = many(10);
    const { noted } = new Shelf([...best, ...many(1)]);
    expect(await noted.find(tx, asker, query, always)).toEqual({ memories: best, isAll: false });
    expect((await new Shelf(best).noted.find(tx, asker, query, always)).isAll).toBe(true);
  });

  it('is not said to be all there is what stands behind a thousand others', async () => {
    const { noted } = new Shelf([...many(1000), notedIn('03')]);
    expect(await noted.find(tx, asker, query, march)).toEqual({ memories: [], isAll: false });
  });
});

describe('without a query', () => {
  it.each([
    // own, shared: told of each
    [100, 100, 20, 10],
    [100, 4, 26, 4],
    [7, 100, 7, 23],
    [22, 3, 22, 3],
    [20, 10, 20, 10],
    [0, 0, 0, 0],
  ])('of %i own and %i shared notes are %i and %i told', async (own, shared, ownTold, sharedTold) => {
    const { noted } = new Shelf([...many(own), ...many(shared, { ownerId: null })]);
    const { memories, isAll } = await noted.find(tx, asker, null, always);
    expect(memories.map(({ ownerId }) => ownerId)).toEqual([
      ...Array(ownTold).fill('awa'),
      ...Array(sharedTold).fill(null),
    ]);
    expect(isAll).toBe(ownTold === own && sharedTold === shared);
  });
});
