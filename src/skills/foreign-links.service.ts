import { Injectable } from '@nestjs/common';
import { type MarkdownLink, markdownLinks, namedAddresses, normalAddress } from '@palabre/text';

import type { Viewer } from '../companies/auth/viewer.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import type { Message } from '../conversations/message.repository.js';
import { Attachments } from '../documents/attachments/attachments.service.js';
import { InstalledSkills } from './skill-sources.service.js';
import { TurnsService } from '../conversations/turns/turns.service.js';
import { type SkillEffect, isForeign } from './skill.js';

/** Facts about a turn that tell where the links of its answer may come from. */
export interface LinkOrigins {
  hasForeignText: boolean;
  question: string;
}

/** Finds the links of an answer that a stranger may have planted, from what is stored of the turn. */
@Injectable()
export class ForeignLinks {
  constructor(
    private readonly turns: TurnsService,
    private readonly conversations: ConversationsService,
    private readonly installed: InstalledSkills,
    private readonly attachments: Attachments,
  ) {}

  /** For turns of the viewer, in the order of `turnIds`. */
  async readOrigins(viewer: Viewer, turnIds: readonly string[]): Promise<LinkOrigins[]> {
    const [turns, answered] = await Promise.all([
      this.turns.findMany(viewer, turnIds),
      this.turns.listAnsweredSkills(viewer, turnIds),
    ]);
    const conversationIds = turns.map(({ conversationId }) => conversationId);
    const attached = new Set(await this.attachments.listConversationsWithAny(viewer, conversationIds));
    const questionIds = turns.map(({ questionId }) => questionId);
    const questions = await this.conversations.findMessages(viewer, questionIds);
    const texts = new Map(questions.map(({ id, text }) => [id, text]));
    // By way of the turn, as several turns may answer one question.
    const textOf = new Map(turns.map(({ id, questionId }) => [id, texts.get(questionId)]));
    // A skill that is not code comes from another system.
    const effectOf = (key: string): SkillEffect | null => this.installed.findFunction(key)?.effect ?? null;
    const foreign = new Set([
      // What is attached stands in the prompt, whoever wrote it.
      ...turns.flatMap(({ id, conversationId }) => (attached.has(conversationId) ? [id] : [])),
      ...answered.filter(({ skill }) => isForeign(skill, effectOf(skill))).map(({ turnId }) => turnId),
    ]);
    return turnIds.map((id) => ({ hasForeignText: foreign.has(id), question: textOf.get(id) ?? '' }));
  }
}

/** The links of an answer that its question does not name, if the turn has read foreign text. */
export function foreignLinksOf(
  { text }: Pick<Message, 'text'>,
  { hasForeignText, question }: LinkOrigins,
): MarkdownLink[] {
  if (!hasForeignText) return [];
  const given = namedAddresses(question);
  return markdownLinks(text).filter(({ url }) => !given.has(normalAddress(url) ?? ''));
}
