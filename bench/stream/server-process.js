import { spawn } from 'node:child_process';
import { once } from 'node:events';

const PROBE = new URL('probe.js', import.meta.url).href;
const SAYS_WHERE = /GraphQL +http:\/\/[^:\s]+:(\d+)\/graphql/;

/** A server under measurement in a process of its own, with nothing of this one's environment. */
export class ServerProcess {
  #child;
  #asked = 0;
  #output = '';
  #exit;

  /** @param {string} program @param {Record<string, string>} env @param {string[]} flags of Node */
  constructor(program, env, flags) {
    this.#child = spawn(process.execPath, [...flags, '--import', PROBE, program], {
      env: { NODE_ENV: 'production', ...env },
      // Away from the project's folder, where a developer may have a .env.
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.pid = this.#child.pid;
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (this.#output = (this.#output + text).slice(-10_000)));
    }
    this.#exit = once(this.#child, 'exit');
    this.#child.setMaxListeners(0);
  }

  /** Starts a server and resolves once it listens; rejects with what it said when it ends before. */
  static async start(program, env, flags = []) {
    const server = new ServerProcess(program, env, flags);
    const ended = server.#exit.then(() => Promise.reject(new Error(`It did not start:\n${server.#output}`)));
    for (;;) {
      const found = SAYS_WHERE.exec(server.#output);
      if (found) {
        ended.catch(() => undefined);
        // The name localhost would be looked up at every connection.
        server.url = `http://127.0.0.1:${found[1]}/graphql`;
        return server;
      }
      await Promise.race([once(server.#child.stdout, 'data'), ended]);
    }
  }

  /** What the process has printed last. */
  get output() {
    return this.#output;
  }

  /** Bytes after a garbage collection. @returns {Promise<{ heapUsed: number, rss: number }>} */
  memory() {
    return this.#ask('memory');
  }

  startStatements() {
    return this.#ask('statementsStart');
  }

  /** The statements of transactions since then. @returns {Promise<Record<string, number>>} by text, how often */
  stopStatements() {
    return this.#ask('statementsStop');
  }

  startProfile() {
    return this.#ask('profileStart');
  }

  stopProfile() {
    return this.#ask('profileStop');
  }

  async stop() {
    this.#child.kill('SIGKILL');
    await this.#exit;
  }

  #ask(ask) {
    const probe = (this.#asked += 1);
    return new Promise((resolve, reject) => {
      const listener = (message) => {
        if (message.probe !== probe) return;
        this.#child.off('message', listener);
        resolve(message.answer);
      };
      this.#child.on('message', listener);
      this.#child.send({ probe, ask });
      void this.#exit.then(() => reject(new Error(`The server ended:\n${this.#output}`)));
    });
  }
}
