import { randomBytes } from 'node:crypto';

import pg from 'pg';

import { PostgresCpu } from './postgres-cpu.js';

/** An empty database of its own on a PostgreSQL server, dropped in the end. */
export class BenchDatabase {
  #server;
  #name;
  #cpu;

  /** @param {pg.Client} server @param {{ name: string, url: string, cpu: PostgresCpu }} database */
  constructor(server, { name, url, cpu }) {
    this.#server = server;
    this.#name = name;
    this.#cpu = cpu;
    this.url = url;
  }

  /** @param {string} serverUrl of a user who may create databases */
  static async create(serverUrl) {
    const server = new pg.Client({ connectionString: serverUrl });
    await server.connect();
    const name = `palabre_bench_${randomBytes(6).toString('hex')}`;
    await server.query(`CREATE DATABASE ${name}`);
    const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
    const { rows } = await server.query('SELECT pg_backend_pid() AS pid');
    return new BenchDatabase(server, { name, url, cpu: new PostgresCpu(rows[0].pid, name) });
  }

  /** Runs `work` with a connection to the database. */
  async connected(work) {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  /** Processor time that PostgreSQL has spent on it; null when it is on another machine. */
  cpuMs() {
    return this.#cpu.totalMs();
  }

  /** As autovacuum does where a server is up for a while: without it, plans remain those of empty tables. */
  async analyze() {
    await this.connected((client) => client.query('VACUUM ANALYZE'));
  }

  async drop() {
    await this.#server.query(`DROP DATABASE ${this.#name} WITH (FORCE)`);
    await this.#server.end();
  }
}
