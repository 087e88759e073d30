import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 50;
const TRIES = 300;

/** For what nothing tells of: reads until it is so, for a quarter of a minute at most, and gives what was read. */
export async function eventually<T>(read: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    const value = await read();
    if (isSo(value)) return value;
    if (tries >= TRIES) throw new Error(`It never came to be. Last was read: ${JSON.stringify(value)}`);
    await sleep(PAUSE_MS);
  }
}
