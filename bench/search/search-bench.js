import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import process from 'node:process';
import pg from 'pg';

import { newId } from '../../dist/common/ids.js';
import { createCompany } from '../../dist/companies/create-company.js';
import { openDatabase } from '../../dist/platform/database/open-database.js';
import { entities } from '../../dist/app/entities.js';
import { LexicalLeg } from '../../dist/documents/search-index/lexical-leg/lexical-leg.service.js';
import { LexicalRepository } from '../../dist/documents/search-index/lexical-leg/lexical.repository.js';
import {
  ChangedTransactions,
  TermVectors,
} from '../../dist/documents/search-index/lexical-leg/term-vectors.service.js';
import { PendingItems } from '../../dist/documents/search-index/lexical-leg/pending-items.service.js';
import { ListCompaction } from '../../dist/documents/search-index/lists/list-compaction.service.js';
import { ListIndexing } from '../../dist/documents/search-index/lists/list-indexing.service.js';
import { ListThread } from '../../dist/documents/search-index/lists/list-thread.js';
import { ListUpkeep } from '../../dist/documents/search-index/lists/list-upkeep.service.js';
import { ListRepository } from '../../dist/documents/search-index/lists/list.repository.js';
import { SearchIndex } from '../../dist/documents/search-index/search-index.service.js';
import { SearchItemRepository } from '../../dist/documents/search-index/search-item.repository.js';
import { SearchTexts } from '../../dist/documents/search-index/search-texts.js';

const scope = { collection: 'PASSAGE', ownerId: null };
const PUT_AT_A_TIME = 200;

/** As those who read documents do. */
const READ_AT_A_TIME = 100;

/** Search by itself, with its texts in a table as documents have them. Jobs are done when the bench says so. */
export class SearchBench {
  /** Beside so many other companies. */
  static async start(others = 1) {
    const server = process.env.DATABASE_URL ?? null;
    const name = `palabre_bench_${randomBytes(6).toString('hex')}`;
    const url = server && Object.assign(new URL(server), { pathname: `/${name}` }).href;
    if (server) await onServer(server, `CREATE DATABASE ${name}`);
    const opened = await openDatabase({ database: { url, poolSize: 8 }, dataDir: null }, entities);
    const { database } = opened;
    await database.dataSource.query(
      `CREATE TABLE bench_text (id uuid PRIMARY KEY, text text NOT NULL);
       GRANT SELECT, INSERT, UPDATE, DELETE ON bench_text TO palabre_app`,
    );
    const one = await createCompany(database, { slug: 'one', name: 'One' });
    const otherIds = [];
    for (let other = 1; other <= others; other += 1) {
      otherIds.push((await createCompany(database, { slug: `other-${other}`, name: 'Other' })).id);
    }
    const drop = server
      ? () => onServer(server, `DROP DATABASE ${name} WITH (FORCE)`)
      : async () => undefined;
    return new SearchBench(opened, { url, companyId: one.id, otherIds, drop });
  }

  /** On the database of a bench that another process has started. */
  static async join(url, companyId) {
    const opened = await openDatabase({ database: { url, poolSize: 8 }, dataDir: null }, entities);
    return new SearchBench(opened, { url, companyId, otherIds: [], drop: async () => undefined });
  }

  constructor(opened, { url, companyId, otherIds, drop }) {
    this.opened = opened;
    this.database = opened.database;
    /** Null: embedded in this process. */
    this.url = url;
    this.drop = drop;
    this.companyId = companyId;
    this.otherIds = otherIds;
    this.isDue = false;
    const texts = new SearchTexts();
    texts.register('PASSAGE', readTexts);
    const jobs = {
      enqueue: async (_tx, { name }) => {
        if (name === 'index-search') this.isDue = true;
      },
    };
    const upkeep = new ListUpkeep(jobs);
    const lists = new ListRepository();
    this.thread = new ListThread();
    const changes = new ChangedTransactions();
    const vectors = new TermVectors(texts, changes);
    const repository = new LexicalRepository();
    const lexical = new LexicalLeg(repository, new PendingItems(repository, vectors, changes), vectors);
    const semantic = { isOn: false, changed: async () => undefined };
    const announced = { stateOf: () => 0, announce: async () => undefined };
    const items = new SearchItemRepository();
    this.index = new SearchIndex(items, lexical, semantic, upkeep, changes, vectors, announced);
    this.indexing = new ListIndexing(this.database, lists, texts, this.thread, upkeep);
    this.compaction = new ListCompaction(this.database, lists, this.thread, upkeep);
  }

  get kind() {
    return this.database.embedded ? 'embedded, in memory' : 'PostgreSQL';
  }

  async [Symbol.asyncDispose]() {
    await this.thread.onApplicationShutdown();
    await this.opened.close();
    await this.drop();
  }

  /** Gives their ids. */
  async put(companyId, texts) {
    const all = texts.map((text) => ({ id: newId(), groupId: null, text }));
    for (let at = 0; at < all.length; at += PUT_AT_A_TIME) {
      const items = all.slice(at, at + PUT_AT_A_TIME);
      await this.database.transaction(companyId, async (tx) => {
        await tx.query('INSERT INTO bench_text SELECT * FROM unnest($1::uuid[], $2::text[])', [
          items.map(({ id }) => id),
          items.map(({ text }) => text),
        ]);
        await this.index.put(tx, scope, items);
      });
    }
    return all.map(({ id }) => id);
  }

  /** Gives some of them other texts. */
  async change(companyId, ids, texts) {
    await this.database.transaction(companyId, async (tx) => {
      await tx.query(
        `UPDATE bench_text SET text = given.text FROM unnest($1::uuid[], $2::text[]) AS given (id, text)
         WHERE bench_text.id = given.id`,
        [ids, texts],
      );
      const items = ids.map((id, index) => ({ id, groupId: null, text: texts[index] }));
      await this.index.put(tx, scope, items);
    });
  }

  async takeIn(companyId) {
    this.isDue = false;
    await this.indexing.index(await this.scopeOf(companyId), new AbortController().signal);
  }

  /** As documents come in: passages are put as they are read, and go into the lists when there is enough of them. */
  async putAndTakeIn(companyId, texts, aSecond) {
    const begun = performance.now();
    let taking = null;
    let failure = null;
    const takeIn = () =>
      this.takeIn(companyId)
        .catch((error) => (failure ??= { error }))
        .finally(() => (taking = null));
    for (let at = 0; at < texts.length; at += READ_AT_A_TIME) {
      await this.put(companyId, texts.slice(at, at + READ_AT_A_TIME));
      if (this.isDue) taking ??= takeIn();
      if (failure) throw failure.error;
      await sleep(Math.max(0, begun + ((at + READ_AT_A_TIME) * 1000) / aSecond - performance.now()));
    }
    await taking;
    if (failure) throw failure.error;
  }

  async compact(companyId) {
    await this.compaction.compact(await this.scopeOf(companyId), new AbortController().signal);
  }

  /** The ids of what is found, the best first. */
  async search(companyId, question) {
    const query = this.index.prepareWords(question);
    const { hits } = await this.database.read(companyId, (tx) =>
      this.index.search(tx, query, { scopes: [scope], limit: 10 }),
    );
    return hits.map(({ id }) => id);
  }

  async removeSome(companyId, count) {
    const rows = await this.database.read(companyId, (tx) =>
      tx.query('SELECT item_id AS id FROM search_item WHERE company_id = $1 ORDER BY item_id DESC LIMIT $2', [
        companyId,
        count,
      ]),
    );
    const ids = rows.map(({ id }) => id);
    await this.database.transaction(companyId, (tx) => this.index.remove(tx, scope, ids));
  }

  /** Bytes of the whole index and of all texts. */
  async sizes() {
    const [sizes] = await this.database.dataSource.query(
      `SELECT (SELECT sum(octet_length(text)) FROM bench_text)::float8 AS text,
         (SELECT sum(pg_total_relation_size(name)) FROM unnest($1::regclass[]) AS name)::float8 AS index`,
      [['search_scope', 'search_item', 'search_list', 'search_list_part', 'search_list_block']],
    );
    return sizes;
  }

  async scopeOf(companyId) {
    const [row] = await this.database.read(companyId, (tx) => tx.query('SELECT id FROM search_scope'));
    return { companyId, scopeId: row.id };
  }
}

async function readTexts(tx, ids) {
  const rows = await tx.query(
    `SELECT id, text FROM unnest($1::uuid[]) AS wanted (wanted_id)
     CROSS JOIN LATERAL (SELECT id, text FROM bench_text WHERE id = wanted_id OFFSET 0) AS found`,
    [ids],
  );
  return new Map(rows.map(({ id, text }) => [id, text]));
}

async function onServer(url, statement) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
