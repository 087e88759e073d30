import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { Config } from '../../common/config/config.js';
import { ConversationsService } from '../../conversations/conversations.service.js';
import { MessageIndex } from '../../conversations/message-index.service.js';
import type { Message } from '../../conversations/message.repository.js';
import {
  type ConversationSummary,
  MessagePathRepository,
} from '../../conversations/message-path.repository.js';
import { titleOf } from '../../conversations/title.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import { historyLimit } from '../../memory/context/memory-context.js';
import { awaitAll, type Transaction } from '../../platform/database/transaction.js';
import { Database } from '../../platform/database/database.js';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import { extractMemories, keepConversation, type KeptTurn } from './upkeep.job.js';
import { type Kept, KeptConversations, taskFor } from './kept-conversations.service.js';
import { nextRound, summaryTask } from './summary-task.js';
import { TaskModel } from './task-model.service.js';
import { titleTask } from './title-task.js';

/**
 * Once a message has left the window, so many that are still in it are taken into the summary too. So several turns need
 * one model call, and the prompts between begin alike.
 */
const AHEAD = 6;
/** Of one round's reading; what is left is read in the next. */
const MAX_MESSAGES = 200;

/** What a summary takes in besides the one that stands. */
interface TakenIn {
  /** Null: there is none yet. */
  standing: ConversationSummary | null;
  messages: readonly Message[];
  until: string;
  window: number;
}

/** Whether messages were taken into the summary. `overtaken`: another job has stored one meanwhile. */
type Taken = 'taken' | 'overtaken' | 'failed';

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

/** What fails here is logged: a summary is tried again after the next turn, a title stays the question's. */
@Injectable()
export class ConversationUpkeep implements OnApplicationBootstrap {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly kept: KeptConversations,
    private readonly conversations: ConversationsService,
    private readonly paths: MessagePathRepository,
    private readonly index: MessageIndex,
    private readonly models: TaskModel,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(keepConversation, (kept, signal) => this.keep(kept, signal));
  }

  /** Has done what the turn leaves to be done, as part of the transaction that ends it. */
  async putInLine(tx: Transaction, turn: Turn, upkeep: Upkeep): Promise<void> {
    if (upkeep.index) await this.index.putTurn(tx, turn);
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
    if (conversation.titledByMember || conversation.title !== before) return;
    const task = titleTask(assistant.language, exchange.question.text, exchange.answer?.text ?? '');
    const title = await this.models.ask(task, taskFor(kept, 'TITLE'), signal);
    if (title === null) return;
    await this.database.transaction(turn.companyId, async (tx) => {
      const now = await this.conversations.findFirstExchange(tx, conversation.id);
      if (!now?.answer?.withheld) await this.conversations.setTitle(tx, conversation.id, title, before);
    });
  }

  /** In rounds, each of which is kept: a history of thousands of messages is taken in over several jobs. */
  private async summarise(kept: Kept, window: number, signal: AbortSignal): Promise<void> {
    const { turn } = kept;
    let taken = await this.takeInLate(kept, window, signal);
    while (taken === 'taken') {
      const [standing, round] = await this.database.read(turn.companyId, async (tx) => {
        const leaf = (await this.conversations.findMessageIn(tx, turn.answerId))?.id ?? turn.questionId;
        const summary = await this.paths.findSummary(tx, { leaf });
        const request = { leaf, after: summary?.untilId ?? null, window, limit: MAX_MESSAGES };
        const due = await this.paths.listOutsideWindow(tx, { ...request, limit: 1 });
        if (due.length === 0) return [summary, []];
        const joined = { ...request, window: Math.max(1, window - AHEAD) };
        return [summary, nextRound(await this.paths.listOutsideWindow(tx, joined))];
      });
      const last = round.at(-1);
      if (!last) return;
      // Where another job was first, it has taken in what this one has.
      taken = await this.takeIn(kept, { standing, messages: round, until: last.id, window }, signal);
    }
  }

  /** An answer from the background stands beside its question: the summary may have gone past its place long ago. */
  private async takeInLate(kept: Kept, window: number, signal: AbortSignal): Promise<Taken> {
    const { turn } = kept;
    if (turn.backgroundAt === null) return 'taken';
    const [standing, messages, isOnShownPath] = await this.database.read(turn.companyId, (tx) =>
      awaitAll([
        this.paths.findShownSummary(tx, turn.conversationId),
        this.conversations.listByIds(tx, [turn.questionId, turn.answerId]),
        this.paths.isShown(tx, turn.answerId),
      ]),
    );
    const isLate = standing !== null && turn.answerId <= standing.untilId;
    const answer = messages.find(({ id }) => id === turn.answerId);
    if (!isLate || !answer || !isOnShownPath) return 'taken';
    const { untilId: until } = standing;
    const taken = await this.takeIn(kept, { standing, messages, until, window }, signal);
    return taken === 'overtaken' ? this.takeInLate(kept, window, signal) : taken;
  }

  private async takeIn(
    kept: Kept,
    { standing, messages, until, window }: TakenIn,
    signal: AbortSignal,
  ): Promise<Taken> {
    const { turn, assistant } = kept;
    const said = await this.database.read(turn.companyId, (tx) => this.kept.tell(tx, kept, messages));
    const task = summaryTask(assistant.language, standing?.text ?? null, said);
    const text = await this.models.ask(task, taskFor(kept, 'SUMMARY'), signal);
    if (text === null) return 'failed';
    const isKept = await this.database.transaction(turn.companyId, (tx) =>
      this.paths.keepSummary(tx, { before: standing, until, text, window }),
    );
    return isKept ? 'taken' : 'overtaken';
  }
}
