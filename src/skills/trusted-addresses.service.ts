import { Injectable } from '@nestjs/common';
import { namedAddresses } from '@palabre/text';

import type { Viewer } from '../companies/auth/viewer.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import { Attachments } from '../documents/attachments/attachments.service.js';
import { InstalledSkills } from './skill-sources.service.js';
import { TurnsService } from '../conversations/turns/turns.service.js';
import { type SkillEffect, isForeign } from './skill.js';

/** Which addresses in an answer no stranger can have planted, by the stored turn. */
@Injectable()
export class TrustedAddresses {
  constructor(
    private readonly turns: TurnsService,
    private readonly conversations: ConversationsService,
    private readonly installed: InstalledSkills,
    private readonly attachments: Attachments,
  ) {}

  /**
   * For turns of the viewer, in the order of `turnIds`. Null: the turn has read nothing of strangers, so that any
   * address is trusted. They are not taken from the answer, in which each reader of Markdown finds other links.
   */
  async listOf(viewer: Viewer, turnIds: readonly string[]): Promise<(string[] | null)[]> {
    const [turns, answered] = await Promise.all([
      this.turns.findMany(viewer, turnIds),
      this.turns.listAnsweredSkills(viewer, turnIds),
    ]);
    const conversationIds = turns.map(({ conversationId }) => conversationId);
    const attached = new Set(await this.attachments.listConversationsWithAny(viewer, conversationIds));
    const questionIds = turns.map(({ questionId }) => questionId);
    const questions = await this.conversations.findMessages(viewer, questionIds);
    const texts = new Map(questions.map(({ id, text }) => [id, text]));
    // Through the turn, because several turns may answer one question.
    const textOf = new Map(turns.map(({ id, questionId }) => [id, texts.get(questionId)]));
    // Skills other than functions come from another system.
    const effectOf = (key: string): SkillEffect | null => this.installed.findFunction(key)?.effect ?? null;
    const foreign = new Set([
      // Attachments are in the prompt, whoever wrote them.
      ...turns.flatMap(({ id, conversationId }) => (attached.has(conversationId) ? [id] : [])),
      ...answered.filter(({ skill }) => isForeign(skill, effectOf(skill))).map(({ turnId }) => turnId),
    ]);
    return turnIds.map((id) => (foreign.has(id) ? [...namedAddresses(textOf.get(id) ?? '')] : null));
  }
}
