import { Injectable } from '@nestjs/common';

import type { Role } from '../auth/viewer.js';
import { newId } from '../common/ids.js';
import type { Logger } from '../common/process/logger.js';
import { patiently } from '../database/patiently.js';
import type { Transaction } from '../database/transaction.js';
import type { ToolSpec } from '../llm/chat-model.js';
import { InstalledSkills } from '../skills/installed-skills.service.js';
import { packText } from '../skills/packs/skill-md/pack-text.js';
import { faultIn, parseArguments } from '../skills/use/skill-arguments.js';
import { SkillRunner } from '../skills/use/skill-runner.service.js';
import { type Pack, type Skill, SkillError } from '../skills/skill.js';
import {
  type CallableSkill,
  type CompanySkills,
  SkillsInUse,
  type UsableSkills,
} from '../skills/use/skills-in-use.service.js';
import type { Turn } from '../turns/turn.entity.js';
import type {
  LoadedPack,
  PackSummary,
  SkillOffer,
  SkillOutcome,
  SkillPort,
  SkillRequest,
} from './loop/agent-ports.js';
import type { RunHandle } from './runs/running-turn.js';

const MOST_READING_MS = 15_000;

/** Whose skills they are, and what is known of them already. */
export interface TurnSkillsOptions {
  turn: Turn;
  assistant: { key: string; language: string };
  /** What was read when the turn was created just now; null: it has to be read. */
  first: CompanySkills | null;
  /** The calls that people have allowed, with the role that each is carried out in. */
  allowed: ReadonlyMap<string, Role>;
  run: RunHandle;
  logger: Logger;
}

/** The skills of a company, as the loop of one turn uses them. */
@Injectable()
export class TurnSkills {
  constructor(
    private readonly skills: SkillsInUse,
    private readonly installed: InstalledSkills,
    private readonly runner: SkillRunner,
  ) {}

  /** What the first model call of a turn that `tx` creates may use, as far as the database knows. */
  readFirst(tx: Transaction): Promise<CompanySkills> {
    return this.skills.read(tx);
  }

  async portOf(options: TurnSkillsOptions): Promise<SkillPort> {
    const port = new TurnSkillPort(this.skills, this.installed, this.runner, options);
    await port.begin();
    return port;
  }
}

class TurnSkillPort implements SkillPort {
  /** What the model was last told it may use. */
  private offered: Pick<UsableSkills, 'callable' | 'packs'> = { callable: [], packs: [] };
  /** What `offered` was made of, or is to be; null: it has to be read. */
  private company: CompanySkills | null;

  constructor(
    private readonly skills: SkillsInUse,
    private readonly installed: InstalledSkills,
    private readonly runner: SkillRunner,
    private readonly options: TurnSkillsOptions,
  ) {
    this.company = options.first;
  }

  /** A run that goes on needs to know what the calls of the earlier ones may do before it asks a model. */
  async begin(): Promise<void> {
    await this.look(this.options.run.signal);
  }

  async list(): Promise<SkillOffer> {
    // The switches of each model call are those of its own time.
    const { callable, packs } = await this.look(this.options.run.signal);
    return {
      tools: callable.map(({ skill }) => toolOf(skill)),
      packs: packs.map(summaryOf),
    };
  }

  async call(
    { callId, key, arguments: text }: SkillRequest,
    signal: AbortSignal,
    progress: (detail: string) => void,
  ): Promise<SkillOutcome> {
    const { turn, assistant, allowed, run, logger } = this.options;
    const found = await this.find(key, signal);
    // It was not offered when it was asked for, or the question would have been put.
    if (found?.approval && !allowed.has(callId)) return needsApproval;
    // A crash between the two would have it done again: nobody would know that it was asked for.
    if (!this.isRepeatable(key)) await run.stored();
    const role = allowed.get(callId) ?? turn.role;
    const context = { ...contextOf(turn), role, callId, ...languageOf(assistant), signal, progress };
    const { cause, ...outcome } = await this.runner.run(found?.skill ?? null, key, text, context);
    if (cause !== undefined) logger.error({ err: cause, skill: key, callId }, 'skill failed');
    return outcome;
  }

  async loadPack(key: string, signal: AbortSignal): Promise<LoadedPack | null> {
    const pack = await this.findPack(key);
    if (!pack) return null;
    const instructions = await this.reading(key, signal, (timed) => pack.readBody(timed));
    return { instructions, files: pack.files.map(({ path }) => path), version: pack.version };
  }

  async readPackFile(key: string, path: string, signal: AbortSignal): Promise<string | null> {
    const pack = await this.findPack(key);
    if (!pack) return null;
    return packText(path, await this.reading(key, signal, (timed) => pack.readFile(path, timed)));
  }

  isRepeatable(key: string): boolean {
    const offered = this.offered.callable.find(({ skill }) => skill.key === key)?.skill;
    return (offered ?? this.installed.findFunction(key))?.idempotent ?? false;
  }

  approvalFor(key: string): { askerMayApprove: boolean } | null {
    return this.offered.callable.find(({ skill }) => skill.key === key)?.approval ?? null;
  }

  faultIn(key: string, text: string): string | null {
    const offered = this.offered.callable.find(({ skill }) => skill.key === key);
    return offered ? faultIn(text, offered.skill.parameters) : null;
  }

  read(text: string): ReturnType<SkillPort['read']> {
    return parseArguments(text) ?? {};
  }

  newCallId(): string {
    return newId();
  }

  /** What was offered may have been switched off while the model wrote. */
  private async find(key: string, signal: AbortSignal): Promise<CallableSkill | null> {
    const { callable } = await this.look(signal);
    return callable.find(({ skill }) => skill.key === key) ?? null;
  }

  /** Files may be far away: they are not waited for at length, and what is wrong with them is for the log. */
  private async reading<T>(
    key: string,
    signal: AbortSignal,
    read: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    try {
      return await read(AbortSignal.any([signal, AbortSignal.timeout(MOST_READING_MS)]));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SkillError) throw error;
      this.options.logger.error({ err: error, skill: key }, 'instructions could not be read');
      throw new SkillError(`The files of ${key} cannot be read at the moment.`, { cause: error });
    }
  }

  private async findPack(key: string): Promise<Pack | null> {
    const { packs } = await this.look(this.options.run.signal);
    return packs.find((pack) => pack.key === key) ?? null;
  }

  /** What may be used at this moment. The database is asked when somebody has changed something, and waited for. */
  private async look(signal: AbortSignal): Promise<UsableSkills> {
    signal.throwIfAborted();
    const { turn, assistant, run } = this.options;
    const user = { companyId: turn.companyId, role: turn.role, assistantKey: assistant.key };
    const usable = await patiently(() => this.skills.listUsable(user, this.company ?? undefined), run.signal);
    this.company = usable.company;
    this.offered = usable;
    return usable;
  }
}

const needsApproval: SkillOutcome = {
  status: 'FAILED',
  result: JSON.stringify({ error: 'A person has to allow this skill first. Ask for it again.' }),
  preview: 'A person has to allow this skill first.',
};

/** One object for as long as the skill is the same, by which others know it again. */
const tools = new WeakMap<Skill, ToolSpec>();

const toolOf = (skill: Skill): ToolSpec => {
  const { key: name, description, parameters } = skill;
  const tool = tools.get(skill) ?? { name, description, parameters };
  tools.set(skill, tool);
  return tool;
};

const contextOf = ({ companyId, memberId, conversationId, id: turnId, documentIds }: Turn) => ({
  companyId,
  memberId,
  conversationId,
  turnId,
  documentIds,
});

const languageOf = ({ key, language }: { key: string; language: string }) => ({
  assistantKey: key,
  language,
});

const summaryOf = ({ key, name, description, category, files, version }: Pack): PackSummary => ({
  key,
  name,
  description,
  category,
  version,
  hasFiles: files.length > 0,
});
