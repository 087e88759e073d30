import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ServerProcess } from './server-process.js';

const SECRET = 'only for this benchmark, 32 characters';

/** Everybody here is one member, who must not be taken for an attacker. */
const NO_LIMITS = {
  MAX_TURNS: '10000',
  MAX_THREAD_MS_PER_MINUTE: '1000000',
  MAX_SOCKETS: '10000',
  MAX_TURNS_PER_MEMBER: '10000',
  MAX_SUBSCRIPTIONS: '100000',
  MAX_OPERATIONS_PER_MINUTE: '10000000',
};

/** Node's flags in production, as `npm start` has them. */
function flagsOfStart() {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}

/** Palabre as an operator starts it, on a PostgreSQL or on the embedded database in a folder of its own. */
export class PalabreServer {
  #folder;
  #process;

  constructor(process, folder, token) {
    this.#process = process;
    this.#folder = folder;
    this.token = token;
  }

  /** @param {{ build: string, llmBaseUrl: string, databaseUrl: string | null }} options */
  static async start({ build, llmBaseUrl, databaseUrl }) {
    const folder = await mkdtemp(join(tmpdir(), 'palabre-bench-'));
    const { signToken } = await import(pathToFileURL(resolve(build, 'companies/auth/token-signer.js')).href);
    const token = await signToken(SECRET, { sub: 'bench', company: 'demo', role: 'ADMIN' }, 86_400);
    const env = {
      PORT: '0',
      AUTH_SECRET: SECRET,
      LOG_LEVEL: 'warn',
      LLM_BASE_URL: llmBaseUrl,
      LLM_MODEL: 'mock',
      DATA_DIR: folder,
      // A turn is measured, not the model's title for its conversation.
      CONVERSATION_TITLES: 'question',
      // As many at a time as are asked for.
      LLM_MAX_CONCURRENT: '10000',
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
      ...NO_LIMITS,
    };
    const process = await ServerProcess.start(resolve(build, 'app/main.js'), env, flagsOfStart());
    return new PalabreServer(process, folder, token);
  }

  get process() {
    return this.#process;
  }

  async stop() {
    await this.#process.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
