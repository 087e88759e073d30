import type { ClaimedTurn } from '../../conversations/turns/claims/turn-claim.js';
import type { TurnOutcome } from '../../conversations/turns/turn-event.js';
import { OPENAI, operation } from '../../platform/tracing/semantic-names.js';
import { type Attributes, describeSpan, type Span } from '../../platform/tracing/span.js';
import type { Tracing } from '../../platform/tracing/tracing.js';

/**
 * The span of a run, in the trace of the request that started the turn. A run that continues another is linked to it.
 * Null: no tracing.
 */
export function beginRunSpan(tracing: Tracing, { turn, claim, claimBeganAt }: ClaimedTurn): Span | null {
  const request = tracing.receive(turn.traceStart);
  if (request === null) return null;
  const about: Attributes = { turn: turn.id, attempt: claim.attempt };
  if (claimBeganAt !== undefined)
    request.begin('claim', { startedAt: claimBeganAt, attributes: about })?.end();
  const isResumed = claim.attempt > 1;
  return request.begin(operation.agent, {
    attributes: {
      ...about,
      operation: operation.agent,
      provider: OPENAI,
      conversation: turn.conversationId,
      company: turn.companyId,
      user: turn.memberId,
    },
    ...(isResumed && { link: turn.traceRun ?? turn.traceStart }),
  });
}

/** Ends the span of a run that ended its turn. */
export function endRunSpan({ status, finishReason, error, usage, text }: TurnOutcome): void {
  describeSpan((span) => {
    span.set({
      turnStatus: status,
      finishReasons: [finishReason],
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      cachedInputTokens: usage.cachedInputTokens,
    });
    span.setContent('outputMessages', () => [
      { role: 'assistant', parts: [{ type: 'text', content: text }], finish_reason: finishReason },
    ]);
    span.end(error?.code);
  });
}
