import { newId } from '../../src/common/ids.js';
import { createCompany } from '../../src/companies/create-company.js';
import type { Database } from '../../src/platform/database/database.js';
import { openDatabase, type OpenDatabase } from '../../src/platform/database/open-database.js';
import type { Transaction } from '../../src/platform/database/transaction.js';
import { entities } from '../../src/app/entities.js';
import { MemoryJobQueue } from '../../src/platform/jobs/memory-job-queue.double.js';
import { LexicalLeg } from '../../src/documents/search-index/lexical-leg/lexical-leg.service.js';
import { LexicalRepository } from '../../src/documents/search-index/lexical-leg/lexical.repository.js';
import {
  ChangedTransactions,
  TermVectors,
} from '../../src/documents/search-index/lexical-leg/term-vectors.service.js';
import { PendingItems } from '../../src/documents/search-index/lexical-leg/pending-items.service.js';
import { ListCompaction } from '../../src/documents/search-index/lists/list-compaction.service.js';
import { ListIndexing } from '../../src/documents/search-index/lists/list-indexing.service.js';
import { ListThread } from '../../src/documents/search-index/lists/list-thread.js';
import { ListUpkeep } from '../../src/documents/search-index/lists/list-upkeep.service.js';
import { ListRepository } from '../../src/documents/search-index/lists/list.repository.js';
import { type SearchChanges, SearchIndex } from '../../src/documents/search-index/search-index.service.js';
import { SearchItemRepository } from '../../src/documents/search-index/search-item.repository.js';
import { SearchTexts } from '../../src/documents/search-index/search-texts.js';
import type { SearchOutcome, SearchRequest, SearchScope } from '../../src/documents/search-index/search.js';
import type { SemanticLeg } from '../../src/documents/search-index/semantic/semantic-leg.service.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

const noEmbedder: Pick<SemanticLeg, 'isOn' | 'changed' | 'embedQuery'> = {
  isOn: false,
  changed: async () => undefined,
  embedQuery: async () => ({ vector: null, warning: null }),
};

/** The search of two companies without the rest of the product: its texts are in memory. */
export class SearchWorld implements AsyncDisposable {
  readonly jobs = new MemoryJobQueue();
  /** By id, as those keep them who have things searched. */
  readonly texts = new Map<string, string>();
  /** How often texts were asked for. */
  readings = 0;
  readonly index: SearchIndex;
  readonly indexing: ListIndexing;
  readonly compaction: ListCompaction;
  readonly lists = new ListRepository();
  private onStep: () => void = () => undefined;
  private readonly thread = new ListThread();

  private constructor(
    private readonly testDatabase: TestDatabase,
    private readonly opened: OpenDatabase,
    readonly companyId: string,
    readonly otherCompanyId: string,
  ) {
    const texts = new SearchTexts();
    const read = async (_tx: Transaction, ids: readonly string[]): Promise<Map<string, string>> => {
      this.readings += 1;
      return new Map(ids.flatMap((id) => (this.texts.has(id) ? [[id, this.texts.get(id) ?? '']] : [])));
    };
    texts.register('MEMORY', read);
    texts.register('MESSAGE', read);
    texts.register('PASSAGE', read);
    const upkeep = new ListUpkeep(this.jobs);
    const changes = new ChangedTransactions();
    const vectors = new TermVectors(texts, changes);
    const repository = new LexicalRepository();
    const lexical = new LexicalLeg(repository, new PendingItems(repository, vectors, changes), vectors);
    this.index = new SearchIndex(
      new SearchItemRepository(),
      lexical,
      noEmbedder as SemanticLeg,
      upkeep,
      changes,
      vectors,
      { stateOf: () => 0, announce: () => Promise.resolve() } as unknown as SearchChanges,
    );
    this.indexing = new ListIndexing(this.database, this.lists, texts, this.thread, upkeep);
    const keep = this.lists.keepCompaction.bind(this.lists);
    this.lists.keepCompaction = async (...step) => {
      await keep(...step);
      this.onStep();
    };
    this.compaction = new ListCompaction(this.database, this.lists, this.thread, upkeep);
  }

  static async start(): Promise<SearchWorld> {
    const testDatabase = await createTestDatabase();
    const opened = await openDatabase(testDatabase.location, entities);
    const one = await createCompany(opened.database, { slug: 'one', name: 'One' });
    const other = await createCompany(opened.database, { slug: 'other', name: 'Other' });
    return new SearchWorld(testDatabase, opened, one.id, other.id);
  }

  get database(): Database {
    return this.opened.database;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.thread.onApplicationShutdown();
    await this.opened.close();
    await this.testDatabase[Symbol.asyncDispose]();
  }

  /** A new member of the company. */
  async member(companyId = this.companyId): Promise<string> {
    const id = newId();
    await this.database.transaction(companyId, (tx) =>
      tx.query(`INSERT INTO member (company_id, id, subject, role, name) VALUES ($1, $2, $3, 'MEMBER', $3)`, [
        companyId,
        id,
        id,
      ]),
    );
    return id;
  }

  async put(
    scope: SearchScope,
    texts: Readonly<Record<string, string>>,
    { groupId = null, companyId = this.companyId }: { groupId?: string | null; companyId?: string } = {},
  ): Promise<void> {
    const items = Object.entries(texts).map(([id, text]) => ({ id, groupId, text }));
    for (const { id, text } of items) this.texts.set(id, text);
    await this.database.transaction(companyId, (tx) => this.index.put(tx, scope, items));
  }

  async remove(scope: SearchScope, ids: readonly string[]): Promise<void> {
    for (const id of ids) this.texts.delete(id);
    await this.database.transaction(this.companyId, (tx) => this.index.remove(tx, scope, ids));
  }

  search(query: string, request: SearchRequest, companyId = this.companyId): Promise<SearchOutcome> {
    return this.database.read(companyId, (tx) =>
      this.index.search(tx, this.index.prepareWords(query), request),
    );
  }

  /** What was found, by id. */
  async find(query: string, request: SearchRequest, companyId = this.companyId): Promise<string[]> {
    return (await this.search(query, request, companyId)).hits.map(({ id }) => id);
  }

  async scopeId({ collection, ownerId }: SearchScope, companyId = this.companyId): Promise<number> {
    const rows = await this.database.read(companyId, (tx) =>
      tx.query<{ id: number }>(
        'SELECT id FROM search_scope WHERE collection = $1 AND owner_id IS NOT DISTINCT FROM $2',
        [collection, ownerId],
      ),
    );
    return rows[0]?.id ?? 0;
  }

  async takeIn(scope: SearchScope): Promise<void> {
    const scopeId = await this.scopeId(scope);
    await this.indexing.index({ companyId: this.companyId, scopeId }, new AbortController().signal);
  }

  /** `onStep` is called as each step of the way is kept. */
  async compact(
    scope: SearchScope,
    signal = new AbortController().signal,
    onStep: () => void = () => undefined,
  ): Promise<void> {
    const scopeId = await this.scopeId(scope);
    this.onStep = onStep;
    await this.compaction.compact({ companyId: this.companyId, scopeId }, signal);
  }
}
