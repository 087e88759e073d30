import type { Citation } from '../../conversations/message.entity.js';
import type { FinishReason, TerminalStatus, TurnError, Usage } from '../turn-event.js';

/** How a turn came out. `text` is the answer as far as it got. */
export interface TurnOutcome {
  status: TerminalStatus;
  finishReason: FinishReason;
  text: string;
  /** What the answer is based on, by the markers in its text. */
  citations: Citation[];
  usage: Usage;
  error: TurnError | null;
}
