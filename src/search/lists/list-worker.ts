/**
 * Runs in a thread of its own: to take a thousand texts apart takes a second, in which the server must answer others.
 * What it imports of ours it imports after it has seen to it that this works from the sources as well.
 */
import nodeModule from 'node:module';
import { constants, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

import type { ListAddition, ListedItem } from './list-building.js';
import type { DeadOrdinals, ListChanges, StoredList } from './list-compaction.js';

/** What the thread can do, by name: what each takes and gives. */
export interface ListWork {
  build: {
    order: { items: readonly ListedItem[]; usualLength: number; termsAtATime: number };
    result: ListAddition[];
  };
  compact: { order: { lists: readonly StoredList[]; dead: DeadOrdinals }; result: ListChanges };
}

export type ListOrder = {
  [Name in keyof ListWork]: { name: Name; order: ListWork[Name]['order'] };
}[keyof ListWork];

if (import.meta.url.endsWith('.ts')) {
  nodeModule.registerHooks({
    resolve: (specifier, context, next) => {
      const isOurs = specifier.startsWith('.') && context.parentURL?.endsWith('.ts') === true;
      return next(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
    },
  });
}

// On Linux a thread has a priority of its own (setpriority(2), "C library/kernel differences"); elsewhere it would be
// the whole process that gives way.
if (platform() === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const { buildLists } = await import('./list-building.js');
const { compactLists } = await import('./list-compaction.js');

/** Hands the bytes over instead of copying them. */
const tell = (result: ListWork[keyof ListWork]['result'], parts: readonly object[]): void => {
  const bytes = parts.flatMap((part) => Object.values(part)).filter((value) => value instanceof Uint8Array);
  parentPort?.postMessage(
    result,
    bytes.map(({ buffer }) => buffer as ArrayBuffer),
  );
};

parentPort?.on('message', (work: ListOrder) => {
  if (work.name === 'compact') {
    const changes = compactLists(work.order.lists, work.order.dead);
    return tell(changes, [changes.ends, changes.endsDeleted, changes.parts, changes.partsDeleted]);
  }
  const { items, usualLength, termsAtATime } = work.order;
  const additions = buildLists(items, usualLength, termsAtATime);
  return tell(additions, additions);
});
