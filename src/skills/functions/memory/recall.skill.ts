import { Calendar } from '../../../common/calendar.js';
import type { JsonObject, JsonValue } from '../../../common/json.js';
import type { Excerpt } from '../../../conversations/recall/excerpts.js';
import { Database } from '../../../database/database.js';
import { together } from '../../../database/together.js';
import { SearchIndex } from '../../../search/search-index.service.js';
import type { PreparedQuery } from '../../../search/search.js';
import { FunctionSkill } from '../../function-skill.decorator.js';
import type { Skill, SkillContext } from '../../skill.js';
import { EarlierMessages } from './earlier-messages.service.js';
import { memoryForModel } from './memory-results.js';
import { memoryWordingOf } from './memory-wording.js';
import { type Noted, NotedMemories } from './noted-memories.service.js';
import { readRecalling, recallParameters } from './recall-input.js';

/** Looks in what was noted, and in what was said before. */
@FunctionSkill()
export class RecallSkill implements Skill {
  readonly key = 'recall';
  readonly name = 'Recall';
  readonly description =
    'Looks in the memory for what was noted about the user, their projects, contacts and preferences, and in earlier ' +
    'conversations (que sais-tu de moi, qu’avions-nous décidé, rappelle-moi, qué sabes de mí, qué decidimos, recuérdame, ' +
    '你記得, 我們之前決定). Use it when an answer depends on something earlier that the prompt does not hold, when the ' +
    'user asks what is known of them, or to find the id of a note. It knows nothing of documents or of the web.';
  readonly parameters = recallParameters;
  readonly idempotent = true;
  readonly timeoutMs = 15_000;

  constructor(
    private readonly database: Database,
    private readonly search: SearchIndex,
    private readonly noted: NotedMemories,
    private readonly earlier: EarlierMessages,
    private readonly calendar: Calendar,
  ) {}

  async run(input: JsonObject, context: SkillContext): Promise<JsonValue> {
    const recalling = readRecalling(input, this.calendar);
    const query = await this.prepare(recalling.query, context);
    const timed =
      recalling.timedQuery === recalling.query ? query : await this.prepare(recalling.timedQuery, context);
    const [noted, excerpts] = await this.database.read(context.companyId, (tx) =>
      together([
        this.noted.find(tx, context.memberId, query, recalling.range),
        timed ? this.earlier.find(tx, timed, recalling.isInRange, context) : [],
      ]),
    );
    return this.resultOf(noted, excerpts, context.language);
  }

  private async prepare(query: string | null, { signal }: SkillContext): Promise<PreparedQuery | null> {
    return query === null ? null : this.search.prepare(query, signal);
  }

  private resultOf({ memories, isAll }: Noted, excerpts: readonly Excerpt[], language: string): JsonObject {
    const wording = memoryWordingOf(language);
    const found = memories.length + excerpts.length > 0;
    const summary = found ? wording.recalled(memories.length, excerpts.length) : wording.nothingRecalled;
    return {
      summary: isAll ? summary : wording.notAll(summary),
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
