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
import { nextBatch, summaryTask } from './summary-task.js';
import { TaskModel } from './task-model.service.js';
import { titleTask } from './title-task.js';

/**
 * When a message leaves the window, this many more go into the summary, so that one model call is enough for several
 * turns, and prompts begin alike meanwhile.
 */
const AHEAD = 6;
const MAX_MESSAGES = 200;

/** What a new summary includes besides the current one. */
interface TakenIn {
  /** Null: no summary yet. */
  standing: ConversationSummary | null;
  messages: readonly Message[];
  until: string;
  window: number;
}

/** Whether messages were summarised. `overtaken`: another job stored a summary meanwhile. */
type Taken = 'taken' | 'overtaken' | 'failed';

/** The work that a turn leaves after its end. */
export interface Upkeep {
  /** Whether it was the first turn of its conversation. */
  title: boolean;
  /** Messages have left the window. */
  summary: boolean;
  /** The assistant learns memories. */
  memories: boolean;
  /** How many of the last messages fit into the model's window. Default: as many as a prompt has at most. */
  window?: number;
  /** The messages are to be recalled in other conversations. */
  index?: boolean;
}

/** Failures are logged. A summary is tried again after the next turn; a title stays the question. */
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

  /** Enqueues the work after a turn, in the transaction that ends it. */
  async putInLine(tx: Transaction, turn: Turn, upkeep: Upkeep): Promise<void> {
    if (upkeep.index) await this.index.putTurn(tx, turn);
    const { companyId, id: turnId } = turn;
    const title = upkeep.title && this.config.conversations.titles === 'model';
    // Much may have been said since a background turn began.
    const summary = upkeep.summary || turn.backgroundAt !== null;
    const keep =
      title || summary
        ? this.jobs.enqueue(tx, keepConversation, { companyId, turnId, window: upkeep.window })
        : null;
    const extract = upkeep.memories ? this.jobs.enqueue(tx, extractMemories, { companyId, turnId }) : null;
    await awaitAll([keep, extract]);
  }

  /** Makes title and summary where due. Logs the model's errors; rejects with the database's. */
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
    if (!exchange || exchange.question.turnId !== turn.id) return;
    // The answer used forgotten memories, and so would the title.
    if (exchange.answer?.withheld) return;
    // Any title but the question's was given before, by the model or otherwise.
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

  /** Works in batches and stores each: thousands of messages take several jobs. */
  private async summarise(kept: Kept, window: number, signal: AbortSignal): Promise<void> {
    const { turn } = kept;
    let taken = await this.takeInLate(kept, window, signal);
    while (taken === 'taken') {
      const [standing, batch] = await this.database.read(turn.companyId, async (tx) => {
        const leaf = (await this.conversations.findMessageIn(tx, turn.answerId))?.id ?? turn.questionId;
        const summary = await this.paths.findSummary(tx, { leaf });
        const request = { leaf, after: summary?.untilId ?? null, window, limit: MAX_MESSAGES };
        const due = await this.paths.listOutsideWindow(tx, { ...request, limit: 1 });
        if (due.length === 0) return [summary, []];
        const joined = { ...request, window: Math.max(1, window - AHEAD) };
        return [summary, nextBatch(await this.paths.listOutsideWindow(tx, joined))];
      });
      const last = batch.at(-1);
      if (!last) return;
      // If another job was first, its summary includes these messages.
      taken = await this.takeIn(kept, { standing, messages: batch, until: last.id, window }, signal);
    }
  }

  /** A background answer comes late, beside its question. The summary may have passed its place already. */
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
