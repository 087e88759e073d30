import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('mock-provider.js', import.meta.url));

/** The mock provider in its process, seen from the driver. */
export class Mock {
  /** @type {Map<string, (at: number) => void>} By turn and event. */
  #awaited = new Map();
  #child;

  constructor(child, port) {
    this.#child = child;
    this.pid = child.pid;
    this.baseUrl = `http://127.0.0.1:${port}/v1`;
    child.on('message', ({ id, event, at }) => this.#awaited.get(`${id} ${event}`)?.(at));
  }

  static async start() {
    const child = fork(PROGRAM, { execArgv: [] });
    const [{ port }] = await once(child, 'message');
    return new Mock(child, port);
  }

  /**
   * Resolves to when `event` happened to a noted turn: its answer was `asked` for, its socket was `closed` early.
   * To be called before it can happen.
   */
  noteOf(id, event) {
    const key = `${id} ${event}`;
    return new Promise((resolve) => {
      this.#awaited.set(key, (at) => {
        this.#awaited.delete(key);
        resolve(at);
      });
    });
  }

  async stop() {
    const exit = once(this.#child, 'exit');
    this.#child.kill();
    await exit;
  }
}
