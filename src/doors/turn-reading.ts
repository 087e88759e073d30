import type { JsonObject } from '@palabre/json';

import type { Citation } from '../conversations/message.repository.js';
import type { PlanAction, ShownInput, TurnEvent } from '../conversations/turns/turn-event.js';

export type EventOf<Type extends TurnEvent['type']> = Extract<TurnEvent, { type: Type }>;

interface Decision {
  action: PlanAction;
  nextSkill: string | null;
  reason: string | null;
}

/** Reads a turn's events for a protocol with calls and plans. Reports a call once, a plan with all decisions. */
export abstract class TurnReading<Frame extends object> {
  private readonly announced = new Set<string>();
  private readonly decisions: Decision[] = [];

  protected read(event: TurnEvent): Frame[] {
    switch (event.type) {
      case 'text-delta':
        return this.text(event.text);
      case 'reasoning-delta':
        return this.reasoning(event.text);
      case 'text-reset':
        return this.withdraw();
      case 'plan-decided': {
        const { action, nextSkill, reason } = event;
        this.decisions.push({ action, nextSkill, reason });
        return this.plan([...this.decisions]);
      }
      case 'skill-started':
        return this.announce(event.callId, event.skill, event.arguments);
      case 'skill-finished':
        // The client has its own results.
        if (this.isAnswered(event.callId)) return [];
        return [...this.announce(event.callId, event.skill, {}), ...this.result(event)];
      case 'skill-loaded':
        return this.loaded(event.skill);
      case 'sources-found':
        return this.sources(event.sources);
      case 'approval-requested':
        return this.requested(event.approval);
      case 'input-requested':
        return this.requested(event.input);
      case 'input-resolved':
        return this.resolved(event);
      case 'moved-to-background':
        return this.moved(event);
      case 'status-changed':
        return this.status(event);
      case 'turn-done':
        return this.close();
    }
  }

  /** Reports a call before its end or approval. */
  protected announce(callId: string, skill: string, given: JsonObject): Frame[] {
    return this.once(callId, () => this.call(callId, skill, given));
  }

  /** Reports a call once, for any reason. */
  protected once(callId: string, tell: () => Frame[]): Frame[] {
    if (this.announced.has(callId)) return [];
    this.announced.add(callId);
    return tell();
  }

  protected isAnnounced(callId: string): boolean {
    return this.announced.has(callId);
  }

  /** Whether the client gave the call's result. */
  protected abstract isAnswered(callId: string): boolean;
  protected abstract text(delta: string): Frame[];
  protected abstract reasoning(delta: string): Frame[];
  /** Withdraws text and reasoning since the last withdrawal, which are not the answer. */
  protected abstract withdraw(): Frame[];
  protected abstract plan(decisions: Decision[]): Frame[];
  protected abstract call(callId: string, skill: string, given: JsonObject): Frame[];
  protected abstract result(event: EventOf<'skill-finished'>): Frame[];
  protected abstract loaded(skill: string): Frame[];
  protected abstract sources(sources: readonly Citation[]): Frame[];
  protected abstract requested(input: ShownInput): Frame[];
  protected abstract resolved(event: EventOf<'input-resolved'>): Frame[];
  protected abstract moved(event: EventOf<'moved-to-background'>): Frame[];
  protected abstract status(event: EventOf<'status-changed'>): Frame[];
  /** Ends the current text or reasoning. */
  protected abstract close(): Frame[];
}
