import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { freePort } from './free-port.js';

const VERSIONS = '/usr/lib/postgresql';

/** Where PostgreSQL's own programs are, the newest version's; null: nowhere that we know of. */
function programs(): string | null {
  if (!existsSync(VERSIONS)) return null;
  const folders = readdirSync(VERSIONS)
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(VERSIONS, version, 'bin'));
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

/** PostgreSQL refuses to be run by root. */
function idsOfPostgres(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres']));
  return { uid: id('-u'), gid: id('-g') };
}

/** Whether this machine has what it takes to start a PostgreSQL of one's own. */
export const hasOwnPostgres = programs() !== null;

/** A PostgreSQL server of one's own, which can be stopped and started again; it vanishes with all that it holds. */
export class OwnPostgres implements AsyncDisposable {
  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly ids: { uid?: number; gid?: number },
  ) {}

  static async start(): Promise<OwnPostgres> {
    const folder = await mkdtemp(join(tmpdir(), 'palabre-postgres-'));
    const ids = idsOfPostgres();
    if (ids.uid !== undefined && ids.gid !== undefined) chownSync(folder, ids.uid, ids.gid);
    const postgres = new OwnPostgres(folder, await freePort(), ids);
    try {
      const how = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
      await postgres.run('initdb', ['-D', folder, ...how]);
      await postgres.up();
      return postgres;
    } catch (error) {
      await postgres[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Of its database. */
  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  /** Starts it again on the same port; resolves when it takes connections. */
  async up(): Promise<void> {
    const settings = [`-p ${this.port}`, '-c listen_addresses=127.0.0.1', '-c unix_socket_directories='];
    const options = [...settings, '-c fsync=off', '-c max_connections=200'].join(' ');
    const log = join(this.folder, 'log');
    await this.run('pg_ctl', ['start', '-D', this.folder, '-w', '-s', '-l', log, '-o', options]);
  }

  /** Stops it: `fast` ends every connection in good order, `immediate` is a crash. */
  async down(mode: 'fast' | 'immediate'): Promise<void> {
    await this.run('pg_ctl', ['stop', '-D', this.folder, '-w', '-s', '-m', mode]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // It may be down already.
    await this.down('immediate').catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true });
  }

  private async run(program: 'initdb' | 'pg_ctl', commandLine: readonly string[]): Promise<void> {
    const folder = programs();
    if (folder === null) throw new Error('There is no PostgreSQL on this machine.');
    // Not in this process's folder, which the user postgres may not be allowed to enter.
    await promisify(execFile)(join(folder, program), commandLine, { ...this.ids, cwd: '/' });
  }
}
