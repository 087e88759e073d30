import { readFile, writeFile } from 'node:fs/promises';

const LOOK_EVERY_MS = 100;

const LINE = /^Vm(?:RSS|Swap):\s+(\d+) kB$/gm;

/**
 * Polls the memory of a process until the signal is aborted, and calls back once if it exceeds the limit. Linux only;
 * on other systems only the heap is limited.
 */
export function watchMemory(
  processId: number,
  limitBytes: number,
  onTooMuch: () => void,
  signal: AbortSignal,
): void {
  if (process.platform !== 'linux') return;
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    const bytes = await memoryOf(processId);
    isLooking = false;
    if (bytes > limitBytes && !signal.aborted) onTooMuch();
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}

/** Resident and swapped memory in bytes; 0: the process has ended. */
export async function memoryOf(processId: number): Promise<number> {
  const status = await readFile(`/proc/${processId}/status`, 'latin1').catch(() => '');
  return [...status.matchAll(LINE)].reduce((sum, [, kilobytes]) => sum + Number(kilobytes) * 1024, 0);
}

/** Makes the kernel kill this process before the server when memory runs out. Linux only. */
export function offerToKernel(processId: number): Promise<void> {
  return writeFile(`/proc/${processId}/oom_score_adj`, '1000').catch(() => undefined);
}
