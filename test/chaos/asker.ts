import { newId } from '../../src/common/ids.js';
import {
  type Choice,
  persistently,
  type PersistentSight,
  watchPersistently,
} from '../harness/persistence.js';
import { newQuestion } from '../harness/script-book.js';
import type { TestClient } from '../harness/test-client.js';
import { cancelTurn } from '../harness/turn-view.js';
import type { MoodyModel } from './moody-model.js';
import type { TurnPlan } from './plan.js';

/** A turn as its asker saw it. */
export interface Asked {
  turnId: string;
  conversationId: string;
  plan: TurnPlan;
  choice: Choice;
  sight: PersistentSight;
}

/** Somebody who asks questions in one conversation, each wherever the plan says. */
export class Asker {
  private conversationId: string | null = null;
  /** Questions that were refused because another one was under way. */
  refused = 0;

  constructor(
    private readonly clients: readonly TestClient[],
    private readonly model: MoodyModel,
    private readonly onEnd: () => void,
  ) {}

  /** Asks one question after the other and gives those that were taken, once all have ended. */
  async ask(plans: readonly TurnPlan[]): Promise<Asked[]> {
    const asked: Promise<Asked>[] = [];
    for (const plan of plans) {
      const choice = this.choiceOf(plan);
      const turnId = await this.start(choice, plan);
      if (turnId === null) {
        this.refused += 1;
        this.onEnd();
        continue;
      }
      const ended = this.follow(choice, turnId, plan);
      asked.push(ended);
      if (plan.isAwaited) await ended;
    }
    return Promise.all(asked);
  }

  /** Null: it was refused. However often the request has to be sent, its key makes one turn of it. */
  private async start(choice: Choice, plan: TurnPlan): Promise<string | null> {
    const message = newQuestion();
    this.model.add(message, plan);
    const { conversationId } = this;
    const place = conversationId === null ? { assistantKey: 'mefali' } : { conversationId };
    const input = { ...place, message, whenBusy: plan.whenBusy, idempotencyKey: newId() };
    const answer = await persistently(choice, (client) => client.startTurn(input));
    if (answer.__typename === 'TurnInProgress') return null;
    if (!answer.turn || !answer.conversation) throw new Error(JSON.stringify(answer));
    this.conversationId = answer.conversation.id;
    return answer.turn.id;
  }

  private async follow(choice: Choice, turnId: string, plan: TurnPlan): Promise<Asked> {
    const { leavesAfter, cancelAfter } = plan;
    let cancelling: Promise<unknown> = Promise.resolve();
    const sight = await watchPersistently(choice, turnId, { leavesAfter }, (count) => {
      if (count === cancelAfter) cancelling = persistently(choice, (client) => cancelTurn(client, turnId));
    });
    await cancelling;
    this.onEnd();
    return { turnId, conversationId: this.conversationId ?? '', plan, choice, sight };
  }

  /** The clients one after the other in the plan's order, round and round. */
  private choiceOf({ replicas }: TurnPlan): Choice {
    let count = 0;
    return {
      next: () => {
        const which = replicas[count % replicas.length] ?? 0;
        count += 1;
        const client = this.clients[which % this.clients.length];
        if (!client) throw new Error('There is no replica.');
        return client;
      },
    };
  }
}
