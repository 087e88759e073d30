import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { withoutHidden } from '@palabre/text';

import { checkInput } from '../../common/check-input.js';
import { notFound, badInput } from '../../common/errors/domain-error.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { DomainEvents } from '../../platform/events/domain-events.js';
import { AuditService } from '../audit/audit.service.js';
import type { Role, Viewer } from '../auth/viewer.js';
import { memberLeaving } from '../companies.events.js';
import { type Assistant, AssistantRepository } from './assistant.repository.js';
import { AssistantsService } from './assistants.service.js';
import { checkTemplate, MAX_NOTE_CHARACTERS, type TemplateProblem } from './prompt-template.js';
import type { Prompt } from './prompt-version.entity.js';
import { PromptVersionRepository } from './prompt-version.repository.js';
import { ShippedAssistants } from './definitions/shipped-assistants.service.js';

const mayReadPrompts = new Set<Role>(['ADMIN', 'OPERATOR']);

/** The GraphQL list has no pages. Older versions can still be put back in force by their number. */
export const MAX_SHOWN = 100;

/** The base prompts of a company's assistants: the ones in force, and earlier versions. */
@Injectable()
export class PromptsService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly assistants: AssistantsService,
    private readonly rows: AssistantRepository,
    private readonly prompts: PromptVersionRepository,
    private readonly audit: AuditService,
    private readonly events: DomainEvents,
    private readonly shipped: ShippedAssistants,
  ) {}

  onModuleInit(): void {
    this.events.on(memberLeaving, (tx, memberId) => this.prompts.anonymizePublisher(tx, memberId));
  }

  /** The assistant and its template in force. Rejects with NOT_FOUND. */
  async getWithTemplate(tx: Transaction, id: string): Promise<{ assistant: Assistant; template: string }> {
    const assistant = await this.assistants.get(tx, id);
    const { template } = await this.prompts.getInForce(tx, assistant);
    return { assistant, template };
  }

  /** The prompt in force; null for viewers who may not read prompts. */
  async find(viewer: Viewer, assistant: Assistant): Promise<Prompt | null> {
    if (!mayReadPrompts.has(viewer.role)) return null;
    return this.database.read(viewer.companyId, (tx) => this.prompts.getInForce(tx, assistant));
  }

  /** Newest first, the one that ships last. Empty for viewers who may not read prompts. */
  async list(viewer: Viewer, assistant: Assistant): Promise<Prompt[]> {
    if (!mayReadPrompts.has(viewer.role)) return [];
    const published = await this.database.read(viewer.companyId, (tx) =>
      this.prompts.listNewest(tx, assistant.id, MAX_SHOWN),
    );
    const shipped = this.shipped.promptOf(assistant);
    return shipped ? [...published, shipped] : published;
  }

  /**
   * Publishes a new version, in force from the next turn on. Rejects with BAD_USER_INPUT that lists the problems of the
   * template, or NOT_FOUND. The caller has checked the role.
   */
  publish(viewer: Viewer, key: string, input: { template: string; note?: string | null }): Promise<Prompt> {
    const { template, note } = checkInput(PromptPublication, input, []);
    requireValidTemplate(template);
    return this.database.transaction(viewer.companyId, async (tx) => {
      // The lock gives concurrent publications different numbers.
      const assistant = await this.assistants.getLocked(tx, key);
      const [newest] = await this.prompts.listNewest(tx, assistant.id, 1);
      const prompt = {
        companyId: tx.companyId,
        assistantId: assistant.id,
        version: (newest?.version ?? 0) + 1,
        template,
        publishedAt: new Date(),
        publishedBy: viewer.name,
        note,
      };
      await this.prompts.insert(tx, prompt);
      await this.activate(tx, viewer, assistant, prompt.version, 'prompt.published');
      return prompt;
    });
  }

  /**
   * Puts an earlier version back in force; 0 is the one that ships. Rejects with NOT_FOUND. The caller has checked the
   * role.
   */
  rollBack(viewer: Viewer, key: string, version: number): Promise<Prompt> {
    return this.database.transaction(viewer.companyId, async (tx) => {
      const assistant = await this.assistants.getLocked(tx, key);
      const prompt = await this.prompts.findVersion(tx, assistant, version);
      if (!prompt) throw notFound('version of the prompt', ['version']);
      if (version !== (assistant.promptVersion ?? 0))
        await this.activate(tx, viewer, assistant, version, 'prompt.rolled-back');
      return prompt;
    });
  }

  private async activate(
    tx: Transaction,
    viewer: Viewer,
    { id, key, promptVersion }: Assistant,
    version: number,
    action: string,
  ): Promise<void> {
    await this.rows.update(tx, { id }, { promptVersion: version === 0 ? null : version });
    await this.audit.record(tx, viewer.id, action, key, { version, before: promptVersion ?? 0 });
  }
}

/** A template may have thousands of wrong variables. Nobody fixes more at once. */
const MAX_PROBLEMS = 50;

/** PostgreSQL stores neither NUL nor lone surrogates. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The input of publishPrompt. A note without visible characters becomes null. */
const PromptPublication = z.object({
  template: z
    .string()
    .refine((template) => withoutHidden(template).trim() !== '', {
      error: 'A prompt must not be empty.',
      abort: true,
    })
    .refine(isStorable, 'This holds characters that are not text.'),
  note: z
    .string()
    .trim()
    .max(MAX_NOTE_CHARACTERS, `A note has at most ${MAX_NOTE_CHARACTERS} characters.`)
    .refine(isStorable, 'This holds characters that are not text.')
    .nullish()
    .transform((note) => withoutHidden(note ?? '').trim() || null),
});

/** Throws BAD_USER_INPUT with all problems of the template and their positions. */
export function requireValidTemplate(template: string, path: readonly string[] = ['template']): void {
  const problems = checkTemplate(template);
  if (problems.length === 0) return;
  const named = problems.slice(0, MAX_PROBLEMS);
  const more = problems.length - named.length;
  const words = named.map(({ message }) => message);
  if (more > 0) words.push(`And ${more} more.`);
  throw badInput(path, words.join(' '), { problems: named satisfies TemplateProblem[] });
}
