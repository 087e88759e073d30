import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

import { type Answer, chunkEvent, doneEvent, usageEvent } from './protocol.js';
import { estimateTokens, piecesOf } from './token-estimate.js';

export interface Pace {
  /** 0: without pauses. */
  tokensPerSecond: number;
  /** A last chunk with the usage and no choice. */
  includeUsage: boolean;
}

/** The parts of an answer as OpenAI streams them: the name of a call first, then its arguments in fragments. */
function* deltasOf({ text, calls }: Answer): Generator<{ delta: object; tokens: number }> {
  yield { delta: { role: 'assistant', content: text === null ? null : '' }, tokens: 0 };
  for (const content of piecesOf(text ?? '')) yield { delta: { content }, tokens: estimateTokens(content) };
  for (const [index, { id, type, function: called }] of calls.entries()) {
    yield {
      delta: { tool_calls: [{ index, id, type, function: { name: called.name, arguments: '' } }] },
      tokens: 1,
    };
    for (const fragment of piecesOf(called.arguments)) {
      yield {
        delta: { tool_calls: [{ index, function: { arguments: fragment } }] },
        tokens: estimateTokens(fragment),
      };
    }
  }
}

/**
 * Writes an answer as server-sent events with backpressure. Rejects when `signal` is aborted, and leaves no timer
 * behind. Does not end `out`.
 */
export async function writeAnswer(
  out: Writable,
  answer: Answer,
  pace: Pace,
  signal: AbortSignal,
): Promise<void> {
  async function send(text: string): Promise<void> {
    signal.throwIfAborted();
    if (!out.write(text)) await once(out, 'drain', { signal });
  }
  const startedAt = performance.now();
  let sent = 0;
  for (const { delta, tokens } of deltasOf(answer)) {
    sent += tokens;
    // Relative to the start, so that late timers do not add up.
    const dueAt = pace.tokensPerSecond > 0 ? startedAt + (sent / pace.tokensPerSecond) * 1000 : 0;
    const waitMs = dueAt - performance.now();
    if (waitMs > 0) await pause(waitMs, undefined, { signal });
    await send(chunkEvent(answer, delta));
  }
  await send(chunkEvent(answer, {}, answer.finish));
  if (pace.includeUsage) await send(usageEvent(answer));
  await send(doneEvent);
}
