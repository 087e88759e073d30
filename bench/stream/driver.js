import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

import { ACTIVE_SKILLS, CANCEL, EVENTS, EVENTS_AFTER, START, SWITCH_OFF } from './operations.js';
import { asText, nowMs, wordsIn } from './question.js';

/**
 * What is told of a turn while it runs.
 *
 * @typedef {object} Watcher
 * @property {(words: string[], at: number) => void} [onText] The words of each event of text, and when it came.
 * @property {(ms: number) => void} [onFirstText] How long it took since the question.
 * @property {string} [conversationId] Where the turn belongs; without it, it begins a conversation.
 */

/** Somebody with a browser: one WebSocket, and HTTP kept alive. The same for every server. */
export class User {
  #agent = new Agent({ keepAlive: true });
  #socket;
  #headers;

  /** @param {{ url: string, socketUrl?: string, token?: string | null }} server */
  constructor({ url, socketUrl = url, token = null }) {
    this.url = url;
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
    this.#headers = { 'content-type': 'application/json', ...authorization };
    this.#socket = createClient({
      url: socketUrl.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      lazy: false,
      retryAttempts: 0,
      connectionParams: authorization,
      onNonLazyError: () => undefined,
    });
  }

  /** Resolves to the data of an operation that has no errors. */
  async send(query, variables) {
    const body = JSON.stringify({ query, variables });
    const { promise, resolve, reject } = Promise.withResolvers();
    const headers = { ...this.#headers, 'content-length': Buffer.byteLength(body) };
    request(this.url, { method: 'POST', agent: this.#agent, headers }, resolve).on('error', reject).end(body);
    const answer = await text(await promise);
    const { data, errors } = JSON.parse(answer);
    if (errors || !data) throw new Error(answer);
    return data;
  }

  /** Starts a turn and resolves to its id. Without a conversation it begins one. */
  async start(question, conversationId = null) {
    const place = conversationId === null ? { assistantKey: 'mefali' } : { conversationId };
    const { startTurn } = await this.send(START, { input: { ...place, message: asText(question) } });
    if (!startTurn.turn) throw new Error(`The turn was refused: ${startTurn.__typename}.`);
    return startTurn.turn.id;
  }

  /** Has the company's assistants offer their models one skill alone. */
  async keepSkill(kept) {
    const { skills } = await this.send(ACTIVE_SKILLS, {});
    for (const { key, active } of skills) if (active && key !== kept) await this.send(SWITCH_OFF, { key });
  }

  async cancel(turnId) {
    await this.send(CANCEL, { id: turnId });
  }

  /**
   * Follows a turn. `ended` resolves when the subscription completes, also because of `leave`.
   *
   * @param {string} turnId @param {{ onEvent(event: object): void, after?: number }} options
   * @returns {{ ended: Promise<void>, leave: () => void }}
   */
  follow(turnId, { onEvent, after }) {
    const { promise: ended, resolve, reject } = Promise.withResolvers();
    const payload =
      after === undefined
        ? { query: EVENTS, variables: { turnId } }
        : { query: EVENTS_AFTER, variables: { turnId, after } };
    const leave = this.#socket.subscribe(payload, {
      next: ({ data, errors }) =>
        data ? onEvent(data.turnEvents) : reject(new Error(JSON.stringify(errors))),
      error: (error) => reject(error instanceof Error ? error : new Error(JSON.stringify(error))),
      complete: () => resolve(),
    });
    return { ended, leave };
  }

  /**
   * Asks, follows to the end, and checks that nothing is missing.
   *
   * @param {import('./question.js').Question} question @param {Watcher} [watcher]
   * @returns {Promise<{ turnId: string, startMs: number, firstTextMs: number }>} from the question on
   */
  async turn(question, { onText, onFirstText, conversationId } = {}) {
    const begun = nowMs();
    let firstTextMs = null;
    let tokens = 0;
    let last = null;
    const turnId = await this.start(question, conversationId);
    const startMs = nowMs() - begun;
    const see = (event) => {
      last = event;
      if (event.__typename !== 'TextDelta') return;
      const at = nowMs();
      if (firstTextMs === null) {
        firstTextMs = at - begun;
        onFirstText?.(firstTextMs);
      }
      const words = wordsIn(event.text);
      tokens += words.length;
      onText?.(words, at);
    };
    await this.follow(turnId, { onEvent: see }).ended;
    if (tokens !== question.tokens || last?.status !== 'COMPLETED') {
      throw new Error(`A turn of ${question.tokens} tokens ended with ${tokens}: ${JSON.stringify(last)}`);
    }
    return { turnId, startMs, firstTextMs };
  }

  async close() {
    await this.#socket.dispose();
    this.#agent.destroy();
  }
}
