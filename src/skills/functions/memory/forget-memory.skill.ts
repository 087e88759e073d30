import { z } from 'zod';

import { Calendar } from '../../../common/calendar.js';
import { parseId } from '../../../common/ids.js';
import type { JsonObject, JsonValue } from '../../../common/json.js';
import { Database } from '../../../database/database.js';
import { despiteDeadlock } from '../../../database/despite-deadlock.js';
import type { Transaction } from '../../../database/transaction.js';
import { type Memory, type MemoryKind, memoryKinds } from '../../../memory/memory.entity.js';
import { MemoryReader, memoryScopesOf } from '../../../memory/memory-reader.service.js';
import { MemoryWriter } from '../../../memory/memory-writer.service.js';
import { SearchIndex } from '../../../search/search-index.service.js';
import { FunctionSkill } from '../../function-skill.decorator.js';
import { type Skill, type SkillContext, SkillError } from '../../skill.js';
import { memoryForModel, toldToModel } from './memory-results.js';
import { memoryWordingOf } from './memory-wording.js';

const MOST_CANDIDATES = 5;

const Input = z
  .strictObject({
    id: z.string().optional(),
    subject: z.string().trim().min(1).max(200).optional(),
    kind: z.enum(memoryKinds).optional(),
  })
  .refine(({ id, subject }) => id !== undefined || subject !== undefined, 'Give an id or a subject.');

type Wanted = { id: string } | { subject: string; kinds: readonly MemoryKind[] };

/** Erases one note. Its results say nothing of what was erased, for they are kept. */
@FunctionSkill()
export class ForgetMemorySkill implements Skill {
  readonly key = 'forget_memory';
  readonly name = 'Forget';
  readonly description =
    'Erases one note from the memory for good, with its earlier versions (oublie, efface de ta mémoire, olvida, borra, ' +
    '忘記, 忘掉). Use it only when the user asks for it. Give the subject as it was noted, or the id that recall gave. ' +
    'When several notes may be meant nothing is erased: show them to the user, ask which one, then call again with its ' +
    'id. To correct a note use remember instead.';
  readonly parameters: JsonObject = {
    type: 'object',
    additionalProperties: false,
    minProperties: 1,
    properties: {
      id: { type: 'string', minLength: 1, maxLength: 60, description: 'The note’s id, as recall gave it.' },
      subject: {
        type: 'string',
        minLength: 1,
        maxLength: 200,
        description: 'Instead of an id: the subject of the note, not its content.',
      },
      kind: {
        type: 'string',
        enum: [...memoryKinds],
        description: 'Beside a subject, when notes of several kinds have it.',
      },
    },
  };
  /** Only what is named exactly is erased: once it is gone, the same call finds nothing to erase. */
  readonly idempotent = true;
  readonly timeoutMs = 10_000;

  constructor(
    private readonly database: Database,
    private readonly memories: MemoryReader,
    private readonly writer: MemoryWriter,
    private readonly search: SearchIndex,
    private readonly calendar: Calendar,
  ) {}

  async run(input: JsonObject, context: SkillContext): Promise<JsonValue> {
    const parsed = Input.safeParse(input);
    if (!parsed.success) throw new SkillError(`The arguments do not fit:\n${z.prettifyError(parsed.error)}`);
    const { id, subject = '', kind } = parsed.data;
    const wanted = id === undefined ? { subject, kinds: kind ? [kind] : memoryKinds } : { id };
    return toldToModel(() =>
      // See MemoriesService.forget.
      despiteDeadlock(() =>
        this.database.transaction(context.companyId, (tx) => this.forget(tx, wanted, context)),
      ),
    );
  }

  private async forget(tx: Transaction, wanted: Wanted, context: SkillContext): Promise<JsonObject> {
    const wording = memoryWordingOf(context.language);
    const meant = await this.find(tx, wanted, context);
    const own = meant.filter(({ ownerId }) => ownerId !== null || context.role !== 'MEMBER');
    const [memory, ...others] = own;
    if (!memory) {
      if (meant.length > 0) throw new SkillError(wording.sharedIsForAdmins);
      return 'id' in wanted ? unknownId() : this.near(tx, wanted, context);
    }
    if (others.length > 0) return this.candidatesOf(own, wording.whichOne(own.length));
    await this.writer.forget(tx, context, memory.id);
    return { summary: wording.forgotten[memory.kind], forgotten: { kind: memory.kind } };
  }

  /** In force: what is before it goes with it. */
  private async find(tx: Transaction, wanted: Wanted, { memberId }: SkillContext): Promise<Memory[]> {
    if ('subject' in wanted) {
      return this.memories.listOfSubject(tx, memberId, wanted.subject, wanted.kinds);
    }
    const id = parseId(wanted.id);
    const [version] = id === null ? [] : await this.memories.findMany(tx, memberId, [id]);
    if (!version || version.supersededBy === null) return version ? [version] : [];
    const current = await this.memories.findInForce(tx, memberId, version.lineageId);
    return current ? [current] : [];
  }

  /** What else may be meant is shown, never erased: a subject that is only like it is another one. */
  private async near(
    tx: Transaction,
    { subject, kinds }: { subject: string; kinds: readonly MemoryKind[] },
    { memberId, language }: SkillContext,
  ): Promise<JsonObject> {
    const scopes = memoryScopesOf(memberId);
    const request = { scopes, limit: 2 * MOST_CANDIDATES };
    const { hits } = await this.search.search(tx, this.search.prepareWords(subject), request);
    const ids = hits.map(({ id }) => id);
    const found = await this.memories.findMany(tx, memberId, ids);
    const near = ids
      .flatMap((id) => found.find((memory) => memory.id === id) ?? [])
      .filter(({ kind }) => kinds.includes(kind))
      .slice(0, MOST_CANDIDATES);
    const wording = memoryWordingOf(language);
    if (near.length === 0) return { summary: wording.nothingToForget, forgotten: null };
    return this.candidatesOf(near, `${wording.nothingToForget} ${wording.whichOne(near.length)}`);
  }

  private candidatesOf(memories: readonly Memory[], summary: string): JsonObject {
    const candidates = memories.map((memory) => memoryForModel(memory, this.calendar));
    return { summary, forgotten: null, candidates };
  }
}

const unknownId = (): never => {
  throw new SkillError(
    'There is no note with this id, or it is forgotten already. recall gives the ids that there are.',
  );
};
