import type { ChatPart } from '@palabre/llm-client';

import type { TurnEntry } from '../../conversations/turns/turn-event.js';

/** More than models think in an answer. Later reasoning is not shown. */
const MAX_REASONING_CHARACTERS = 400_000;

/** What the member saw of a model call. `reasoning` is updated here, `text` by the caller. */
interface Shown {
  text: string;
  reasoning: string;
}

/** The entries that the member sees for the next part of a model call. */
export function* shownOf(part: ChatPart, shown: Shown, showsReasoning: boolean): Generator<TurnEntry> {
  if (part.type === 'text' && part.text !== '') yield { type: 'text-delta', text: part.text };
  if (part.type === 'reasoning' && showsReasoning) yield* reasoned(shown, part.text);
  const isRetracted = part.type === 'retraction' && (shown.text !== '' || shown.reasoning !== '');
  if (!isRetracted && (part.type !== 'no-reasoning' || shown.reasoning === '')) return;
  // The contract has no cause for withdrawn thoughts. Like a failed try, they were not an answer.
  yield { type: 'text-reset', cause: 'RETRIED' };
  const thoughts = isRetracted && showsReasoning ? shown.reasoning + shown.text : '';
  shown.reasoning = '';
  yield* reasoned(shown, thoughts);
}

function* reasoned(shown: Shown, thoughts: string): Generator<TurnEntry> {
  const text = thoughts.slice(0, MAX_REASONING_CHARACTERS - shown.reasoning.length);
  shown.reasoning += text;
  if (text !== '') yield { type: 'reasoning-delta', text };
}
