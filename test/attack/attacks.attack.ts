import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { inject } from 'vitest';

import { type Attack, Attacker, type Target } from './attacker.js';
import { connectionAttacks } from './attacks/connections.js';
import { doorAttacks } from './attacks/doors.js';
import { startHostileSite } from './attacks/hostile-site.js';
import { operationAttacks } from './attacks/operations.js';
import { outsideAttacks } from './attacks/outside.js';
import { requestAttacks } from './attacks/requests.js';
import { turnAttacks } from './attacks/turns.js';
import { uploadAttacks } from './attacks/uploads.js';
import { HonestClient } from './honest-client.js';
import { head, rowOf, type Suffered, summary } from './report.js';
import { ServerProfile } from './server-profile.js';
import { type ProcessorTime, Victim } from './victim.js';

interface Options {
  isQuick: boolean;
  /** Words of the names of those that are meant. */
  only: readonly string[];
  /** Of each attack. */
  seconds: number;
  /** Where a profile of the server's thread is put for each attack; null: nowhere. */
  profiles: string | null;
}

declare module 'vitest' {
  interface ProvidedContext {
    attack: Options;
  }
}

const { isQuick, only, seconds, profiles } = inject('attack');

/** Until the server has read all its code and opened its connections. */
const WARM_UP_MS = isQuick ? 1_000 : 5_000;
const QUIET_MS = isQuick ? 1_000 : 15_000;
/** For what an attack leaves behind: its turns and its files, then the connections that close. */
const MAX_REST_MS = isQuick ? 10_000 : 60_000;
const REST_MS = isQuick ? 0 : 500;
/** Later, an answer is lost. The short form is also run where others keep the machine busy. */
const LOST_AFTER_MS = isQuick ? 60_000 : 15_000;
/** For an attack to stop that has been told to. */
const STOP_MS = 5_000;

/** Ten seconds. */
const MOST_TRIES = 1_000;

const attacks = [
  ...requestAttacks,
  ...operationAttacks,
  ...connectionAttacks,
  ...turnAttacks,
  ...doorAttacks,
  ...outsideAttacks,
  ...uploadAttacks,
].filter((attack) => only.some((word) => attack.name.includes(word)) && (attack.isQuick || !isQuick));

function say(words: string): void {
  return void process.stdout.write(words);
}

async function carryOut(attack: Attack, target: Target): Promise<Attacker> {
  const stop = new AbortController();
  const attacker = new Attacker(target, stop.signal);
  const running = attack.run(attacker).catch((error: unknown) => {
    if (!stop.signal.aborted) attacker.note(`gave up: ${String(error)}`);
  });
  // What is sent may have to be made first, which is no part of it.
  for (let tries = 0; attacker.sent === 0 && tries < MOST_TRIES; tries += 1) await sleep(10);
  await sleep(seconds * 1000);
  stop.abort();
  await Promise.race([running, sleep(STOP_MS, undefined, { ref: false })]);
  return attacker;
}

function shareOf(
  before: ProcessorTime & { at: number },
  after: ProcessorTime & { at: number },
): ProcessorTime {
  const share = (who: keyof ProcessorTime): number =>
    (100 * (after[who] - before[who])) / (after.at - before.at);
  return {
    server: share('server'),
    programs: share('programs'),
    attacker: share('attacker'),
    machine: share('machine'),
  };
}

it('loses nothing of others’, and lives, whatever is sent', async () => {
  await using site = await startHostileSite();
  await using victim = await Victim.start(site.host, profiles !== null);
  await using profile = profiles === null ? null : await ServerProfile.open(victim.debuggerUrl, profiles);
  await using honest = HonestClient.start(victim.url, await victim.honestToken(), LOST_AFTER_MS);
  // Whoever attacks has a machine of their own: here they get what the server and the others leave.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  await sleep(WARM_UP_MS);
  await honest.seen();
  await sleep(QUIET_MS);
  const quiet = await honest.seen();
  expect(quiet.lost).toEqual([]);
  await victim.peakMemory();

  const suffer = async (attack: Attack): Promise<Suffered> => {
    const target = { url: victim.url, token: await victim.token(), site: site.url };
    const before = { at: performance.now(), ...(await victim.processorTime()) };
    await profile?.start();
    const { sent, heard } = await carryOut(attack, target);
    await profile?.stop(attack.name);
    const busy = shareOf(before, { at: performance.now(), ...(await victim.processorTime()) });
    expect({ name: attack.name, death: await victim.death() }).toEqual({ name: attack.name, death: null });
    const seen = await honest.seen();
    const peakMb = await victim.peakMemory();
    const left = await victim.calmDown(MAX_REST_MS);
    if (left > 0) say(`${left} turns or files of the attack below are still under way.\n`);
    await sleep(REST_MS);
    const { lost } = await honest.seen();
    return { ...seen, name: attack.name, sent, heard, peakMb, busy, lost: [...seen.lost, ...lost] };
  };

  say(head());
  const suffered: Suffered[] = [];
  for (const attack of attacks) {
    const one = await suffer(attack);
    suffered.push(one);
    say(rowOf(one, quiet));
  }
  say(summary(quiet, suffered));
  const lost = suffered
    .filter((one) => one.lost.length > 0)
    .map((one) => ({ name: one.name, lost: one.lost }));
  expect(lost).toEqual([]);
  expect(suffered.filter(({ sent }) => sent === 0).map(({ name }) => name)).toEqual([]);
}, 7_200_000);
