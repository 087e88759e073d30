import { Injectable } from '@nestjs/common';

import type { Role } from '../companies/auth/viewer.js';
import { newId } from '../common/ids.js';
import { isJsonObject } from '../common/json.js';
import type { Logger } from '../common/process/logger.js';
import { retryUntilConnected } from '../platform/database/retry-until-connected.js';
import type { Transaction } from '../platform/database/transaction.js';
import type { ToolSpec } from '../llm/chat-model.js';
import { InstalledSkills } from '../skills/installed-skills.service.js';
import type { Assistant } from '../companies/assistants/assistant.entity.js';
import { ShippedAssistants } from '../companies/assistants/shipped-assistants.service.js';
import { documentSkillKeys } from '../skills/functions/documents/document-skill-keys.js';
import { ASK_USER } from '../skills/functions/ask-user.skill.js';
import { packText } from '../skills/packs/pack-file-errors.js';
import { faultOfFlatSchema } from '../common/json-schema/flat-schema.js';
import { schemaForModels } from '../common/json-schema/schema-for-models.js';
import { fill, wordingIn } from '../common/wording/wording.js';
import { faultIn, parseArguments } from '../skills/skill-arguments.js';
import { SkillRunner } from '../skills/skill-runner.service.js';
import {
  type ApprovalSetting,
  isApprovalRequired,
  type Pack,
  readsForeign,
  type Skill,
  type SkillEffect,
  SkillError,
} from '../skills/skill.js';
import {
  type CallableSkill,
  type CompanySkills,
  SkillsInUse,
  type UsableSkills,
} from '../skills/skills-in-use.service.js';
import type { ClientSkill } from '../conversations/turns/start/client-skills.js';
import type { Turn } from '../conversations/turns/turn.entity.js';
import type {
  InputOfCall,
  LoadedPack,
  Offered,
  PackSummary,
  SkillOffer,
  SkillOutcome,
  SkillPort,
  SkillRequest,
} from './loop/agent-ports.js';
import type { RunHandle } from './runs/running-turn.js';
import { tracedSkillCall } from './traced-calls.js';

const MAX_READING_MS = 15_000;

/** Whose skills they are, and what is known of them already. */
export interface TurnSkillsOptions {
  turn: Turn;
  assistant: Pick<Assistant, 'key' | 'language' | 'strategy' | 'skills' | 'copiedFrom'>;
  /** What was read when the turn was created just now; null: it has to be read. */
  first: CompanySkills | null;
  /** The calls that people have allowed, with the role that each is carried out in. */
  allowed: ReadonlyMap<string, Role>;
  run: Pick<RunHandle, 'signal' | 'stored'>;
  logger: Logger;
}

/** The skills of a company, as the loop of one turn uses them. */
@Injectable()
export class TurnSkills {
  constructor(
    private readonly skills: SkillsInUse,
    private readonly installed: InstalledSkills,
    private readonly runner: SkillRunner,
    private readonly assistants: ShippedAssistants,
  ) {}

  /** What the first model call of a turn that `tx` creates may use, as far as the database knows. */
  readFirst(tx: Transaction): Promise<CompanySkills> {
    return this.skills.read(tx);
  }

  async portOf(options: TurnSkillsOptions): Promise<SkillPort> {
    const always = this.assistants.skillsOf(options.assistant.copiedFrom ?? options.assistant.key);
    const port = new TurnSkillPort(this.skills, this.installed, this.runner, always, options);
    await port.begin();
    return port;
  }
}

class TurnSkillPort implements SkillPort {
  /** What the model was last told it may use. */
  private offered: Pick<UsableSkills, 'callable' | 'packs' | 'off'> = { callable: [], packs: [], off: [] };
  /** What `offered` was made of, or is to be; null: it has to be read. */
  private company: CompanySkills | null;

  constructor(
    private readonly skills: SkillsInUse,
    private readonly installed: InstalledSkills,
    private readonly runner: SkillRunner,
    /** Of the skills of code, those that the assistant is offered in every call; null: all. */
    private readonly always: ReadonlySet<string> | null,
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
    const { callable, packs, off } = await this.look(this.options.run.signal);
    const { assistant } = this.options;
    const used = callable.filter(({ skill }) => assistant.strategy !== 'GROUNDED' || skill.key !== ASK_USER);
    const ofClient = this.clientSkills;
    return {
      tools: [...used.map(({ skill }) => toolOf(skill)), ...ofClient.map(clientToolOf)],
      ...this.offeredOf(used, ofClient),
      packs: packs.map(summaryOf),
      off,
    };
  }

  private offeredOf(
    callable: readonly CallableSkill[],
    ofClient: readonly ClientSkill[],
  ): Pick<SkillOffer, 'offered'> {
    const { always } = this;
    const offered = new Map<string, Offered>(ofClient.map(({ key }) => [key, 'ALWAYS']));
    if (always === null) return offered.size > 0 ? { offered } : {};
    for (const { skill, isAlwaysOffered } of callable) {
      if (isAlwaysOffered || always.has(skill.key)) offered.set(skill.key, 'ALWAYS');
      else if (this.installed.findFunction(skill.key) === skill && !documentSkillKeys.has(skill.key))
        offered.set(skill.key, 'WHEN_FOUND');
    }
    return { offered };
  }

  async call(
    { callId, key, arguments: text, given }: SkillRequest,
    signal: AbortSignal,
    progress: (detail: string) => void,
  ): Promise<SkillOutcome> {
    const { turn, assistant, allowed, run, logger } = this.options;
    const found = await this.find(key, signal);
    if (!found && this.offered.off.some((skill) => skill.key === key))
      return refused(fill(wordingIn(assistant.language).skillUse.switchedOff, { key }));
    // It was not offered when it was asked for, or the question would have been put.
    if (found && isAskedAbout(found) && !allowed.has(callId))
      return refused(wordingIn(assistant.language).skillRefusals.needsApproval);
    // A crash between the two would have it done again: nobody would know that it was asked for.
    if (!this.isRepeatable(key)) await run.stored();
    const role = allowed.get(callId) ?? turn.role;
    const context = { ...contextOf(turn), role, callId, given, ...languageOf(assistant), signal, progress };
    const { cause, ...outcome } = await tracedSkillCall({ callId, key, arguments: text }, () =>
      this.runner.run(found?.skill ?? null, key, text, context),
    );
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
    return this.known(key)?.idempotent ?? false;
  }

  inputOf(key: string): InputOfCall | null {
    const { callable } = this.offered;
    if (key === ASK_USER && callable.some(({ skill }) => skill.key === key))
      return { kind: 'QUESTION', timeoutSeconds: null };
    const ofClient = this.clientSkill(key);
    return ofClient && { kind: 'CLIENT_SKILL', timeoutSeconds: ofClient.timeoutSeconds };
  }

  approvalOf(key: string): ApprovalSetting | null {
    // Whoever answers it is asked anyway.
    if (this.inputOf(key)) return { required: false, askerMayApprove: true };
    return this.offered.callable.find(({ skill }) => skill.key === key)?.approval ?? null;
  }

  effectOf(key: string): SkillEffect | null {
    return this.clientSkill(key) ? readsForeign : (this.known(key)?.effect ?? null);
  }

  faultIn(key: string, text: string): string | null {
    const offered = this.offered.callable.find(({ skill }) => skill.key === key);
    const parameters = offered?.skill.parameters ?? this.clientSkill(key)?.parameters;
    const fault = parameters ? faultIn(text, parameters) : null;
    if (fault !== null || key !== ASK_USER) return fault;
    const { schema } = this.read(text);
    return isJsonObject(schema) ? faultOfFlatSchema(schema) : null;
  }

  read(text: string): ReturnType<SkillPort['read']> {
    return parseArguments(text) ?? {};
  }

  newCallId(): string {
    return newId();
  }

  /** What the turn's front end carries out. A skill that the company has got meanwhile goes before one of the same key. */
  private get clientSkills(): ClientSkill[] {
    const { callable } = this.offered;
    const all = this.options.turn.clientSkills ?? [];
    return all.filter(({ key }) => !callable.some(({ skill }) => skill.key === key));
  }

  private clientSkill(key: string): ClientSkill | null {
    return this.clientSkills.find((one) => one.key === key) ?? null;
  }

  /** As it was last offered, or as code has it. */
  private known(key: string): Skill | null {
    const offered = this.offered.callable.find(({ skill }) => skill.key === key)?.skill;
    return offered ?? this.installed.findFunction(key);
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
      return await read(AbortSignal.any([signal, AbortSignal.timeout(MAX_READING_MS)]));
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
    const { key: assistantKey, skills } = assistant;
    const user = { companyId: turn.companyId, role: turn.role, assistantKey, skills };
    const usable = await retryUntilConnected(
      () => this.skills.listUsable(user, this.company ?? undefined),
      run.signal,
    );
    this.company = usable.company;
    this.offered = usable;
    return usable;
  }
}

function isAskedAbout({ skill, approval }: CallableSkill): boolean {
  return isApprovalRequired(approval.required, skill.effect);
}

function refused(error: string): SkillOutcome {
  return { status: 'FAILED', result: JSON.stringify({ error }), preview: error };
}

/** One object for as long as the skill is the same, by which others know it again. */
const tools = new WeakMap<Skill, ToolSpec>();

function toolOf(skill: Skill): ToolSpec {
  const { key: name, description } = skill;
  const tool = tools.get(skill) ?? { name, description, parameters: schemaForModels(skill.parameters) };
  tools.set(skill, tool);
  return tool;
}

function clientToolOf({ key: name, description, parameters }: ClientSkill): ToolSpec {
  return { name, description, parameters: schemaForModels(parameters) };
}

function contextOf({ companyId, memberId, conversationId, id: turnId, questionId, documentIds }: Turn) {
  return {
    companyId,
    memberId,
    conversationId,
    turnId,
    questionId,
    documentIds,
  };
}

function languageOf({ key, language }: { key: string; language: string }) {
  return {
    assistantKey: key,
    language,
  };
}

function summaryOf({ key, name, description, category, files, version }: Pack): PackSummary {
  return {
    key,
    name,
    description,
    category,
    version,
    hasFiles: files.length > 0,
  };
}
