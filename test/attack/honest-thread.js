/**
 * Somebody who uses the product as they should, in a thread of their own: a request every 100 ms, whatever has become of
 * those before, and twice a second a question whose answer they follow to its end.
 */
import { createClient } from 'graphql-ws';
import { parentPort, workerData } from 'node:worker_threads';
import { WebSocket } from 'ws';

const EVERY_MS = 100;
/** Of so many requests one is a question. */
const QUESTION_EVERY = 5;

const QUERIES = [
  '{ viewer { id role } }',
  '{ conversations(first: 10) { edges { node { id title } } } }',
  '{ assistants { key name } }',
  '{ notifications(first: 5) { edges { node { id } } } }',
];
const START = `mutation { startTurn(input: { assistantKey: "mefali", message: "Bonjour" }) {
  ... on TurnAccepted { turn { id } } } }`;
const EVENTS = `subscription ($id: ID!) { turnEvents(turnId: $id) { __typename ... on TurnDone { status } } }`;

const { url, token, lostAfterMs } = workerData;
const authorization = `Bearer ${token}`;
const socket = createClient({
  url: `${url.replace('http', 'ws')}/graphql`,
  webSocketImpl: WebSocket,
  connectionParams: { authorization },
  lazy: false,
  retryAttempts: 0,
});

let seen = { requests: [], questions: [], lost: [] };
let underWay = new Set();
let count = 0;
setInterval(ask, EVERY_MS);

parentPort.on('message', async () => {
  const [mine, until] = [seen, underWay];
  [seen, underWay] = [{ requests: [], questions: [], lost: [] }, new Set()];
  await Promise.all(until);
  parentPort.postMessage(mine, []);
});

function ask() {
  const [mine, place] = [seen, count++];
  const asking =
    place % QUESTION_EVERY === 0 ? question(mine) : request(mine, QUERIES[place % QUERIES.length]);
  const noted = asking.catch((error) => mine.lost.push(String(error?.message ?? JSON.stringify(error))));
  underWay.add(noted);
}

async function question(mine) {
  const began = performance.now();
  const { startTurn } = await request(mine, START);
  const events = socket.iterate({ query: EVENTS, variables: { id: startTurn.turn.id } });
  // What is given up is not followed any further: a socket has so many operations and no more.
  await inTime(ended(events)).finally(() => events.return());
  mine.questions.push(performance.now() - began);
}

async function ended(events) {
  let last;
  for await (const { data, errors } of events) {
    if (errors) throw new Error(JSON.stringify(errors));
    last = data.turnEvents;
  }
  if (last?.status !== 'COMPLETED') throw new Error(`A question ended with ${JSON.stringify(last)}.`);
}

async function request(mine, query) {
  const began = performance.now();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ query }),
    signal: AbortSignal.timeout(lostAfterMs),
  });
  const { data, errors } = await response.json();
  if (errors || !data) throw new Error(JSON.stringify(errors));
  mine.requests.push(performance.now() - began);
  return data;
}

function inTime(work) {
  const late = Promise.withResolvers();
  const timer = setTimeout(
    () => late.reject(new Error(`A question had no answer after ${lostAfterMs} ms.`)),
    lostAfterMs,
  );
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
