import { z } from 'zod';
import { readInput } from '@palabre/plugin';
import type { JsonObject, JsonValue } from '@palabre/json';

import { Calendar } from '../../../common/calendar.js';
import { fill, wordingIn } from '../../../common/wording/wording.js';
import { MembersService } from '../../../companies/members/members.service.js';
import { Database } from '../../../platform/database/database.js';
import { awaitAll } from '../../../platform/database/transaction.js';
import { memoryKinds } from '../../../memory/memory.entity.js';
import {
  attributeLimits,
  MAX_CONTENT_CHARACTERS,
  MAX_SUBJECT_CHARACTERS,
} from '../../../memory/memory-input.js';
import { MemoryWriter, type Noted } from '../../../memory/memory-writer.service.js';
import { refusedWhenAsked } from '../../../memory/refused-content.js';
import { TurnClaims } from '../../../conversations/turns/claims/turn-claims.service.js';
import { FunctionSkill } from '../../function-skill.decorator.js';
import { changesHere, type Skill, type SkillContext, SkillError } from '../../skill.js';
import { dayInWords, memoryForModel, explainToModel } from './memory-answers.js';

const Input = z.strictObject({
  kind: z.enum(memoryKinds),
  subject: z.string(),
  content: z.string(),
  attributes: z.record(z.string(), z.json()).optional(),
});

type Input = z.output<typeof Input>;

function text(maxLength: number, description: string): JsonObject {
  return {
    type: ['string', 'null'],
    maxLength,
    description,
  };
}

/** Notes what the user wants to be remembered, for this user alone. */
@FunctionSkill()
export class RememberSkill implements Skill {
  readonly key = 'remember';
  readonly name = wordingIn('en').skillNames.remember;
  readonly description =
    'Notes something about the user, their work or the people they deal with, for later conversations. Use it when the ' +
    'user asks for it, states a lasting preference or corrects a note; the same kind and subject replaces the earlier ' +
    'note. Never note conclusions of yours, what documents or pages say, secrets, card or account numbers, or sensitive ' +
    'things about other people.';
  readonly parameters: JsonObject = {
    type: 'object',
    additionalProperties: false,
    required: ['kind', 'subject', 'content'],
    properties: {
      kind: {
        type: 'string',
        enum: [...memoryKinds],
        description:
          'PREFERENCE: how the user wants things; PROJECT: their work; CONTACT: a person or organisation; FACT: all else.',
      },
      subject: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_SUBJECT_CHARACTERS,
        description: 'The name of the contact or project, or the topic in a few words; as noted before.',
      },
      content: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_CONTENT_CHARACTERS,
        description: 'One or two sentences in the user’s language.',
      },
      attributes: {
        type: 'object',
        maxProperties: attributeLimits.keys,
        description: 'Only what the user said; null takes one out. Other keys may be added.',
        properties: {
          status: text(attributeLimits.statusCharacters, 'Of a project.'),
          description: text(attributeLimits.textCharacters, 'Of a project.'),
          client: text(attributeLimits.nameCharacters, 'Of a project.'),
          company: text(attributeLimits.nameCharacters, 'Of a contact.'),
          email: text(attributeLimits.emailCharacters, 'Of a contact.'),
          notes: text(attributeLimits.textCharacters, 'Of a contact.'),
          aliases: {
            type: ['array', 'null'],
            maxItems: attributeLimits.items,
            items: { type: 'string', minLength: 1, maxLength: attributeLimits.itemCharacters },
            description: 'Other names of it.',
          },
        },
      },
    },
  };
  /** The same note twice is one. */
  readonly idempotent = true;
  readonly timeoutMs = 10_000;
  readonly effect = changesHere;

  constructor(
    private readonly database: Database,
    private readonly memories: MemoryWriter,
    private readonly turns: TurnClaims,
    private readonly members: MembersService,
    private readonly calendar: Calendar,
  ) {}

  async run(input: JsonObject, context: SkillContext): Promise<JsonValue> {
    const note = readInput(Input, input);
    const noted = await explainToModel(() => this.note(note, context));
    return this.resultOf(noted, context.language);
  }

  private note(note: Input, { companyId, memberId, role, turnId, language }: SkillContext): Promise<Noted> {
    return this.database.transaction(companyId, async (tx) => {
      const [turn, member] = await awaitAll([this.turns.find(tx, turnId), this.members.get(tx, memberId)]);
      const refused = refusedWhenAsked(note, member.name);
      if (refused) throw new SkillError(wordingIn(language).memorySkills.refused[refused]);
      return this.memories.note(
        tx,
        { memberId, role },
        { ...note, source: 'SKILL', sourceMessageId: turn?.questionId ?? null },
      );
    });
  }

  private resultOf({ memory, superseded, isNew }: Noted, language: string): JsonObject {
    const wording = wordingIn(language).memorySkills;
    const { subject, content } = memory;
    const told = memoryForModel(memory, this.calendar);
    if (!isNew) return { summary: fill(wording.alreadyRemembered, { subject, content }), ...told };
    const remembered = fill(wording.remembered, { subject, content });
    if (!superseded) return { summary: remembered, ...told };
    const { content: before, validFrom } = superseded;
    const since = dayInWords(this.calendar.shown(validFrom), language);
    return {
      summary: `${remembered} ${fill(wording.replaced, { content: before, date: since })}`,
      ...told,
      replaced: { content: before, since: this.calendar.dayOf(validFrom) },
    };
  }
}
