import { z } from 'zod';
import { parametersOf, readInput } from '@palabre/plugin';
import type { JsonObject, JsonValue } from '@palabre/json';

import { Calendar } from '../../../common/calendar.js';
import { parseId } from '../../../common/ids.js';
import { counted, wordingIn } from '../../../common/wording/wording.js';
import { Database } from '../../../platform/database/database.js';
import { retryOnDeadlock } from '../../../platform/database/retry-on-deadlock.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { type Memory, type MemoryKind, memoryKinds } from '../../../memory/memory.entity.js';
import { memoryScopesOf } from '../../../memory/memory-index.service.js';
import { MemoryWriter } from '../../../memory/memory-writer.service.js';
import { SeenMemoryRepository } from '../../../memory/seen-memory.repository.js';
import { SearchIndex } from '../../../documents/search-index/search-index.service.js';
import { FunctionSkill } from '../../function-skill.decorator.js';
import { ArgumentsError, changesHere, type Skill, type SkillContext, SkillError } from '../../skill.js';
import { memoryForModel, explainToModel } from './memory-answers.js';

const MAX_CANDIDATES = 5;

const Input = z
  .strictObject({
    id: z.string().min(1).max(60).optional().describe('As recall gave it.'),
    subject: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe('Instead of an id: its subject, as noted.'),
    kind: z.enum(memoryKinds).optional().describe('Where several have the subject.'),
  })
  .refine(({ id, subject }) => id !== undefined || subject !== undefined, 'Give an id or a subject.')
  .meta({ minProperties: 1 });

type Wanted = { id: string } | { subject: string; kinds: readonly MemoryKind[] };

/** Erases one note. Results are stored, so they do not mention the erased text. */
@FunctionSkill()
export class ForgetMemorySkill implements Skill {
  readonly key = 'forget_memory';
  readonly name = wordingIn('en').skillNames.forget_memory;
  readonly description =
    'Erases one note for good. Only when the user asks for it. Where several notes may be meant nothing is erased: ask ' +
    'which one, then call it with its id. To correct a note use remember.';
  readonly parameters = parametersOf(Input);
  /** Only an exactly named note is erased, so a second call finds nothing. */
  readonly idempotent = true;
  readonly timeoutMs = 10_000;
  readonly effect = changesHere;

  constructor(
    private readonly database: Database,
    private readonly memories: SeenMemoryRepository,
    private readonly writer: MemoryWriter,
    private readonly search: SearchIndex,
    private readonly calendar: Calendar,
  ) {}

  async run(input: JsonObject, context: SkillContext): Promise<JsonValue> {
    const { id, subject = '', kind } = readInput(Input, input);
    const wanted = id === undefined ? { subject, kinds: kind ? [kind] : memoryKinds } : { id };
    return explainToModel(() =>
      // See MemoriesService.forget.
      retryOnDeadlock(() =>
        this.database.transaction(context.companyId, (tx) => this.forget(tx, wanted, context)),
      ),
    );
  }

  private async forget(tx: Transaction, wanted: Wanted, context: SkillContext): Promise<JsonObject> {
    const wording = wordingIn(context.language).memorySkills;
    const meant = await this.find(tx, wanted, context);
    const own = meant.filter(({ ownerId }) => ownerId !== null || context.role !== 'MEMBER');
    const [memory, ...others] = own;
    if (!memory) {
      if (meant.length > 0) throw new SkillError(wording.sharedIsForAdmins);
      return 'id' in wanted ? unknownId() : this.near(tx, wanted, context);
    }
    if (others.length > 0) return this.candidatesOf(own, counted(wording.whichOne, own.length));
    await this.writer.forget(tx, context, memory.id);
    return { summary: wording.forgotten[memory.kind], forgotten: { kind: memory.kind } };
  }

  /** Memories in force. Their earlier versions are erased with them. */
  private async find(tx: Transaction, wanted: Wanted, { memberId }: SkillContext): Promise<Memory[]> {
    if ('subject' in wanted) return this.memories.listOfSubject(tx, memberId, wanted.subject, wanted.kinds);
    const id = parseId(wanted.id);
    const [version] = id === null ? [] : await this.memories.findMany(tx, memberId, [id]);
    if (!version || version.supersededBy === null) return version ? [version] : [];
    const current = await this.memories.findInForce(tx, memberId, version.lineageId);
    return current ? [current] : [];
  }

  /** Similar subjects are shown, never erased. */
  private async near(
    tx: Transaction,
    { subject, kinds }: { subject: string; kinds: readonly MemoryKind[] },
    { memberId, language }: SkillContext,
  ): Promise<JsonObject> {
    const scopes = memoryScopesOf(memberId);
    const request = { scopes, limit: 2 * MAX_CANDIDATES };
    const { hits } = await this.search.search(tx, this.search.prepareWords(subject), request);
    const ids = hits.map(({ id }) => id);
    const found = await this.memories.findMany(tx, memberId, ids);
    const near = ids
      .flatMap((id) => found.find((memory) => memory.id === id) ?? [])
      .filter(({ kind }) => kinds.includes(kind))
      .slice(0, MAX_CANDIDATES);
    const wording = wordingIn(language).memorySkills;
    if (near.length === 0) return { summary: wording.nothingToForget, forgotten: null };
    return this.candidatesOf(near, `${wording.nothingToForget} ${counted(wording.whichOne, near.length)}`);
  }

  private candidatesOf(memories: readonly Memory[], summary: string): JsonObject {
    const candidates = memories.map((memory) => memoryForModel(memory, this.calendar));
    return { summary, forgotten: null, candidates };
  }
}

function unknownId(): never {
  throw new ArgumentsError(
    'There is no note with this id, or it is forgotten already. recall gives the ids that there are.',
  );
}
