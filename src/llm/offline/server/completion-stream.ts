import type { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../../common/json.js';
import {
  type AskedCall,
  chunkEvent,
  type CompletionUsage,
  doneEvent,
  type Envelope,
  type FinishReason,
  type Reply,
  usageEvent,
} from './protocol.js';
import { estimateTokens, piecesOf } from './token-estimate.js';

/** A reply with all that is told about it. */
export interface Answer {
  reply: Reply;
  finish: FinishReason;
  usage: CompletionUsage;
  envelope: Envelope;
}

export interface Pace {
  /** 0: without pauses. */
  tokensPerSecond: number;
  /** A last chunk with the usage and no choice. */
  includeUsage: boolean;
}

/** The pieces of an answer as OpenAI streams them: a call's name first, then its arguments in fragments. */
function* deltasOf(reply: Reply): Generator<{ delta: JsonObject; tokens: number }> {
  yield { delta: { role: 'assistant', content: 'text' in reply ? '' : null }, tokens: 0 };
  if ('text' in reply)
    for (const piece of piecesOf(reply.text))
      yield { delta: { content: piece }, tokens: estimateTokens(piece) };
  else for (const [index, call] of reply.toolCalls.entries()) yield* callDeltas(call, index);
}

function* callDeltas(call: AskedCall, index: number): Generator<{ delta: JsonObject; tokens: number }> {
  const opening = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } };
  yield { delta: { tool_calls: [opening] }, tokens: 1 };
  for (const piece of piecesOf(call.arguments))
    yield {
      delta: { tool_calls: [{ index, function: { arguments: piece } }] },
      tokens: estimateTokens(piece),
    };
}

/** Resolves when the stream takes more; rejects when `signal` says that nobody reads any more. */
const drained = (out: Writable, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = (done: () => void) => () => {
      out.off('drain', onDrain);
      signal.removeEventListener('abort', onAbort);
      done();
    };
    const onDrain = settle(resolve);
    const onAbort = settle(() => reject(signal.reason));
    out.once('drain', onDrain);
    signal.addEventListener('abort', onAbort, { once: true });
  });

/**
 * Writes an answer as server-sent events, a piece at a time, and waits while nobody takes them. Rejects with the
 * signal's reason, leaving no timer behind, when the reader is gone. Does not end `out`.
 */
export async function writeAnswer(
  out: Writable,
  answer: Answer,
  pace: Pace,
  signal: AbortSignal,
): Promise<void> {
  const { reply, finish, usage, envelope } = answer;
  const send = async (text: string) => {
    signal.throwIfAborted();
    if (!out.write(text)) await drained(out, signal);
  };
  const startedAt = performance.now();
  let sent = 0;
  for (const { delta, tokens } of deltasOf(reply)) {
    sent += tokens;
    // Measured from the start, so that the pauses' own lateness does not add up.
    const dueAt = pace.tokensPerSecond > 0 ? startedAt + (sent / pace.tokensPerSecond) * 1000 : 0;
    const waitMs = dueAt - performance.now();
    if (waitMs > 0) await pause(waitMs, undefined, { signal });
    await send(chunkEvent(envelope, delta));
  }
  await send(chunkEvent(envelope, {}, finish));
  if (pace.includeUsage) await send(usageEvent(envelope, usage));
  await send(doneEvent);
}
