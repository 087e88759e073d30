import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

let isPrinting = false;
const listeners = new Set<() => void>();

function change(printing: boolean): void {
  isPrinting = printing;
  // At once: the browser prints what is there when this event has been handled.
  flushSync(() => listeners.forEach((listener) => listener()));
}

addEventListener('beforeprint', () => change(true));
addEventListener('afterprint', () => change(false));

/** Whether the page is being printed, so that all of it has to be drawn. */
export function useIsPrinting(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isPrinting,
  );
}
