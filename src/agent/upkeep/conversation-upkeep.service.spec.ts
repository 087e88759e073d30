import type { Config } from '../../common/config/config.js';
import type { ConversationsService } from '../../conversations/conversations.service.js';
import type { MessagePathRepository } from '../../conversations/message-path.repository.js';
import type { MessageIndex } from '../../conversations/message-index.service.js';
import type { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { MemoryJobQueue, type WaitingWork } from '../../platform/jobs/memory-job-queue.double.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import type { ToldMessage } from '../unanswered.js';
import { historyLimit } from '../../memory/context/memory-context.js';
import { ConversationUpkeep } from './conversation-upkeep.service.js';
import type { KeptConversations } from './kept-conversations.service.js';
import type { TaskModel } from './task-model.service.js';

const turn = {
  companyId: 'nord',
  id: 'turn',
  memberId: 'awa',
  conversationId: 'c',
  backgroundAt: null,
} as Turn;
const { signal } = new AbortController();
const tx = {} as Transaction;

interface Given {
  titles?: 'model' | 'question';
  title?: string;
  summarisedUntil?: string | null;
  /** The turn of the first question; null: there is no question. */
  firstTurnId?: string | null;
  /** How many messages have left the window. */
  left?: number;
  /** What the model gives, one task after the other. */
  answers?: (string | null)[];
  /** Another job has kept a summary first: always, or as often as this. */
  isLate?: boolean | number;
  /** The turn was in the background, and its answer's id is this. */
  backgroundAnswerId?: string;
  /** False: the path that is shown does not go through its answer. */
  isShown?: boolean;
  isGone?: boolean;
}

/** A conversation whose messages are 20,000 characters long and have ids from m1 on. */
function start(given: Given = {}) {
  const { titles = 'model', firstTurnId = 'turn', left = 0, answers = [] } = given;
  const asked: { purpose: string; prompt: string }[] = [];
  const renamed: unknown[] = [];
  const summaries: unknown[] = [];
  const jobs = new MemoryJobQueue();
  const windows: number[] = [];
  const messages = Array.from({ length: left }, (_, index) => ({
    id: `m${index + 1}`,
    role: 'USER',
    text: `${index + 1}${'a'.repeat(20_000)}`,
  }));
  const conversation = { id: 'c', title: given.title ?? 'How much?' };
  let standing = given.summarisedUntil ? { text: '- Old.', untilId: given.summarisedUntil } : null;
  const findSummary = async () => standing;
  const conversations = {
    findFirstExchange: async () =>
      firstTurnId && { question: { turnId: firstTurnId, text: 'How much?\nSay it.' }, answer: null },
    setTitle: async (_tx: Transaction, _id: string, title: string | null, before?: string) =>
      void renamed.push({ before, title }),
    findMessageIn: async (_tx: Transaction, id: string) => ({ id }),
    listByIds: async (_tx: Transaction, ids: readonly string[]) =>
      messages.filter(({ id }) => ids.includes(id)),
  };
  const paths = {
    findSummary,
    findShownSummary: findSummary,
    isShown: async () => given.isShown ?? true,
    listOutsideWindow: async (
      _tx: Transaction,
      request: { after: string | null; window: number; limit: number },
    ) => {
      windows.push(request.window);
      const from = messages.findIndex(({ id }) => id === request.after) + 1;
      return messages.slice(from, from + request.limit);
    },
    keepSummary: async (
      _tx: Transaction,
      { before, until, text }: { before: typeof standing; until: string; text: string },
    ) => {
      const next = { text, untilId: until };
      summaries.push([before, next]);
      const isKept = typeof given.isLate === 'number' ? (given.isLate -= 1) < 0 : !given.isLate;
      if (isKept) standing = next;
      else if (standing) standing = { ...standing, text: '- Theirs.' };
      return isKept;
    },
  };
  const database: Pick<Database, 'read' | 'transaction'> = {
    read: (_company, work) => work(tx),
    transaction: (_company, work) => work(tx),
  };
  const models = {
    ask: async (task: { messages: { content: string }[] }, { purpose }: { purpose: string }) => {
      asked.push({ purpose, prompt: task.messages[1]?.content ?? '' });
      return answers.shift() ?? null;
    },
  };
  const { backgroundAnswerId: answerId = 'm1' } = given;
  const backgroundAt = given.backgroundAnswerId ? new Date(0) : null;
  const kept = {
    turn: { ...turn, questionId: 'm1', answerId, backgroundAt },
    assistant: { key: 'mefali', language: 'en', model: null },
  };
  const upkeep = new ConversationUpkeep(
    { conversations: { titles } } as Config,
    database as Database,
    jobs,
    {
      find: async () => (given.isGone ? null : { ...kept, conversation: { ...conversation } }),
      tell: async (_tx: Transaction, _kept: unknown, said: readonly ToldMessage[]) =>
        said.flatMap((message): ToldMessage[] => [message, { role: 'ASSISTANT', text: 'It was cancelled.' }]),
    } as unknown as KeptConversations,
    conversations as unknown as ConversationsService,
    paths as unknown as MessagePathRepository,
    {} as MessageIndex, // for assistants that recall conversations
    models as unknown as TaskModel,
  );
  const keep = (window?: number) => upkeep.keep({ companyId: 'nord', turnId: 'turn', window }, signal);
  return { upkeep, keep, asked, renamed, summaries, jobs, windows };
}

function ofTheTurn(name: string): WaitingWork {
  return {
    name,
    data: { companyId: 'nord', turnId: 'turn' },
    startAfterSeconds: 0,
  };
}

describe('what a turn leaves to be done', () => {
  it.each([
    ['model', { title: true, summary: false, memories: false }, ['keep-conversation']],
    ['question', { title: true, summary: false, memories: false }, []],
    ['question', { title: false, summary: true, memories: false }, ['keep-conversation']],
    ['model', { title: false, summary: false, memories: false }, []],
    ['question', { title: true, summary: false, memories: true }, ['extract-memories']],
    ['model', { title: true, summary: false, memories: true }, ['keep-conversation', 'extract-memories']],
  ] as const)('is put in line when there is anything: titles of the %s, %j', async (titles, left, names) => {
    const { upkeep, jobs } = start({ titles });
    await upkeep.putInLine(tx, turn, left);
    expect(jobs.waiting).toEqual(names.map(ofTheTurn));
  });

  it('is nothing when it is gone', async () => {
    const { keep, asked } = start({ isGone: true, left: 9 });
    await keep();
    expect(asked).toEqual([]);
  });
});

describe('the title of a conversation', () => {
  it('is the model’s after the first turn, in the place of the question’s', async () => {
    const { keep, asked, renamed } = start({ answers: ['Footprint'] });
    await keep();
    expect(asked.map(({ purpose }) => purpose)).toEqual(['TITLE']);
    expect(renamed).toEqual([{ before: 'How much?', title: 'Footprint' }]);
  });

  it.each<[string, Given]>([
    ['another turn was the first', { firstTurnId: 'another' }],
    ['there is no question any more', { firstTurnId: null }],
    ['it has been given one', { title: 'My footprint' }],
    ['titles are the questions’', { titles: 'question' }],
  ])('stays when %s, and nobody is asked', async (_, given) => {
    const { keep, asked, renamed } = start({ ...given, answers: ['Footprint'] });
    await keep();
    expect([asked, renamed]).toEqual([[], []]);
  });

  it('stays when the model gives nothing', async () => {
    const { keep, renamed } = start({ answers: [null] });
    await keep();
    expect(renamed).toEqual([]);
  });
});

describe('the summary of a conversation', () => {
  const named = { titles: 'question' } as const;
  const upTo6 = { text: '- Old.', untilId: 'm6' };

  it('takes in what the model’s window had no room for', async () => {
    const { keep, windows } = start({ ...named, left: 1, answers: ['- One.'] });
    await keep(6);
    expect(windows[0]).toBe(6);
    expect(new Set(windows)).toEqual(new Set([6, 1]));
  });

  it('takes in what has left the window, in batches, each of which is kept', async () => {
    const { keep, asked, summaries, windows } = start({ ...named, left: 7, answers: ['- One.', '- Two.'] });
    await keep();
    // As many as fit into a prompt, then the rest.
    expect(summaries).toEqual([
      [null, { text: '- One.', untilId: 'm5' }],
      [
        { text: '- One.', untilId: 'm5' },
        { text: '- Two.', untilId: 'm7' },
      ],
    ]);
    expect(asked.map(({ prompt }) => prompt.slice(0, 40))).toEqual([
      expect.stringMatching(/^# New messages/),
      expect.stringMatching(/^# Summary so far\n- One\./),
    ]);
    expect(new Set(windows)).toEqual(new Set([historyLimit, historyLimit - 6]));
  });

  it('takes in what became of questions that were not answered', async () => {
    const { keep, asked, summaries } = start({ ...named, left: 1, answers: ['- One.'] });
    await keep();
    expect(asked[0]?.prompt).toMatch(/> 1a+…\n\nAssistant:\n> It was cancelled\.$/);
    expect(summaries).toEqual([[null, { text: '- One.', untilId: 'm1' }]]);
  });

  it('goes on from what it holds already', async () => {
    const { keep, asked, summaries } = start({
      ...named,
      left: 7,
      summarisedUntil: 'm6',
      answers: ['- Seven.'],
    });
    await keep();
    expect(asked).toHaveLength(1);
    expect(summaries).toEqual([[upTo6, { text: '- Seven.', untilId: 'm7' }]]);
  });

  it('is left as it is when the model gives nothing: the next turn tries again', async () => {
    const { keep, asked, summaries } = start({ ...named, left: 7, answers: [null, '- Two.'] });
    await keep();
    expect([asked.length, summaries.length]).toEqual([1, 0]);
  });

  it('is left to another job that was first', async () => {
    const { keep, asked } = start({ ...named, left: 7, isLate: true, answers: ['- One.', '- Two.'] });
    await keep();
    expect(asked).toHaveLength(1);
  });

  describe('of a turn in the background', () => {
    const late = { ...named, left: 7, summarisedUntil: 'm6', backgroundAnswerId: 'm3' };

    it('takes in its answer too, though what came after it is in there', async () => {
      const { keep, asked, summaries } = start({ ...late, answers: ['- Late.', '- Seven.'] });
      await keep();
      expect(asked[0]?.prompt).toMatch(/Member:\n> 1a+…\n[^]*Member:\n> 3a+/);
      const taken = { text: '- Late.', untilId: 'm6' };
      expect(summaries).toEqual([
        [upTo6, taken],
        [taken, { text: '- Seven.', untilId: 'm7' }],
      ]);
    });

    it('takes it in on top of what another job kept meanwhile', async () => {
      const { keep, asked, summaries } = start({
        ...late,
        isLate: 1,
        answers: ['- Late.', '- Both.', '- Seven.'],
      });
      await keep();
      expect(asked[1]?.prompt).toMatch(/^# Summary so far\n- Theirs\.[^]*> 3a/);
      expect(summaries[1]).toEqual([
        { text: '- Theirs.', untilId: 'm6' },
        { text: '- Both.', untilId: 'm6' },
      ]);
    });

    it.each<[string, Given]>([
      ['comes after what is in there', { backgroundAnswerId: 'm7' }],
      ['is not there', { backgroundAnswerId: 'm0' }],
      ['is not to be told of', { answers: [null] }],
      ['is in a branch that is not shown', { isShown: false }],
    ])('goes on as ever where the answer %s', async (_, given) => {
      const { keep, asked } = start({ ...late, answers: ['- Seven.'], ...given });
      await keep();
      expect(asked).toHaveLength(1);
    });

    it('is looked at, however few messages there were when it began', async () => {
      const { upkeep, jobs } = start(named);
      const background = { ...turn, backgroundAt: new Date(0) };
      await upkeep.putInLine(tx, background, { title: false, summary: false, memories: false });
      expect(jobs.waiting).toEqual([ofTheTurn('keep-conversation')]);
    });
  });
});
