/**
 * The token of this tab. It comes with a link (`#token=…`, which never reaches a server's log), from the sign-in page, or
 * from another tab of the console. It ends with the tab.
 */
const TOKEN = 'palabre:token';
const HANDOVER_MS = 200;

type HandoverMessage = { type: 'wanted' } | { type: 'given'; token: string };

const listeners = new Set<() => void>();
const channel = new BroadcastChannel('palabre:session');
let isExpired = false;

channel.addEventListener('message', ({ data }: MessageEvent<HandoverMessage>) => {
  const own = token();
  if (data.type === 'wanted' && own !== null) channel.postMessage({ type: 'given', token: own });
});

export function token(): string | null {
  return sessionStorage.getItem(TOKEN);
}

/** Whether the token was refused, and not only missing. */
export function hasExpired(): boolean {
  return isExpired;
}

export function signIn(given: string): void {
  sessionStorage.setItem(TOKEN, given);
  isExpired = false;
  tell();
}

export function signOut(): void {
  sessionStorage.removeItem(TOKEN);
  tell();
}

/** The API no longer takes the token. */
export function expire(): void {
  if (token() === null) return;
  isExpired = true;
  signOut();
}

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes the token out of the address, or asks other tabs for theirs. */
export async function openSession(): Promise<void> {
  // Of a link that is opened where the page is already, the browser changes the fragment alone.
  addEventListener('hashchange', () => void takeToken());
  if (takeToken() || token() !== null) return;
  const given = await tokenOfAnotherTab();
  if (given !== null && token() === null) sessionStorage.setItem(TOKEN, given);
}

function takeToken(): boolean {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given === null) return false;
  history.replaceState(history.state, '', location.pathname + location.search);
  signIn(given);
  return true;
}

function tokenOfAnotherTab(): Promise<string | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), HANDOVER_MS);
    channel.addEventListener('message', ({ data }: MessageEvent<HandoverMessage>) => {
      if (data.type !== 'given') return;
      clearTimeout(timer);
      resolve(data.token);
    });
    channel.postMessage({ type: 'wanted' });
  });
}

function tell(): void {
  for (const listener of listeners) listener();
}
