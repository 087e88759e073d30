import { pino } from 'pino';
import { type Embedder, ModelError } from '@palabre/llm-client';
import {
  type Meaning,
  meanings,
  ScriptedEmbedder,
} from '@palabre/llm-client/embeddings/scripted-embedder.double.js';

import { newId } from '../../src/common/ids.js';
import type { Database } from '../../src/platform/database/database.js';
import { openDatabase, type OpenDatabase } from '../../src/platform/database/open-database.js';
import type { Transaction } from '../../src/platform/database/transaction.js';
import { MemoryJobQueue } from '../../src/platform/jobs/memory-job-queue.double.js';
import type { SemanticHit } from '../../src/documents/search-index/fusion.js';
import { SearchTexts } from '../../src/documents/search-index/search-texts.js';
import { CompanyEmbedding } from '../../src/documents/search-index/semantic/company-embedding.service.js';
import { EmbeddingRepository } from '../../src/documents/search-index/semantic/embedding.repository.js';
import { SemanticLeg } from '../../src/documents/search-index/semantic/semantic-leg.service.js';
import { VectorSpaces } from '../../src/documents/search-index/semantic/spaces.service.js';
import { VectorIndexes } from '../../src/documents/search-index/semantic/vector-indexes.service.js';
import { VectorSchemaRepository } from '../../src/documents/search-index/semantic/vector-schema.repository.js';
import { VectorRepository } from '../../src/documents/search-index/semantic/vector.repository.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';

const pay: Meaning = meanings({ pay: ['salary', 'rémunération', '薪水'], food: ['couscous', 'dinner'] });
const { signal } = new AbortController();
const logger = pino({ level: 'silent' });
function memory(ownerId: string | null) {
  return { collection: 'MEMORY', ownerId } as const;
}

/** As what the index does, with nothing of the lexical leg: rows, and their texts beside. */
class Shelf {
  readonly texts = new Map<string, string>();
  private readonly searchTexts = new SearchTexts();
  private readonly rows = new EmbeddingRepository();

  constructor(readonly database: Database) {
    this.searchTexts.register('MEMORY', async (_tx, ids) => {
      const known = ids.flatMap((id) =>
        this.texts.has(id) ? [[id, this.texts.get(id) ?? ''] as const] : [],
      );
      return new Map(known);
    });
  }

  async company(): Promise<string> {
    const id = newId();
    const sql = 'INSERT INTO company (id, slug, name) VALUES ($1, $2, $2)';
    await this.database.systemTransaction((tx) => tx.query(sql, [id, id]));
    return id;
  }

  async member(companyId: string): Promise<string> {
    const id = newId();
    const sql = `INSERT INTO member (company_id, id, subject, name, role) VALUES ($1, $2, $3, $3, 'MEMBER')`;
    await this.database.transaction(companyId, (tx) => tx.query(sql, [companyId, id, id]));
    return id;
  }

  /** Gives the ids. Texts of one owner go on where the last ones ended. */
  put(companyId: string, ownerId: string | null, texts: readonly string[], groupId: string | null = null) {
    return this.database.transaction(companyId, async (tx) => {
      const scope = await this.scope(tx, ownerId);
      const ids = texts.map(() => newId());
      for (const [index, id] of ids.entries()) {
        this.texts.set(id, texts[index] ?? '');
        await tx.query(
          `INSERT INTO search_item (company_id, scope_id, ordinal, item_id, group_id, length)
           VALUES ($1, $2, $3, $4, $5, 1)`,
          [companyId, scope.id, scope.next + index, id, groupId],
        );
      }
      await tx.query(
        `UPDATE search_scope SET next_ordinal = next_ordinal + $3, item_count = item_count + $3
         WHERE company_id = $1 AND id = $2`,
        [companyId, scope.id, ids.length],
      );
      return ids;
    });
  }

  private async scope(tx: Transaction, ownerId: string | null): Promise<{ id: number; next: number }> {
    const found = `SELECT id, next_ordinal AS next FROM search_scope
      WHERE company_id = $1 AND owner_id IS NOT DISTINCT FROM $2`;
    const [known] = await tx.query<{ id: number; next: number }>(found, [tx.companyId, ownerId]);
    if (known) return known;
    await tx.query(`INSERT INTO search_scope (company_id, collection, owner_id) VALUES ($1, 'MEMORY', $2)`, [
      tx.companyId,
      ownerId,
    ]);
    return this.scope(tx, ownerId);
  }

  async leg(embedder: Embedder | null, log = logger): Promise<SemanticLeg> {
    const schema = new VectorSchemaRepository(this.database);
    const leg = new SemanticLeg(embedder, new MemoryJobQueue(), schema, new VectorRepository(), log);
    await leg.onModuleInit();
    return leg;
  }

  embed(companyId: string, embedder: Embedder, isTimeOver = () => false) {
    const schema = new VectorSchemaRepository(this.database);
    const indexes = new VectorIndexes(this.database, this.rows, schema, logger);
    const spaces = new VectorSpaces(this.database, this.rows);
    const embedding = new CompanyEmbedding(
      this.database,
      this.rows,
      spaces,
      this.searchTexts,
      indexes,
      logger,
    );
    return embedding.embed(companyId, embedder, { signal, isTimeOver });
  }

  async find(
    leg: SemanticLeg,
    companyId: string,
    query: string,
    owners: (string | null)[],
    groupIds?: string[],
  ): Promise<SemanticHit[]> {
    const { vector } = await leg.embedQuery(query, signal);
    if (!vector) throw new Error('There is no vector.');
    const request = { scopes: owners.map(memory), limit: 10, ...(groupIds && { groupIds }) };
    return this.database.read(companyId, (tx) => leg.find(tx, vector, request, 10));
  }

  async vectors(): Promise<{ space: number; count: number }[]> {
    return this.database.dataSource.query(
      'SELECT space, count(*)::int AS count FROM search_vector GROUP BY space ORDER BY space',
    );
  }
}

/** Gives the plans of statements in the place of their rows. */
function explaining(tx: Transaction): Transaction {
  return Object.assign(Object.create(tx) as Transaction, {
    query: (sql: string, values: unknown[]) => tx.query(`EXPLAIN ${sql}`, values),
  });
}

function idsOf(hits: { id: string }[]): string[] {
  return hits.map(({ id }) => id);
}

/** Is down until it is told otherwise. */
class FailingEmbedder extends ScriptedEmbedder {
  constructor(
    private readonly fails: (texts: readonly string[]) => ModelError | null,
    model = 'scripted-embedder',
  ) {
    super(pay, model);
  }

  override async embed(...[texts, use, signal]: Parameters<Embedder['embed']>): Promise<Float32Array[]> {
    const error = this.fails(texts);
    if (error) throw error;
    return super.embed(texts, use, signal);
  }
}

const unavailable = new ModelError('MODEL_UNAVAILABLE', 'The embedder is away.', true);

let database: TestDatabase;
let opened: OpenDatabase;
let shelf: Shelf;
let companyId: string;
let awa: string;

beforeAll(async () => {
  database = await createTestDatabase();
  opened = await openDatabase(database.location, []);
});
afterAll(async () => {
  await opened.close();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await opened.database.dataSource.query(
    'DROP TABLE IF EXISTS search_vector, search_embedding, search_embedding_claim, search_space',
  );
  shelf = new Shelf(opened.database);
  companyId = await shelf.company();
  awa = await shelf.member(companyId);
});

describe('search by meaning', () => {
  it('finds what shares no word with the question, in another language too, and nothing that has to do with nothing', async () => {
    const embedder = new ScriptedEmbedder(pay);
    const leg = await shelf.leg(embedder);
    const [salary, chinese] = await shelf.put(companyId, awa, [
      'Her salary is 900.',
      '薪水很高',
      'A dinner.',
      'Rain.',
    ]);
    expect(await shelf.embed(companyId, embedder)).toEqual({ type: 'done' });
    const hits = await shelf.find(leg, companyId, 'Quelle est la rémunération ?', [awa, null]);
    expect(idsOf(hits).toSorted()).toEqual([salary, chinese].toSorted());
    expect(hits.every(({ similarity }) => similarity > 0.5 && similarity <= 1.001)).toBe(true);
  });

  it('shows nobody what is another member’s or another company’s', async () => {
    const embedder = new ScriptedEmbedder(pay);
    const leg = await shelf.leg(embedder);
    const [binta, other] = [await shelf.member(companyId), await shelf.company()];
    const [shared] = await shelf.put(companyId, null, ['The salary of all.']);
    await shelf.put(companyId, binta, ['Binta’s salary.']);
    await shelf.put(other, null, ['The others’ salary.']);
    await shelf.embed(companyId, embedder);
    await shelf.embed(other, embedder);
    expect(idsOf(await shelf.find(leg, companyId, 'rémunération', [awa, null]))).toEqual([shared]);
    const seen = await opened.database.transaction(companyId, (tx) =>
      tx.query('SELECT DISTINCT company_id AS id FROM search_vector'),
    );
    expect(seen).toEqual([{ id: companyId }]);
  });

  it('looks into some groups alone, where it is told so', async () => {
    const embedder = new ScriptedEmbedder(pay);
    const leg = await shelf.leg(embedder);
    const [one, two] = [newId(), newId()];
    const [inOne] = await shelf.put(companyId, awa, ['salary'], one);
    await shelf.put(companyId, awa, ['Salary too.'], two);
    await shelf.embed(companyId, embedder);
    expect(idsOf(await shelf.find(leg, companyId, 'rémunération', [awa], [one]))).toEqual([inOne]);
    expect(await shelf.find(leg, companyId, 'rémunération', [awa], [])).toEqual([]);
  });

  it('loses what is removed, with its vector', async () => {
    const embedder = new ScriptedEmbedder(pay);
    const leg = await shelf.leg(embedder);
    const [salary] = await shelf.put(companyId, awa, ['My salary.']);
    await shelf.embed(companyId, embedder);
    expect(await shelf.vectors()).toMatchObject([{ count: 1 }]);
    await opened.database.transaction(companyId, (tx) =>
      tx.query('DELETE FROM search_item WHERE company_id = $1 AND item_id = $2', [companyId, salary]),
    );
    expect(await shelf.find(leg, companyId, 'rémunération', [awa])).toEqual([]);
    expect(await shelf.vectors()).toEqual([]);
  });

  it('finds the same by an index as without one', async () => {
    const embedder = new ScriptedEmbedder(pay);
    const leg = await shelf.leg(embedder);
    await shelf.put(
      companyId,
      awa,
      Array.from({ length: 150 }, (_, index) => `Number ${index}: ${index % 3 ? 'rain' : 'salary'}`),
    );
    const other = await shelf.company();
    await shelf.put(
      other,
      null,
      Array.from({ length: 150 }, (_, index) => `Salary ${index}`),
    );
    await shelf.embed(companyId, embedder);
    await shelf.embed(other, embedder);
    const { vector } = await leg.embedQuery('rémunération', signal);
    const rows = new VectorRepository();
    const scopes = () =>
      opened.database.read(companyId, (tx) =>
        rows.findScopes(tx, [memory(awa), memory(null)], { model: embedder.model, dimensions: 64 }),
      );
    const before = await scopes();
    expect(before).toMatchObject({ items: 150, isIndexed: false });
    await new VectorSchemaRepository(opened.database).makeIndex(before!);
    const after = await scopes();
    expect(after).toMatchObject({ isIndexed: true });
    const request = { vector: vector!, groupIds: undefined, limit: 20 };
    const [exact, indexed, plan] = await opened.database.read(companyId, async (tx) => {
      // So few rows would be sorted.
      await tx.query('SET LOCAL enable_sort = off');
      return [
        await rows.listNearest(tx, after!, request),
        await rows.listNearestByIndex(tx, after!, request),
        JSON.stringify(await rows.listNearestByIndex(explaining(tx), after!, request)),
      ];
    });
    expect(plan).toContain('search_vector_space_');
    expect(exact).toHaveLength(20);
    expect(idsOf(indexed!)).toEqual(idsOf(exact!));
  });
});

describe('what is to be embedded', () => {
  it('is embedded in rounds that outlive a process, the new before the old', async () => {
    const embedder = new ScriptedEmbedder(pay);
    await shelf.leg(embedder);
    await shelf.put(
      companyId,
      awa,
      Array.from({ length: 150 }, (_, index) => `old ${index}`),
    );
    let rounds = 0;
    const outcome = await shelf.embed(companyId, embedder, () => (rounds += 1) > 1);
    expect(outcome).toEqual({ type: 'later', afterSeconds: 0 });
    await shelf.put(companyId, awa, ['new']);
    await shelf.embed(companyId, embedder);
    const batches = embedder.calls
      .map(({ texts }) => texts)
      .filter(([first]) => /^(old|new)/.test(first ?? ''));
    expect(batches.map((texts) => [texts.length, texts[0]])).toEqual([
      [64, 'old 149'],
      [1, 'new'],
      [64, 'old 85'],
      [22, 'old 21'],
    ]);
    expect(await shelf.vectors()).toMatchObject([{ count: 151 }]);
  });

  it('is embedded once, and by one process at a time', async () => {
    const embedder = new ScriptedEmbedder(pay);
    await shelf.leg(embedder);
    await shelf.put(companyId, awa, ['one', 'two']);
    const first = await shelf.embed(companyId, embedder, () => false);
    await opened.database.transaction(companyId, (tx) => new EmbeddingRepository().claim(tx, newId(), 60));
    await shelf.put(companyId, awa, ['three']);
    expect([first, await shelf.embed(companyId, embedder)]).toEqual([
      { type: 'done' },
      { type: 'later', afterSeconds: 15 },
    ]);
    expect(
      embedder.calls.flatMap(({ texts }) => texts).filter((text) => /^(one|two|three)$/.test(text)),
    ).toEqual(['two', 'one']);
  });

  it('waits while the embedder is away, and nothing is passed over', async () => {
    let isAway = true;
    const embedder = new FailingEmbedder(() => (isAway ? unavailable : null));
    await shelf.leg(embedder);
    await shelf.put(companyId, awa, ['salary']);
    expect(await shelf.embed(companyId, embedder)).toEqual({ type: 'later', afterSeconds: 60 });
    isAway = false;
    expect(await shelf.embed(companyId, embedder)).toEqual({ type: 'done' });
    expect(await shelf.vectors()).toMatchObject([{ count: 1 }]);
  });

  it('passes over a text that the embedder fails at although it works', async () => {
    const embedder = new FailingEmbedder((texts) =>
      texts.some((text) => text.includes('☠')) ? unavailable : null,
    );
    await shelf.leg(embedder);
    await shelf.put(companyId, awa, ['one', '☠', 'two', ' ']);
    expect(await shelf.embed(companyId, embedder)).toEqual({ type: 'done' });
    expect(await shelf.vectors()).toMatchObject([{ count: 2 }]);
  });

  it('is embedded anew by another model, and the old one’s vectors go at the end', async () => {
    const [old, other] = [new ScriptedEmbedder(pay, 'old'), new ScriptedEmbedder(pay, 'other')];
    await shelf.leg(old);
    const ids = await shelf.put(
      companyId,
      awa,
      Array.from({ length: 100 }, () => 'salary'),
    );
    await shelf.embed(companyId, old);
    const leg = await shelf.leg(other);
    expect(await shelf.find(leg, companyId, 'rémunération', [awa])).toEqual([]);
    let rounds = 0;
    await shelf.embed(companyId, other, () => (rounds += 1) > 1);
    expect(await shelf.vectors()).toMatchObject([{ count: 100 }, { count: 64 }]);
    // Those of the new one are found as soon as they are there.
    expect(ids).toEqual(
      expect.arrayContaining(idsOf(await shelf.find(leg, companyId, 'rémunération', [awa]))),
    );
    await shelf.embed(companyId, other);
    expect(await shelf.vectors()).toMatchObject([{ count: 100 }]);
    expect(await shelf.find(leg, companyId, 'rémunération', [awa])).toHaveLength(10);
  });

  it('is embedded anew when other lengths come from behind the same name', async () => {
    const long = new ScriptedEmbedder(pay);
    const short = new ScriptedEmbedder((text) => pay(text).slice(0, 32));
    await shelf.leg(long);
    await shelf.put(companyId, awa, ['salary']);
    await shelf.embed(companyId, long);
    const leg = await shelf.leg(short);
    await shelf.embed(companyId, short);
    expect(await shelf.vectors()).toMatchObject([{ count: 1 }]);
    expect(await shelf.find(leg, companyId, 'rémunération', [awa])).toHaveLength(1);
  });
});

describe('without an embedder that answers', () => {
  it('there is no vector, a warning for people, and one line in the log', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const leg = await shelf.leg(new FailingEmbedder(() => unavailable), log);
    const answers = [await leg.embedQuery('a', signal), await leg.embedQuery('b', signal)];
    expect(answers).toEqual(
      answers.map(() => ({ vector: null, warning: expect.stringMatching(/only words were compared/) })),
    );
    expect(lines).toHaveLength(1);
  });

  it('asks once for a question that comes again, and never for none', async () => {
    const embedder = new ScriptedEmbedder(pay);
    const leg = await shelf.leg(embedder);
    await leg.embedQuery('salary', signal);
    await leg.embedQuery(' salary ', signal);
    expect(await leg.embedQuery(' ', signal)).toEqual({ vector: null, warning: null });
    expect(embedder.calls).toEqual([{ texts: ['salary'], use: 'query' }]);
  });

  it('ends with whoever asks', async () => {
    const leg = await shelf.leg(new ScriptedEmbedder(pay));
    const reason = new Error('stopped');
    await expect(leg.embedQuery('salary', AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('is off where none is configured, without a table of its own', async () => {
    const leg = await shelf.leg(null);
    expect(leg.state).toEqual({ search: 'lexical only', embedder: null });
    expect(await leg.embedQuery('salary', signal)).toEqual({ vector: null, warning: null });
    const [{ table }] = await opened.database.dataSource.query(
      `SELECT to_regclass('search_vector') AS table`,
    );
    expect(table).toBeNull();
  });
});
