import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('taking-in-worker.js', import.meta.url));

/** A process that takes texts into a company's index, seen from the one that asks. */
export class TakingIn {
  constructor(child) {
    this.child = child;
    this.gone = once(child, 'exit').then(() => {
      throw new Error('The process that takes passages in has ended.');
    });
    this.gone.catch(() => undefined);
  }

  /**
   * Resolves when the process has the texts, and is connected to the database.
   *
   * @param {{ url: string, companyId: string, texts: string[], aSecond: number }} order
   */
  static async start(order) {
    const taking = new TakingIn(fork(PROGRAM, { execArgv: [] }));
    await taking.tell(order);
    return taking;
  }

  async run() {
    await this.tell('go');
  }

  /** Resolves when that is done. */
  async tell(message) {
    this.child.send(message);
    const [{ error }] = await Promise.race([once(this.child, 'message'), this.gone]);
    if (error) throw new Error(error);
  }

  stop() {
    this.child.kill();
  }
}
