/**
 * The worker thread: tokenising a thousand texts takes a second, which would block the server. Own modules are imported
 * after the resolve hook is registered, so that this also works from TypeScript sources.
 */
import nodeModule from 'node:module';
import { constants, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

import type { ListAddition, ListedItem, DeadOrdinals, ListChanges, StoredLists } from './inverted-lists.js';

/** The worker's operations, with their orders and results. */
export interface ListWork {
  build: {
    order: { items: readonly ListedItem[]; usualLength: number; termsAtATime: number };
    result: ListAddition[];
  };
  compact: { order: { stored: StoredLists; dead: DeadOrdinals }; result: ListChanges };
}

type ListOrder = {
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

// On Linux a thread has its own priority (setpriority(2), "C library/kernel differences"); elsewhere this would lower the
// priority of the whole process.
if (platform() === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const { buildLists, compactLists } = await import('./inverted-lists.js');

/** Posts the result; its byte arrays are transferred, not copied. */
function tell(result: ListWork[keyof ListWork]['result'], parts: readonly object[]): void {
  const bytes = parts.flatMap((part) => Object.values(part)).filter((value) => ArrayBuffer.isView(value));
  parentPort?.postMessage(
    result,
    bytes.map(({ buffer }) => buffer as ArrayBuffer),
  );
}

parentPort?.on('message', (work: ListOrder) => {
  if (work.name === 'compact') {
    const changes = compactLists(work.order.stored, work.order.dead);
    return tell(
      changes,
      Object.values(changes).filter((part) => typeof part === 'object'),
    );
  }
  const { items, usualLength, termsAtATime } = work.order;
  const additions = buildLists(items, usualLength, termsAtATime);
  return tell(additions, additions);
});
