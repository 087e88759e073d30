import { setTimeout as pause } from 'node:timers/promises';

import { nowMs } from './question.js';

/**
 * What happens in a load, and what it asks.
 *
 * @typedef {object} Course
 * @property {(place: { share: number, rampMs: number } | null) => import('./question.js').Question} ask
 *   `place`: of the user's first question, how far on in the batch (0 to 1), and how long that takes to be added.
 * @property {import('./driver.js').Watcher['onText']} [onText]
 * @property {import('./driver.js').Watcher['onFirstText']} [onFirstText]
 */

/** Keeps turns under way: every user asks again as soon as a turn has ended. */
export class Load {
  tokens = 0;
  #system;
  #course;
  #users = [];
  #workers = [];
  #isOver = false;
  #failed = Promise.withResolvers();

  /** @param {Pick<import('./systems.js').Running, 'newUser' | 'cpuMs' | 'databaseCpuMs'>} system @param {Course} course */
  constructor(system, course) {
    this.#system = system;
    this.#course = course;
    this.#failed.promise.catch(() => undefined);
  }

  /** How many turns are under way. */
  get size() {
    return this.#users.length;
  }

  /** Lets `count` more users begin, evenly spread over `rampMs`. */
  async add(count, rampMs = 0) {
    const begun = nowMs();
    for (let index = 0; index < count; index += 1) {
      const share = index / count;
      await this.pass(begun + share * rampMs - nowMs());
      const user = this.#system.newUser(this.size);
      this.#users.push(user);
      this.#workers.push(this.#work(user, { share, rampMs }));
    }
  }

  /** Waits, and rejects as soon as a turn has failed. */
  async pass(ms) {
    if (ms > 0) await Promise.race([pause(ms), this.#failed.promise]);
  }

  /** What happens in `ms` milliseconds. */
  async during(ms) {
    const before = this.#read();
    await this.pass(ms);
    const after = this.#read();
    const tokens = after.tokens - before.tokens;
    return {
      tokensPerSecond: (tokens * 1000) / (after.at - before.at),
      cpuPerThousand: ((after.cpuMs - before.cpuMs) * 1000) / tokens,
      databaseCpuPerThousand: ((after.databaseCpuMs - before.databaseCpuMs) * 1000) / tokens,
    };
  }

  /** Lets the turns under way come to their ends. */
  async finish() {
    this.#isOver = true;
    await Promise.all(this.#workers);
    await this.#close();
  }

  /** Leaves at once; what the server makes of its turns is not looked at. */
  async abandon() {
    this.#isOver = true;
    await this.#close();
    await Promise.all(this.#workers);
  }

  #close() {
    return Promise.all(this.#users.map((user) => user.close()));
  }

  #read() {
    return {
      at: nowMs(),
      tokens: this.tokens,
      cpuMs: this.#system.cpuMs(),
      databaseCpuMs: this.#system.databaseCpuMs() ?? Number.NaN,
    };
  }

  async #work(user, place) {
    const { ask, onText, onFirstText } = this.#course;
    const watcher = {
      onText: (words, at) => {
        this.tokens += words.length;
        onText?.(words, at);
      },
      onFirstText,
    };
    try {
      await user.turn(ask(place), watcher);
      while (!this.#isOver) await user.turn(ask(null), watcher);
    } catch (error) {
      // Whoever leaves is told that the turn has no end.
      if (!this.#isOver) this.#failed.reject(error);
    }
  }
}
