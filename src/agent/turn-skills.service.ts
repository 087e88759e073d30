import { Injectable } from '@nestjs/common';
import { faultOfFlatSchema, schemaForModels, standaloneSchema, wholeSchema } from '@palabre/json-schema';
import type { ToolSpec } from '@palabre/llm-client';
import { packText } from '@palabre/skill-pack';
import { isJsonObject, type JsonObject } from '@palabre/json';

import type { Role } from '../companies/auth/viewer.js';
import { newId } from '../common/ids.js';
import type { Logger } from '../common/process/logger.js';
import { retryUntilConnected } from '../platform/database/retry-until-connected.js';
import type { Transaction } from '../platform/database/transaction.js';
import { InstalledSkills } from '../skills/skill-sources.service.js';
import type { Assistant } from '../companies/assistants/assistant.repository.js';
import { ShippedAssistants } from '../companies/assistants/definitions/shipped-assistants.service.js';
import { documentSkillKeys } from '../skills/functions/documents/document-skill-keys.js';
import { ASK_USER } from '../skills/functions/ask-user.skill.js';
import { fill, wordingIn } from '../common/wording/wording.js';
import { faultIn, shownArguments } from '../skills/skill-arguments.js';
import { SkillRunner } from '../skills/skill-runner.service.js';
import { isApprovalRequired, type Pack, readsForeign, type Skill, SkillError } from '../skills/skill.js';
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
  SkillFacts,
  SkillOffer,
  SkillOutcome,
  SkillPort,
  SkillRequest,
} from './loop/agent-ports.js';
import { failed } from './loop/skills/skill-outcome.js';
import type { RunHandle } from './runs/running-turn.js';
import { tracedSkillCall } from './traced-calls.js';

const MAX_READING_MS = 15_000;

export interface TurnSkillsOptions {
  turn: Turn;
  assistant: Pick<Assistant, 'key' | 'language' | 'strategy' | 'skills' | 'copiedFrom'>;
  /** Read when the turn was just created. Null: still to be read. */
  first: CompanySkills | null;
  /** The calls that people allowed, with the role that applies to each. */
  allowed: ReadonlyMap<string, Role>;
  run: Pick<RunHandle, 'signal' | 'stored'>;
  logger: Logger;
}

/** A company's skills, for the loop of one turn. */
@Injectable()
export class TurnSkills {
  constructor(
    private readonly skills: SkillsInUse,
    private readonly installed: InstalledSkills,
    private readonly runner: SkillRunner,
    private readonly assistants: ShippedAssistants,
  ) {}

  /** The skills for the first model call of a turn that `tx` creates, as far as the database knows. */
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

/** A skill of the turn's front end. Parameters that contain themselves are cut for models. */
interface GivenSkill extends ClientSkill {
  /** The complete schema for checking arguments. */
  whole: JsonObject;
}

class TurnSkillPort implements SkillPort {
  /** The last offer to the model. */
  private offered: Pick<UsableSkills, 'callable' | 'packs' | 'off'> = { callable: [], packs: [], off: [] };
  /** The source of `offered`. Null: to be read. */
  private company: CompanySkills | null;
  private readonly givenSkills: GivenSkill[];

  constructor(
    private readonly skills: SkillsInUse,
    private readonly installed: InstalledSkills,
    private readonly runner: SkillRunner,
    /** The function skills that are offered in every call. Null: all. */
    private readonly always: ReadonlySet<string> | null,
    private readonly options: TurnSkillsOptions,
  ) {
    this.company = options.first;
    this.givenSkills = (options.turn.clientSkills ?? []).map((skill) => ({
      ...skill,
      parameters: standaloneSchema(skill.parameters),
      whole: wholeSchema(skill.parameters),
    }));
  }

  /** A continued run must know the effects of earlier calls before it asks a model. */
  async begin(): Promise<void> {
    await this.look(this.options.run.signal);
  }

  async list(): Promise<SkillOffer> {
    // Each model call uses the current switches.
    const { callable, packs, off } = await this.look(this.options.run.signal);
    const { assistant } = this.options;
    const used = callable.filter(({ skill }) => assistant.strategy !== 'GROUNDED' || skill.key !== ASK_USER);
    const ofClient = this.clientSkills;
    return {
      tools: [...used.map(({ skill }) => toolOf(skill)), ...ofClient.map(toolOf)],
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
      return failed(fill(wordingIn(assistant.language).skillUse.switchedOff, { key }));
    // The skill was not offered at the time, or the question would have been asked.
    if (found && isAskedAbout(found) && !allowed.has(callId))
      return failed(wordingIn(assistant.language).skillRefusals.needsApproval);
    // Stored first: after a crash between the two, nobody would know of the call and it would be repeated.
    if (!this.factsOf(key).isRepeatable) await run.stored();
    const role = allowed.get(callId) ?? turn.role;
    const { companyId, memberId, conversationId, id: turnId, questionId, documentIds } = turn;
    const whose = { companyId, memberId, conversationId, turnId, questionId, documentIds };
    const ofCall = { role, callId, given, signal, progress };
    const context = { ...whose, ...ofCall, assistantKey: assistant.key, language: assistant.language };
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

  factsOf(key: string): SkillFacts {
    const offered = this.offered.callable.find(({ skill }) => skill.key === key);
    const skill = offered?.skill ?? this.installed.findFunction(key);
    const ofClient = this.clientSkill(key);
    const input = ofClient ? clientInput(ofClient) : key === ASK_USER && offered ? question : null;
    return {
      isRepeatable: skill?.idempotent ?? false,
      input,
      // The person who answers is asked anyway.
      approval: input ? { required: false, askerMayApprove: true } : (offered?.approval ?? null),
      effect: ofClient ? readsForeign : (skill?.effect ?? null),
    };
  }

  faultIn(key: string, text: string): string | null {
    const offered = this.offered.callable.find(({ skill }) => skill.key === key);
    const parameters = offered?.skill.parameters ?? this.clientSkill(key)?.whole;
    const fault = parameters ? faultIn(text, parameters) : null;
    if (fault !== null || key !== ASK_USER) return fault;
    const { schema } = shownArguments(text);
    return isJsonObject(schema) ? faultOfFlatSchema(schema) : null;
  }

  newCallId(): string {
    return newId();
  }

  /** Skills of the turn's front end. A newer skill of the company with the same key has priority. */
  private get clientSkills(): GivenSkill[] {
    const { callable } = this.offered;
    return this.givenSkills.filter(({ key }) => !callable.some(({ skill }) => skill.key === key));
  }

  private clientSkill(key: string): GivenSkill | null {
    return this.clientSkills.find((one) => one.key === key) ?? null;
  }

  /** An offered skill may have been switched off while the model wrote. */
  private async find(key: string, signal: AbortSignal): Promise<CallableSkill | null> {
    const { callable } = await this.look(signal);
    return callable.find(({ skill }) => skill.key === key) ?? null;
  }

  /** Files may be remote: the wait is short, and errors go to the log. */
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
      throw new SkillError(wordingIn(this.options.assistant.language).skillUse.failed, { cause: error });
    }
  }

  private async findPack(key: string): Promise<Pack | null> {
    const { packs } = await this.look(this.options.run.signal);
    return packs.find((pack) => pack.key === key) ?? null;
  }

  /** The skills that may be used now. Reads the database, and waits for it, after a change. */
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

const question: InputOfCall = { kind: 'QUESTION', timeoutSeconds: null };

function clientInput({ timeoutSeconds }: ClientSkill): InputOfCall {
  return { kind: 'CLIENT_SKILL', timeoutSeconds };
}

/** Cached, because others recognise a skill's tool by identity. */
const tools = new WeakMap<Skill | ClientSkill, ToolSpec>();

function toolOf(skill: Skill | ClientSkill): ToolSpec {
  const { key: name, description } = skill;
  const tool = tools.get(skill) ?? { name, description, parameters: schemaForModels(skill.parameters) };
  tools.set(skill, tool);
  return tool;
}

function summaryOf({ key, name, description, category, files, version }: Pack): PackSummary {
  return { key, name, description, category, version, hasFiles: files.length > 0 };
}
