import { useSyncExternalStore } from 'react';

/** What screen readers say next. Saying the same twice has to change the text: a space is added and taken. */
let said = '';
const listeners = new Set<() => void>();

export function announce(text: string): void {
  if (text === '') return;
  said = said === text ? `${text} ` : text;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Stands once in the page. */
export function Announcer() {
  return (
    <div className="unseen" role="status" aria-live="polite">
      {useSyncExternalStore(listen, () => said)}
    </div>
  );
}
