import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** Ticks of all processors so far: idle ones, and all. */
function ticks() {
  const [line] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const [user, nice, system, idle, waiting, ...others] = line.trim().split(/\s+/).slice(1, 9).map(Number);
  const all = [user, nice, system, idle, waiting, ...others].reduce((sum, each) => sum + each, 0);
  return { idle: idle + waiting, all };
}

/** What the figures were measured on; `busy`: the share of the processors that others used before. */
export async function describeMachine() {
  const before = ticks();
  await pause(1000);
  const after = ticks();
  return {
    node: process.version,
    processors: cpus().map(({ model }) => model),
    busy: 1 - (after.idle - before.idle) / (after.all - before.all),
  };
}
