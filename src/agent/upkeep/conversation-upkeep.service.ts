import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { Config } from '../../common/config/config.js';
import type { Summary } from '../../conversations/conversation.entity.js';
import { ConversationsService } from '../../conversations/conversations.service.js';
import type { Message } from '../../conversations/message.entity.js';
import { titleOf } from '../../conversations/title.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import { historyLimit } from '../../memory/context/memory-context.js';
import { awaitAll } from '../../platform/database/await-all.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import { extractMemories, keepConversation, type KeptTurn } from './upkeep.job.js';
import { type Kept, KeptConversations, taskFor } from './kept-conversations.service.js';
import { nextRound, summaryTask } from './summary-task.js';
import { TaskModel } from './task-model.service.js';
import { titleTask } from './title-task.js';

/** Of one round's reading; what is left is read in the next. */
const MOST_MESSAGES = 200;

/** The summary as it stands then. Null: the model gave nothing. `overtaken`: it is another job's by now. */
type Taken = Summary | 'overtaken' | null;

/** What a turn leaves to be done once it has ended. */
export interface Upkeep {
  /** It was the first of its conversation. */
  title: boolean;
  /** Messages have left the window. */
  summary: boolean;
  /** The assistant notes what members say in passing. */
  memories: boolean;
  /** How many of the last messages the model's window has room for; left out: for as many as a prompt holds at most. */
  window?: number;
  /** What was said is to be recalled in other conversations. */
  index?: boolean;
}

/**
 * Keeps the titles and summaries of conversations, after turns and never in their way: what fails here is logged. A
 * summary is tried again after the next turn; a title stays the question's.
 */
@Injectable()
export class ConversationUpkeep implements OnApplicationBootstrap {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly kept: KeptConversations,
    private readonly conversations: ConversationsService,
    private readonly models: TaskModel,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(keepConversation, (kept, signal) => this.keep(kept, signal));
  }

  /** Has done what the turn leaves to be done, as part of the transaction that ends it. */
  async putInLine(tx: Transaction, turn: Turn, upkeep: Upkeep): Promise<void> {
    if (upkeep.index) await this.conversations.indexNew(tx, turn);
    const { companyId, id: turnId } = turn;
    const title = upkeep.title && this.config.conversations.titles === 'model';
    // Much may have been said since a turn in the background began.
    const summary = upkeep.summary || turn.backgroundAt !== null;
    const keep =
      title || summary
        ? this.jobs.enqueue(tx, keepConversation, { companyId, turnId, window: upkeep.window })
        : null;
    const extract = upkeep.memories ? this.jobs.enqueue(tx, extractMemories, { companyId, turnId }) : null;
    await awaitAll([keep, extract]);
  }

  /** Names and sums up, as far as that is due. What the model does wrong is logged; the database's failures reject. */
  async keep({ companyId, turnId, window = historyLimit }: KeptTurn, signal: AbortSignal): Promise<void> {
    const kept = await this.database.read(companyId, (tx) => this.kept.find(tx, turnId));
    if (!kept) return;
    if (this.config.conversations.titles === 'model') await this.title(kept, signal);
    await this.summarise(kept, window, signal);
  }

  private async title(kept: Kept, signal: AbortSignal): Promise<void> {
    const { turn, conversation, assistant } = kept;
    const exchange = await this.database.read(turn.companyId, (tx) =>
      this.conversations.findFirstExchange(tx, conversation.id),
    );
    // A title that is not the question's own was given before, by the model or in another way.
    if (!exchange || exchange.question.turnId !== turn.id) return;
    // It told of what has been forgotten since, and so would the title.
    if (exchange.answer?.withheld) return;
    const before = titleOf(exchange.question.text);
    if (conversation.title !== before) return;
    const task = titleTask(assistant.language, exchange.question.text, exchange.answer?.text ?? '');
    const title = await this.models.ask(task, taskFor(kept, 'TITLE'), signal);
    if (title === null) return;
    await this.database.transaction(turn.companyId, async (tx) => {
      const now = await this.conversations.findFirstExchange(tx, conversation.id);
      if (!now?.answer?.withheld) await this.conversations.rename(tx, conversation.id, { before, title });
    });
  }

  /** In rounds, each of which is kept: a history of thousands of messages is taken in over several jobs. */
  private async summarise(kept: Kept, window: number, signal: AbortSignal): Promise<void> {
    const { turn, conversation } = kept;
    let standing = await this.takeInLate(kept, signal);
    while (standing !== null && standing !== 'overtaken') {
      const request = { after: standing.summarisedUntil, window, limit: MOST_MESSAGES };
      const left = await this.database.read(turn.companyId, (tx) =>
        this.conversations.listOutsideWindow(tx, conversation.id, request),
      );
      const round = nextRound(left);
      const last = round.at(-1);
      if (!last) return;
      // Where another job was first, it has taken in what this one has.
      standing = await this.takeIn(kept, { standing, messages: round, until: last.id }, signal);
    }
  }

  /** An answer from the background stands beside its question: the summary may have gone past its place long ago. */
  private async takeInLate(kept: Kept, signal: AbortSignal): Promise<Taken> {
    const { turn, conversation } = kept;
    const { summarisedUntil: until } = conversation;
    if (turn.backgroundAt === null || until === null || turn.answerId > until) return conversation;
    const messages = await this.database.read(turn.companyId, (tx) =>
      this.conversations.listByIds(tx, [turn.questionId, turn.answerId]),
    );
    if (messages.at(-1)?.id !== turn.answerId) return conversation;
    const taken = await this.takeIn(kept, { standing: conversation, messages, until }, signal);
    if (taken !== 'overtaken') return taken;
    const again = await this.database.read(turn.companyId, (tx) => this.kept.find(tx, turn.id));
    return again && this.takeInLate(again, signal);
  }

  private async takeIn(
    kept: Kept,
    { standing, messages, until }: { standing: Summary; messages: readonly Message[]; until: string },
    signal: AbortSignal,
  ): Promise<Taken> {
    const { turn, conversation, assistant } = kept;
    const said = await this.database.read(turn.companyId, (tx) => this.kept.tell(tx, kept, messages));
    const task = summaryTask(assistant.language, standing.summary, said);
    const summary = await this.models.ask(task, taskFor(kept, 'SUMMARY'), signal);
    if (summary === null) return null;
    const next = { summary, summarisedUntil: until };
    const isKept = await this.database.transaction(turn.companyId, (tx) =>
      this.conversations.keepSummary(tx, conversation.id, standing, next),
    );
    return isKept ? next : 'overtaken';
  }
}
