/** Preloaded into the servers under measurement: answers over IPC what cannot be seen from outside. */
import { Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const session = new Session();

/** Statements within transactions, by text and how often; null: they are not counted. */
let statements = null;

/** Counts what is sent to PostgreSQL from now on. */
async function countStatements() {
  const { default: pg } = await import('pg');
  const { query } = pg.Client.prototype;
  /** Connections with a transaction that was begun. */
  const open = new WeakSet();
  pg.Client.prototype.query = function (config, ...rest) {
    const text = typeof config === 'string' ? config : config.text;
    for (const each of String(text).split(';')) {
      const statement = each.replaceAll(/\s+/g, ' ').trim();
      if (statement.startsWith('BEGIN')) open.add(this);
      if (open.has(this)) statements[statement] = (statements[statement] ?? 0) + 1;
      if (/^(COMMIT|ROLLBACK)$/.test(statement)) open.delete(this);
    }
    return query.call(this, config, ...rest);
  };
}

const answers = {
  /** Bytes of live objects, and of the whole process, after garbage has been collected. */
  memory() {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc');
    collect();
    collect();
    const { heapUsed, external, rss } = process.memoryUsage();
    return { heapUsed: heapUsed + external, rss };
  },
  async statementsStart() {
    if (statements === null) await countStatements();
    statements = {};
    return null;
  },
  statementsStop() {
    return statements;
  },
  async profileStart() {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 500 });
    await session.post('Profiler.start');
    return null;
  },
  async profileStop() {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    return profile;
  },
};

process.on('message', async ({ probe, ask }) => {
  if (probe) process.send({ probe, answer: await answers[ask]() });
});
// A server ends when it has nothing left to do, whoever listens.
process.channel?.unref();
