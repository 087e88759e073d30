import { type Skill, type SkillEffect, SkillError } from '@palabre/plugin';
import type { Pack } from '@palabre/skill-pack';
import type { JsonValue } from '@palabre/json';

import type { McpRequest } from '../conversations/turns/turn-event.js';
import type { SkillKind, SkillRow } from './skill.repository.js';

export {
  ArgumentsError,
  changesElsewhere,
  changesHere,
  readsForeign,
  readsOwn,
  type Skill,
  SkillAnswer,
  type SkillContext,
  type SkillEffect,
  SkillError,
} from '@palabre/plugin';
export type { Pack } from '@palabre/skill-pack';

/**
 * FAILED: it has not done what was asked of it; IN_DOUBT: it may have; UNREADABLE: it has answered, in a form that is not
 * read; NO_ACCESS: it lets nobody in until an admin has seen to it.
 */
export type ServiceFault = 'FAILED' | 'IN_DOUBT' | 'UNREADABLE' | 'NO_ACCESS';

/** An error of a service elsewhere. The message is for the model and for admins, in English; people are told the fault. */
export class ServiceError extends SkillError {
  override readonly name = 'ServiceError';

  constructor(
    message: string,
    readonly fault: ServiceFault = 'FAILED',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Thrown by a skill whose server wants to know something of the person first. The call goes on with what it is given. */
export class InputNeeded extends Error {
  override readonly name = 'InputNeeded';

  constructor(
    readonly requests: readonly McpRequest[],
    /** How long the server waits; null: as long as it takes. */
    readonly timeoutSeconds: number | null,
  ) {
    super('The server needs to know more before it does this.');
  }
}

/** What a person has given to a server's request, of whose call this is the continuation. */
export interface GivenInput {
  request: McpRequest;
  action: 'accept' | 'decline' | 'cancel';
  content: JsonValue;
}

/** Names of the agent loop's own functions. No skill can have one of them as its key. */
export const reservedSkillKeys = [
  'load_skill',
  'read_skill_file',
  'search_skills',
  'synthesize_answer',
  'continue_in_background',
] as const;

export type ReservedKey = (typeof reservedSkillKeys)[number];

const reserved: ReadonlySet<string> = new Set(reservedSkillKeys);

export function isReservedSkillKey(key: string): boolean {
  return reserved.has(key);
}

/** Whether results of the skill may be text of strangers. With no `effect` the skill is gone, and they may be. */
export function isForeign(key: string, effect: Pick<SkillEffect, 'isForeign'> | null): boolean {
  return !isReservedSkillKey(key) && (effect?.isForeign ?? true);
}

/** A skill of any kind without a company's switches: the model either calls it or loads it. */
export type CatalogueSkill = {
  key: string;
  kind: SkillKind;
  name: string;
  description: string;
  category: string | null;
  /** Keys of the assistants that it was made for; null: all. Admins may decide otherwise. */
  assistants: readonly string[] | null;
} & ({ skill: Skill; pack: null } | { skill: null; pack: Pack });

/** What a skill is called where it comes from, and the names that it brings. */
export type NamedSkill = Pick<CatalogueSkill, 'key' | 'kind' | 'name'> & {
  skill: Pick<Skill, 'names'> | null;
};

export function callableOf(
  kind: Exclude<SkillKind, 'INSTRUCTIONS'>,
  skill: Skill,
  category: string | null = null,
): CatalogueSkill {
  const { key, name, description, assistants = null } = skill;
  return { key, kind, name, description, category, assistants, skill, pack: null };
}

export function instructionsOf(pack: Pack): CatalogueSkill {
  const { key, name, description, category, assistants } = pack;
  return { key, kind: 'INSTRUCTIONS', name, description, category, assistants, skill: null, pack };
}

/** Why nobody can use a skill now, in words for people; null: it can be used. */
export function unavailabilityOf(found: CatalogueSkill | null): string | null {
  if (!found) return 'It is not there any more: no code, folder or server of this installation has this key.';
  return found.skill?.unavailableReason?.() ?? null;
}

/** Whether a skill for these assistants, or for all, is for one of them, or for whichever. */
export function isForAssistant(
  { key, assistants }: Pick<CatalogueSkill, 'key' | 'assistants'>,
  assistant: { key: string | null; skills?: readonly string[] | null | undefined },
): boolean {
  const isMeant = assistants === null || assistant.key === null || assistants.includes(assistant.key);
  return isMeant && (assistant.skills?.includes(key) ?? true);
}

/** Who is asked before a skill is carried out, as a company has it. */
export interface ApprovalSetting {
  /** Whether somebody is asked, as an admin has decided; null: none has. */
  required: boolean | null;
  /** Whether whoever asked the question may answer, and not only admins. */
  askerMayApprove: boolean;
}

/** Where the product asks, and no admin wanted it, the asker may answer: it wants to know whether they mean it. */
export function approvalSettingOf({
  requiresApproval: required,
  askerMayApprove,
}: Pick<SkillRow, 'requiresApproval' | 'askerMayApprove'>): ApprovalSetting {
  return { required, askerMayApprove: required === null || askerMayApprove };
}

/** Whether a person is asked before each call: as an admin has decided, or else if it may change something elsewhere. */
export function isApprovalRequired(
  required: boolean | null,
  { changes }: Pick<SkillEffect, 'changes'>,
): boolean {
  return required ?? changes === 'ELSEWHERE';
}
