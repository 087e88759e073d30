import { z } from 'zod';
import { parametersOf, readInput } from '@palabre/plugin';
import type { JsonObject, JsonValue } from '@palabre/json';

import { Calendar } from '../../../common/calendar.js';
import { DAY_MS } from '../../../common/clock.js';
import { counted, fill, wordingIn } from '../../../common/wording/wording.js';
import { contextSections } from '../../../memory/context/memory-context.js';
import { memoryKinds, type MemoryRange } from '../../../memory/memory.entity.js';
import { readsOwn, type Skill, type SkillContext } from '../../skill.js';
import type { Excerpt } from '../../../conversations/recall/excerpts.js';
import { Database } from '../../../platform/database/database.js';
import { awaitAll } from '../../../platform/database/transaction.js';
import { SearchIndex } from '../../../documents/search-index/search-index.service.js';
import type { PreparedQuery } from '../../../documents/search-index/search.js';
import { FunctionSkill } from '../../function-skill.decorator.js';
import { EarlierMessages, type Noted, NotedMemories } from './recall-sources.service.js';
import { memoryForModel } from './memory-answers.js';

const MAX_QUERY_CHARACTERS = 500;

/** Models write 0000-01-01 and 9999-12-31 for no bounds, and PostgreSQL refuses dates beyond its range. */
const EARLIEST = Date.parse('1900-01-01');
const LATEST = Date.parse('9999-12-31');

function day(description: string) {
  return z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'A day is written YYYY-MM-DD.')
    .refine((text) => z.iso.date().safeParse(text).success, 'There is no such day.')
    .optional()
    .describe(description);
}

const Input = z
  .strictObject({
    query: z
      .string()
      .trim()
      .min(1)
      .max(MAX_QUERY_CHARACTERS)
      .optional()
      .describe('Names, topics or the question. Left out: what was noted last.'),
    kinds: z
      .array(z.enum(contextSections))
      .min(1)
      .meta({ uniqueItems: true })
      .optional()
      .describe('Only these; CONVERSATION: what was said earlier. Left out: all.'),
    from: day('First day, YYYY-MM-DD.'),
    to: day('Last day.'),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['to'],
    error: 'This is before from.',
  });

interface RecallRequest {
  /** Null: the latest notes. */
  query: string | null;
  /** The range of requested notes. */
  range: MemoryRange;
  /** The query for earlier messages, with the requested days. Null: messages are not searched. */
  timedQuery: string | null;
  isInRange(date: Date): boolean;
}

/** Throws SkillError. */
function readRequest(input: JsonObject, calendar: Calendar): RecallRequest {
  const { query = null, kinds = contextSections, from, to } = readInput(Input, input);
  // Days are part of the query as words, so that messages of that day are found without any other word in common.
  const timed = [query, from, to === from ? undefined : to].filter((part) => part != null).join(' ');
  const startOf = (time: number): number => calendar.momentOf(new Date(time)).getTime();
  const first = from === undefined ? -Infinity : startOf(Date.parse(from));
  const end = to === undefined ? Infinity : startOf(Date.parse(to) + DAY_MS);
  return {
    query,
    range: {
      kinds: memoryKinds.filter((kind) => kinds.includes(kind)),
      from: momentOf(first),
      before: momentOf(end),
    },
    timedQuery: kinds.includes('CONVERSATION') && timed !== '' ? timed : null,
    isInRange: (date) => date.getTime() >= first && date.getTime() < end,
  };
}

function momentOf(time: number): Date {
  return new Date(Math.min(Math.max(time, EARLIEST), LATEST));
}

/** Searches memories and earlier conversations. */
@FunctionSkill()
export class RecallSkill implements Skill {
  readonly key = 'recall';
  readonly name = wordingIn('en').skillNames.recall;
  readonly description =
    'Looks in the notes about the user, their projects, contacts and preferences, and in earlier conversations. Use it ' +
    'when the answer depends on something earlier that you do not see, when the user asks what is known of them, or for ' +
    'the id of a note. Not for documents or the web.';
  readonly parameters = parametersOf(Input);
  readonly idempotent = true;
  readonly timeoutMs = 15_000;
  readonly effect = readsOwn;

  constructor(
    private readonly database: Database,
    private readonly search: SearchIndex,
    private readonly noted: NotedMemories,
    private readonly earlier: EarlierMessages,
    private readonly calendar: Calendar,
  ) {}

  async run(input: JsonObject, context: SkillContext): Promise<JsonValue> {
    const request = readRequest(input, this.calendar);
    const query = await this.prepare(request.query, context);
    const timed =
      request.timedQuery === request.query ? query : await this.prepare(request.timedQuery, context);
    const [noted, excerpts] = await this.database.read(context.companyId, (tx) =>
      awaitAll([
        this.noted.find(tx, context, query, request.range),
        timed ? this.earlier.find(tx, timed, request.isInRange, context) : [],
      ]),
    );
    return this.resultOf(noted, excerpts, context.language);
  }

  private async prepare(query: string | null, { signal }: SkillContext): Promise<PreparedQuery | null> {
    return query === null ? null : this.search.prepare(query, signal);
  }

  private resultOf({ memories, isAll }: Noted, excerpts: readonly Excerpt[], language: string): JsonObject {
    const wording = wordingIn(language).memorySkills;
    const found = memories.length + excerpts.length > 0;
    const notes = counted(wording.notes, memories.length);
    const said = counted(wording.excerpts, excerpts.length);
    const summary = found ? fill(wording.recalled, { notes, excerpts: said }) : wording.nothingRecalled;
    return {
      summary: isAll ? summary : fill(wording.notAll, { summary }),
      ...(isAll ? {} : { moreMemories: true }),
      memories: memories.map((memory) => memoryForModel(memory, this.calendar)),
      conversations: excerpts.map(({ messages, text }) => ({
        date: messages[0] ? this.calendar.dayOf(messages[0].createdAt) : null,
        messageIds: messages.map(({ id }) => id),
        text,
      })),
    };
  }
}
