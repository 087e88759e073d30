import { readdirSync, readFileSync } from 'node:fs';

import { cpuMs, parentOf } from './measure.js';

/** What PostgreSQL does for all databases together. */
const SHARED = /^postgres: .*\b(checkpointer|background writer|walwriter)\b/;

function titleOf(pid) {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
}

/** The processor time that a PostgreSQL of this machine spends on one of its databases. */
export class PostgresCpu {
  #postmaster;
  #database;
  /** By process; one that has ended keeps what it had. */
  #spent = new Map();

  /** @param {number} backend The process of any connection. @param {string} database */
  constructor(backend, database) {
    this.#postmaster = postmasterOf(backend);
    this.#database = database;
  }

  /** All so far, of processes that were there at this or an earlier call; null when it cannot be seen from here. */
  totalMs() {
    if (this.#postmaster === null) return null;
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        if (this.#isCounted(pid)) this.#spent.set(pid, cpuMs(pid));
      } catch (error) {
        // It has just ended.
        if (!['ENOENT', 'ESRCH'].includes(error.code)) throw error;
      }
    }
    return this.#spent.values().reduce((sum, ms) => sum + ms, 0);
  }

  #isCounted(pid) {
    if (parentOf(pid) !== this.#postmaster) return false;
    const title = titleOf(pid);
    return title.includes(this.#database) || SHARED.test(title);
  }
}

/** Null when the connection leads to another machine. */
function postmasterOf(backend) {
  try {
    return titleOf(backend).startsWith('postgres') ? parentOf(backend) : null;
  } catch {
    return null;
  }
}
