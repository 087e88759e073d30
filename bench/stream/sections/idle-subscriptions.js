import { question } from '../question.js';

const SOCKETS = 50;
const SUBSCRIPTIONS_PER_SOCKET = 100;
const SUBSCRIPTIONS = SOCKETS * SUBSCRIPTIONS_PER_SOCKET;

/** What it takes to keep somebody who waits. */
export const idleSubscriptions = {
  name: 'idle-subscriptions',
  title: `${SUBSCRIPTIONS} subscriptions that wait, on ${SOCKETS} sockets`,
  systems: ['pglite', 'postgresql'],
  isFresh: true,
  rounds: 1,
  metrics: {
    heap: { title: 'live objects a subscription', unit: 'KB', digits: 2 },
    rss: { title: 'memory of the process a subscription', unit: 'KB', digits: 2 },
  },

  async measure({ newUser, process }) {
    const users = Array.from({ length: SOCKETS }, () => newUser());
    // One turn a socket; the provider says nothing, and nobody follows yet.
    const turns = [];
    for (const user of users) turns.push(await user.start(question({ silent: true })));
    await Promise.all(users.map((user, index) => firstEvent(user, turns[index])));
    const before = await process.memory();
    const waiting = users.flatMap((user, index) =>
      Array.from({ length: SUBSCRIPTIONS_PER_SOCKET - 1 }, () => firstEvent(user, turns[index])),
    );
    await Promise.all(waiting);
    const after = await process.memory();
    await Promise.all(users.map((user) => user.close()));
    const each = (kind) => (after[kind] - before[kind]) / waiting.length / 1000;
    return { heap: each('heapUsed'), rss: each('rss') };
  },
};

/** Follows a turn from now on and resolves when the first of what has been is there; then it waits. */
function firstEvent(user, turnId) {
  return new Promise((resolve, reject) => {
    user.follow(turnId, { onEvent: resolve }).ended.catch(reject);
  });
}
