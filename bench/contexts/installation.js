/** The product in this process, without its API, and one company with a member. */
import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import pg from 'pg';

import { AppModule } from '../../dist/app/app.module.js';
import { AssistantsService } from '../../dist/companies/assistants/assistants.service.js';
import { newId } from '../../dist/common/ids.js';
import { createLogger } from '../../dist/common/process/logger.js';
import { createCompany } from '../../dist/companies/create-company.js';
import { readConfig } from '../../dist/common/config/read-config.js';
import { awaitAll } from '../../dist/platform/database/transaction.js';
import { MemoryContexts } from '../../dist/memory/context/memory-contexts.service.js';
import { subjectKeyOf } from '../../dist/memory/memory-input.js';
import { textOf } from '../../dist/memory/memory-index.service.js';
import { MemoryMentions } from '../../dist/memory/mentions/mentions.service.js';
import { openResources } from '../../dist/app/resources.js';
import { SearchIndex } from '../../dist/documents/search-index/search-index.service.js';
import { TurnStarts } from '../../dist/conversations/turns/start/turn-starts.service.js';

const QUESTION = 'Calcule mon empreinte carbone : 12 000 kWh et 3 500 litres de diesel au Sénégal.';

export async function startInstallation() {
  const server = process.env.DATABASE_URL ?? null;
  const name = `palabre_bench_${randomBytes(6).toString('hex')}`;
  const url = server && Object.assign(new URL(server), { pathname: `/${name}` }).href;
  if (server) await onServer(server, `CREATE DATABASE ${name}`);
  const config = readConfig({
    PORT: '0',
    MAX_OPERATIONS_PER_MINUTE: '1000000',
    MAX_THREAD_MS_PER_MINUTE: '1000000',
    ...(url && { DATABASE_URL: url }),
  });
  const location = url ? config : { ...config, dataDir: null };
  const resources = await openResources(config, createLogger({ level: 'silent', pretty: false }), {
    location,
  });
  const app = await NestFactory.create(AppModule.of(resources), new FastifyAdapter(), { logger: false });
  await app.init();
  const company = await createCompany(resources.database, { slug: 'one', name: 'One' });
  const memberId = newId();
  await resources.database.transaction(company.id, (tx) =>
    tx.query('INSERT INTO member (company_id, id, subject, name) VALUES ($1, $2, $3, $3)', [
      company.id,
      memberId,
      'awa',
    ]),
  );
  const close = async () => {
    await app.close();
    await resources.close();
    if (server) await onServer(server, `DROP DATABASE ${name} WITH (FORCE)`);
  };
  return new Installation(
    app,
    resources,
    { id: memberId, companyId: company.id, role: 'MEMBER', name: 'awa' },
    close,
  );
}

class Installation {
  constructor(app, resources, viewer, close) {
    this.database = resources.database;
    this.viewer = viewer;
    this.close = close;
    this.index = app.get(SearchIndex, { strict: false });
    this.mentions = app.get(MemoryMentions, { strict: false });
    this.contexts = app.get(MemoryContexts, { strict: false });
    this.assistants = app.get(AssistantsService, { strict: false });
    this.starts = app.get(TurnStarts, { strict: false });
  }

  get kind() {
    return this.database.embedded ? 'embedded, in memory' : 'PostgreSQL';
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }

  /** As the product does it, but many at a time. */
  async note(batch, isOwn) {
    const { companyId, id: memberId } = this.viewer;
    const ownerId = isOwn ? memberId : null;
    const now = new Date();
    const memories = batch.map((memory) => ({ ...memory, id: newId(), companyId, ownerId, attributes: {} }));
    await this.database.transaction(companyId, async (tx) => {
      await tx.query(
        `INSERT INTO memory
           (company_id, id, lineage_id, owner_id, kind, subject, subject_key, content, source, valid_from)
         SELECT $1, id, id, $2, kind, subject, subject_key, content, 'MEMBER', $3
         FROM unnest($4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[])
           AS given (id, kind, subject, subject_key, content)`,
        [
          companyId,
          ownerId,
          now,
          memories.map(({ id }) => id),
          memories.map(({ kind }) => kind),
          memories.map(({ subject }) => subject),
          memories.map(({ subject }) => subjectKeyOf(subject)),
          memories.map(({ content }) => content),
        ],
      );
      const named = memories.filter(({ kind }) => kind === 'CONTACT' || kind === 'PROJECT');
      await awaitAll(named.map((memory) => this.mentions.put(tx, memory)));
      const items = memories.map((memory) => ({ id: memory.id, groupId: null, text: textOf(memory) }));
      await this.index.put(tx, { collection: 'MEMORY', ownerId }, items);
    });
  }

  /** Resolves when the index has taken in all but what is too little for it. */
  async indexed() {
    let before = -1;
    for (let left = await this.left(); left > 0 && left !== before; left = await this.left()) {
      before = left;
      await sleep(5_000);
    }
    await this.database.dataSource.query('ANALYZE');
  }

  async left() {
    const [row] = await this.database.dataSource.query(
      'SELECT sum(next_ordinal - indexed_until)::int AS left FROM search_scope',
    );
    return row.left;
  }

  async sizes() {
    const [sizes] = await this.database.dataSource.query(
      `SELECT (SELECT sum(octet_length(subject) + octet_length(content)) FROM memory)::float8 AS text,
         (pg_total_relation_size('search_list') + pg_total_relation_size('search_list_part') + pg_total_relation_size('search_item')
           + pg_total_relation_size('memory_name'))::float8 AS index`,
    );
    return sizes;
  }

  async context(message) {
    this.assistant ??= (await this.assistants.list(this.viewer)).find(({ key }) => key === 'therese');
    const { companyId, id: memberId } = this.viewer;
    const request = {
      memberId,
      message,
      conversation: null,
      assistant: this.assistant,
      now: new Date(),
      shownFrom: null,
    };
    const begun = performance.now();
    const context = await this.contexts.read(companyId, request, new AbortController().signal);
    return { context, took: performance.now() - begun };
  }

  /** One turn after the other, of somebody else's conversations, until it is told to stop. */
  runTurns() {
    const end = new AbortController();
    const run = async () => {
      while (!end.signal.aborted) {
        await this.starts.start(this.viewer, { assistantKey: 'mefali', message: QUESTION });
        await sleep(2_000);
      }
    };
    const running = run();
    return {
      stop: async () => {
        end.abort();
        await running;
      },
    };
  }
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
