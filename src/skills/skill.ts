import { type Skill, type SkillEffect, SkillError } from '@palabre/plugin';
import type { Pack } from '@palabre/skill-pack';
import type { JsonValue } from '@palabre/json';

import { wordingIn } from '../common/wording/wording.js';
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
 * FAILED: it did not fulfil the request. IN_DOUBT: it may have. UNREADABLE: its answer cannot be read. NO_ACCESS: an
 * admin must restore access first.
 */
type ServiceFault = 'FAILED' | 'IN_DOUBT' | 'UNREADABLE' | 'NO_ACCESS';

/** An error of an external service. The message is in English for the model and admins. People see the fault. */
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

/** Thrown by a skill whose server needs a person's input first. The call continues with the answer. */
export class InputNeeded extends Error {
  override readonly name = 'InputNeeded';

  constructor(
    readonly requests: readonly McpRequest[],
    /** How long the server waits. Null: without limit. */
    readonly timeoutSeconds: number | null,
  ) {
    super('The server needs to know more before it does this.');
  }
}

/** A person's answer to a server's request, with which its call continues. */
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

/** Whether the skill's results may be foreign text. Without an `effect` the skill is gone, so they may be. */
export function isForeign(key: string, effect: Pick<SkillEffect, 'isForeign'> | null): boolean {
  return !isReservedSkillKey(key) && (effect?.isForeign ?? true);
}

/** A skill of any kind without a company's switches. The model calls it or loads it. */
export type CatalogueSkill = {
  key: string;
  kind: SkillKind;
  name: string;
  description: string;
  category: string | null;
  /** Keys of its assistants by default. Null: all. Admins may change this. */
  assistants: readonly string[] | null;
} & ({ skill: Skill; pack: null } | { skill: null; pack: Pack });

/** A skill's names: the original one and its translations. */
export type NamedSkill = Pick<CatalogueSkill, 'key' | 'kind' | 'name'> & {
  skill: Pick<Skill, 'names'> | null;
};

/** The same with its descriptions. */
export type DescribedSkill = Pick<CatalogueSkill, 'key' | 'kind' | 'description'> & {
  skill: Pick<Skill, 'descriptions'> | null;
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

/** Why nobody can use a skill now, for people who read `language`. Null: it can be used. */
export function unavailabilityOf(
  found: Pick<CatalogueSkill, 'skill'> | null,
  language: string,
): string | null {
  if (!found) return wordingIn(language).skillUnavailable.gone;
  return found.skill?.unavailableReason?.(language) ?? null;
}

/** Whether a skill for these assistants (null: all) is for `assistant` (null: any). */
export function isForAssistant(
  { key, assistants }: Pick<CatalogueSkill, 'key' | 'assistants'>,
  assistant: { key: string | null; skills?: readonly string[] | null | undefined },
): boolean {
  const isMeant = assistants === null || assistant.key === null || assistants.includes(assistant.key);
  return isMeant && (assistant.skills?.includes(key) ?? true);
}

export interface ApprovalSetting {
  /** Whether approval is required, by an admin's decision. Null: none. */
  required: boolean | null;
  /** Whether the asking member may approve, and not only admins. */
  askerMayApprove: boolean;
}

/** If only the product requires approval, the asker may give it, because the question is whether they mean it. */
export function approvalSettingOf({
  requiresApproval: required,
  askerMayApprove,
}: Pick<SkillRow, 'requiresApproval' | 'askerMayApprove'>): ApprovalSetting {
  return { required, askerMayApprove: required === null || askerMayApprove };
}

/** Whether a person must approve each call: an admin's decision, else whether it may change something elsewhere. */
export function isApprovalRequired(
  required: boolean | null,
  { changes }: Pick<SkillEffect, 'changes'>,
): boolean {
  return required ?? changes === 'ELSEWHERE';
}
