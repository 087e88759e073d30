import { basePath, serverUrl } from '../api/addresses.js';

/**
 * The token of this tab. It comes with a link (`#token=…`, which never reaches a server's log), from the sign-in page, or
 * from another tab of the console. It ends with the tab.
 */
const TOKEN = 'palabre:token';
/** What stands in its place for who came in by the organisation's provider: the browser has a cookie for that. */
const SESSION = 'session';
const HANDOVER_MS = 200;

type TabMessage = { type: 'wanted' } | { type: 'given'; token: string } | { type: 'ended' };

/** Why a person has to sign in who came to do something else. */
const problems = ['expired', 'over', 'denied', 'failed'] as const;
type SignInProblem = (typeof problems)[number];

const listeners = new Set<() => void>();
const channel = new BroadcastChannel('palabre:session');
let currentProblem: SignInProblem | null = null;

channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
  const own = token();
  if (data.type === 'wanted' && own !== null) channel.postMessage({ type: 'given', token: own });
  if (data.type === 'ended' && own === SESSION) end();
});

/** What the server has written into the page. */
function told(): DOMStringMap {
  return document.getElementById('console')?.dataset ?? {};
}

/** Whose provider people may sign in by; null: there is none. */
export function organisation(): string | null {
  return told().organisation ?? null;
}

export function token(): string | null {
  return sessionStorage.getItem(TOKEN);
}

export function signInProblem(): SignInProblem | null {
  return currentProblem;
}

export function signIn(given: string): void {
  sessionStorage.setItem(TOKEN, given);
  currentProblem = null;
  tell();
}

/** Leaves for the provider, and comes back to where one is. */
export function signInByProvider(): void {
  const place = `${location.pathname}${location.search}`.slice(basePath.length);
  location.assign(`${serverUrl}auth/sign-in?to=${encodeURIComponent(place)}`);
}

/** Rejects when the server, which alone can end a session, cannot be reached. */
export async function signOut(): Promise<void> {
  if (token() !== SESSION) return end();
  const headers = { authorization: `Bearer ${SESSION}` };
  const response = await fetch(`${serverUrl}auth/sign-out`, { method: 'POST', headers });
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  const { url } = (await response.json()) as { url: string | null };
  channel.postMessage({ type: 'ended' });
  end();
  if (url !== null) location.assign(url);
}

/** The API no longer takes the token. */
export function expire(): void {
  if (token() === null) return;
  currentProblem = token() === SESSION ? 'over' : 'expired';
  end();
}

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes the token out of the address, goes on with the browser's session, or asks other tabs for their token. */
export async function openSession(): Promise<void> {
  // Of a link that is opened where the page is already, the browser changes the fragment alone.
  addEventListener('hashchange', () => void takeFragment());
  if (takeFragment() || token() !== null) return;
  const given = told().session === undefined ? await tokenOfAnotherTab() : SESSION;
  if (given !== null && token() === null) sessionStorage.setItem(TOKEN, given);
}

function takeFragment(): boolean {
  const said = new URLSearchParams(location.hash.slice(1));
  const given = said.get('token');
  const problem = problems.find((problem) => problem === said.get('sign-in'));
  if (given === null && problem === undefined) return false;
  history.replaceState(history.state, '', location.pathname + location.search);
  if (problem !== undefined) currentProblem = problem;
  if (given !== null) signIn(given);
  return given !== null;
}

function tokenOfAnotherTab(): Promise<string | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), HANDOVER_MS);
    channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
      if (data.type !== 'given') return;
      clearTimeout(timer);
      resolve(data.token);
    });
    channel.postMessage({ type: 'wanted' });
  });
}

function end(): void {
  sessionStorage.removeItem(TOKEN);
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}
