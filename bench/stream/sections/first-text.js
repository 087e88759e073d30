import { percentile } from '../measure.js';
import { question } from '../question.js';

/** From the question to the first text, one turn at a time. */
export const firstText = {
  name: 'first-text',
  title: 'Time to first text, one turn at a time',
  systems: ['mock', 'bare', 'pglite', 'postgresql'],
  isQuick: true,
  metrics: {
    rawP50: { title: 'p50', unit: 'ms', digits: 2 },
    rawP99: { title: 'p99', unit: 'ms', digits: 2 },
    addedP50: { title: "p50 without the provider's own", unit: 'ms', digits: 2, must: 1.5, aim: 1.1 },
    addedP99: { title: "p99 without the provider's own", unit: 'ms', digits: 2, must: 2, aim: 1.1 },
  },

  async measure(system, { isQuick }) {
    const user = system.newUser();
    const samples = isQuick ? 100 : 150;
    // Only the first one counts; the others keep the socket as busy as it is in a turn.
    const asked = () => question({ tokens: 20, tokensPerSecond: 2000 });
    for (let turn = 0; turn < 40; turn += 1) await user.turn(asked());
    const times = [];
    for (let turn = 0; turn < samples; turn += 1) times.push((await user.turn(asked())).firstTextMs);
    await user.close();
    return { rawP50: percentile(times, 0.5), rawP99: percentile(times, 0.99) };
  },

  /** Takes what the provider needs by itself off the round's figures. */
  finish(round) {
    const { mock, ...others } = round;
    if (mock === undefined) return;
    for (const figures of Object.values(others)) {
      figures.addedP50 = figures.rawP50 - mock.rawP50;
      figures.addedP99 = figures.rawP99 - mock.rawP50;
    }
  },
};
