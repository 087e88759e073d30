/**
 * The main program of the launcher, which starts the processes that read documents and passes on what they say. Whoever
 * starts a process stands still while the kernel copies its page tables: 25 to 70 ms for a server of 650 MB, and 5 ms for
 * this program.
 */
import { constants, setPriority } from 'node:os';

import type { LauncherOrder, LauncherReport } from './launcher-messages.js';
import type { LaunchedProcess } from './launched-process.js';

if (import.meta.url.endsWith('.ts')) await import(new URL('source-hooks.ts', import.meta.url).href);
const { LaunchedProcess: Launched } = await import('./launched-process.js');
const { offerToKernel } = await import('./memory-limit.js');

// Readers inherit both. The server goes first on a machine with few processors, and is killed last. Orders wait.
await offerToKernel(process.pid);
try {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {
  // It works as well without it.
}

const processes = new Map<number, LaunchedProcess>();

function report(message: LauncherReport): void {
  if (message.type === 'end') processes.delete(message.id);
  if (process.connected) process.send?.(message);
}

process.once('disconnect', () => {
  for (const one of processes.values()) one.kill();
  process.exit();
});
process.on('message', (order: LauncherOrder) => {
  const { id } = order;
  if (order.type === 'start') processes.set(id, new Launched(id, order, report));
  else if (order.type === 'frame') void processes.get(id)?.take(order.bytes);
  else if (order.type === 'next') void processes.get(id)?.next();
  else processes.get(id)?.kill();
});
