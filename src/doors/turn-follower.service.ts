import { Injectable } from '@nestjs/common';

import { DomainError } from '../common/errors/domain-error.js';
import { type Wording, wordingIn } from '../common/wording/wording.js';
import { AssistantsService } from '../companies/assistants/assistants.service.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import { ModelCalls } from '../conversations/turns/model-calls/model-calls.service.js';
import { isWaiting, type TurnEvent } from '../conversations/turns/turn-event.js';
import { answererOf, type Turn } from '../conversations/turns/turn.entity.js';
import { TurnsService } from '../conversations/turns/turns.service.js';

/** A place where a turn stopped to wait, and the ids of its inputs. */
interface TurnWait {
  sequence: number;
  asked: Set<string>;
}

/** The doors' own texts for people, which are read when the first is needed: most turns need none. */
export type DoorWording = () => Promise<Wording['doors']>;

/** The events of turns, and the words that go with them, for other protocols. */
@Injectable()
export class TurnFollower {
  constructor(
    private readonly turns: TurnsService,
    private readonly calls: ModelCalls,
    private readonly conversations: ConversationsService,
    private readonly assistants: AssistantsService,
  ) {}

  /**
   * All events from the first to TurnDone or `until`. Ends early when `signal` is aborted or the turn is removed.
   * Rejects with NOT_FOUND before the first.
   */
  async *follow(
    viewer: Viewer,
    turnId: string,
    signal: AbortSignal,
    until = Infinity,
  ): AsyncGenerator<TurnEvent> {
    if (until === 0) return;
    const events = await this.turns.events(viewer, turnId, 0);
    // A waiting generator does not stop by itself.
    const stop = (): void => void events.return?.();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      for await (const event of events) {
        yield event;
        if (event.sequence >= until) break;
      }
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'NOT_FOUND')) throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
    }
  }

  /** The turn's waits for people up to the sequence `until`, in order. */
  async waitsOf(viewer: Viewer, turnId: string, until: number, signal: AbortSignal): Promise<TurnWait[]> {
    const waits: TurnWait[] = [];
    let asked = new Set<string>();
    for await (const event of this.follow(viewer, turnId, signal, until)) {
      if (event.type === 'input-requested') asked.add(event.input.id);
      if (event.type === 'approval-requested') asked.add(event.approval.id);
      if (event.type !== 'status-changed' || !isWaiting(event.status)) continue;
      waits.push({ sequence: event.sequence, asked });
      asked = new Set();
    }
    return waits;
  }

  /**
   * The doors' own texts for people, in the language of the assistant that answers the turn. In English if that cannot
   * be read, because the turn runs already.
   */
  wordingOf(viewer: Viewer, turn: Pick<Turn, 'conversationId' | 'assistantId'>): DoorWording {
    let reading: ReturnType<DoorWording> | null = null;
    return () =>
      (reading ??= this.languageOf(viewer, turn)
        .catch(() => 'en')
        .then((language) => wordingIn(language).doors));
  }

  private async languageOf(
    viewer: Viewer,
    turn: Pick<Turn, 'conversationId' | 'assistantId'>,
  ): Promise<string> {
    const conversation = await this.conversations.find(viewer, turn.conversationId);
    const ids = conversation ? [answererOf(turn, conversation)] : [];
    const [assistant] = await this.assistants.findMany(viewer, ids);
    return assistant?.language ?? 'en';
  }

  /** The sum over the turn's model calls, for TurnDone. 0 before. */
  async reasoningTokens({ companyId }: Viewer, { type, turnId }: TurnEvent): Promise<number> {
    return type === 'turn-done' ? this.calls.countReasoning(companyId, turnId) : 0;
  }
}
