import { OUTCOME_UNKNOWN } from '../../http/unknown-outcome.js';
import { InputNeeded, ServiceError, type SkillContext } from '../../skill.js';
import { elicitResultOf, requestsIn } from './input-requests.js';
import { McpFailure } from './mcp-failure.js';
import type { HeldCall, McpServerLink, ToolCall, ToolOutcome } from './mcp-session.js';

/** Time after an answer's expiry for the turn to tell the server. */
const GRACE_MS = 30_000;

interface Connection {
  later(ms: number, work: () => void): () => void;
  onHeld(): void;
  onLetGo(): void;
}

/** Calls of a connection whose server waits for a person. Each continues in the run that gets the answer. */
export class WaitingCalls {
  private readonly calls = new Map<string, HeldCall & { letGo(): void }>();

  constructor(
    private readonly server: Pick<McpServerLink, 'key' | 'echo' | 'held'>,
    private readonly connection: Connection,
  ) {}

  /** A server's questions. Keeps the call open if the server waits on it. */
  inputNeeded(
    { question, live: held }: Extract<ToolOutcome, { result: null }>,
    context: Pick<SkillContext, 'callId' | 'turnId'>,
  ): InputNeeded {
    const { key, echo } = this.server;
    const requests = requestsIn(question, { server: key, isLive: held !== null });
    if (held) this.hold(held, context);
    const shown = requests.map(({ state, ...request }) => ({ ...echo.value(request), state }));
    return new InputNeeded(shown, held && held.live.leftSeconds);
  }

  private hold(call: HeldCall, { callId, turnId }: Pick<SkillContext, 'callId' | 'turnId'>): void {
    const drop = (): void => {
      letGo();
      call.live.cancel(new McpFailure('UNANSWERED', 'Nobody answered the server in time.'));
    };
    const cancelTimer = this.connection.later(call.live.leftSeconds * 1000 + GRACE_MS, drop);
    const letGo = (): void => {
      if (!this.calls.delete(callId)) return;
      cancelTimer();
      this.server.held.delete(callId);
      this.connection.onLetGo();
    };
    this.connection.onHeld();
    this.calls.set(callId, { ...call, letGo });
    this.server.held.set(callId, { turnId, drop });
  }

  /** The outcome of a call after its answer. Null: call it again. Throws ServiceError if that is unsafe. */
  answer(callId: string, request: ToolCall, isRepeatable: boolean): Promise<ToolOutcome> | null {
    const [first] = request.given;
    if (!first?.request.isLive) return null;
    const held = this.calls.get(callId);
    if (held) {
      held.letGo();
      held.live.answer(elicitResultOf(first));
      return held.session.follow(held.live, request);
    }
    // The process with the connection is gone, and so is the call.
    if (isRepeatable) return null;
    throw new ServiceError(
      `The connection on which the server waited is gone. ${OUTCOME_UNKNOWN}`,
      'IN_DOUBT',
    );
  }
}
