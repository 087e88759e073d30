import { Load } from './load.js';
import { percentile } from './measure.js';
import { question } from './question.js';

const TURN_TOKENS = 200;
const TOKENS_PER_SECOND = 20;
const TURN_MS = (TURN_TOKENS * 1000) / TOKENS_PER_SECOND;

/**
 * Turns at the speed of a model, whose beginnings and ends are evenly spread: everybody's first one is shorter, so
 * that it is soon as if there had always been as many.
 */
export class PacedLoad extends Load {
  static turnTokens = TURN_TOKENS;
  static tokensPerSecond = TOKENS_PER_SECOND;

  #lateness = [];
  #firstTexts = [];
  #isWatched = false;

  /** @param {Pick<import('./systems.js').Running, 'newUser' | 'cpuMs' | 'databaseCpuMs'>} system */
  constructor(system) {
    super(system, {
      ask: (place) => question({ tokens: tokensOf(place), tokensPerSecond: TOKENS_PER_SECOND }),
      onText: (words, at) => {
        if (this.#isWatched) for (const word of words) this.#lateness.push(at - Number(word));
      },
      onFirstText: (ms) => {
        if (this.#isWatched) this.#firstTexts.push(ms);
      },
    });
  }

  /** What happens in `ms` milliseconds, with how late tokens came, and how long first texts took. */
  async watch(ms) {
    this.#lateness = [];
    this.#firstTexts = [];
    this.#isWatched = true;
    const seen = await this.during(ms);
    this.#isWatched = false;
    return {
      ...seen,
      latenessP50: percentile(this.#lateness, 0.5),
      latenessP99: percentile(this.#lateness, 0.99),
      firstTextP50: percentile(this.#firstTexts, 0.5),
      firstTextP99: percentile(this.#firstTexts, 0.99),
    };
  }
}

/** The first turns of a batch end one after the other from the end of the ramp on, for as long as a turn takes. */
function tokensOf(place) {
  if (place === null) return TURN_TOKENS;
  const ms = place.rampMs * (1 - place.share) + TURN_MS * place.share;
  return Math.ceil((ms * TOKENS_PER_SECOND) / 1000);
}

/**
 * Turns at once, some after each other, as a server that is up for a while has seen: its code compiled, and every
 * connection to the database with its plans.
 *
 * @param {() => import('./driver.js').User} newUser
 */
export async function warmUp(newUser, { atOnce = 20, turns = 15 } = {}) {
  const work = async () => {
    const user = newUser();
    for (let turn = 0; turn < turns; turn += 1) await user.turn(question({ tokens: TURN_TOKENS }));
    await user.close();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
