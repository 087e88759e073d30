/**
 * Gives processes a share of a processor each, run in a process of its own until it is killed: one after the other
 * they run for their part of every period, and are stopped for the rest. So two replicas, their clients and their
 * database fit on a machine with two processors.
 *
 *   node throttle.js SHARE PID …
 */

/** Short, as a token waits for it several times on its way: for being read, stored and sent. */
const PERIOD_MS = 4;

const [share, ...pids] = process.argv.slice(2).map(Number);
const nothing = new Int32Array(new SharedArrayBuffer(4));

/** Timers would not do: they come by the millisecond. */
function waitUntil(time) {
  const ms = time - performance.now();
  if (ms > 0) Atomics.wait(nothing, 0, 0, ms);
}

function runFor(pid, ms) {
  process.kill(pid, 'SIGCONT');
  waitUntil(performance.now() + ms);
  process.kill(pid, 'SIGSTOP');
}

for (let period = performance.now(); ; period = Math.max(period + PERIOD_MS, performance.now())) {
  waitUntil(period);
  for (const pid of pids) runFor(pid, share * PERIOD_MS);
}
