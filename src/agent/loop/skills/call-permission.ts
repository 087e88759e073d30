import { namedAddresses, normalAddress } from '@palabre/text';
import { isJsonObject, type JsonValue, parseJson } from '@palabre/json';

import type { ForeignTextPolicy } from '../../../companies/company-input.js';
import { shownArguments } from '../../../skills/skill-arguments.js';
import { isApprovalRequired, isForeign, type SkillEffect } from '../../../skills/skill.js';
import type { SkillPort } from '../agent-ports.js';
import type { AgentTurn } from '../agent-turn.js';
import { hasAttached, type Step } from '../prompt/prompt.js';

/** Whether a call runs, waits for a person's approval, or is refused. */
export type CallPermission = 'RUN' | 'ASK' | 'REFUSE';

/** What a permission depends on. Text by models or strangers is not part of it. */
export interface CallCircumstances {
  effect: Pick<SkillEffect, 'changes'>;
  /** Whether an admin requires approval for the skill. Null: no admin has decided. */
  required: boolean | null;
  /** The call's address is from neither the user nor a search. */
  callsUnknownAddress: boolean;
  /** The turn has read foreign text, which may have prompted the call. */
  hasForeignText: boolean;
  policy: ForeignTextPolicy;
}

/** An admin's decision holds whatever was read. Else the company's policy applies, but never less than in any turn. */
export function permissionFor({
  effect,
  required,
  callsUnknownAddress,
  hasForeignText,
  policy,
}: CallCircumstances): CallPermission {
  const usual = isApprovalRequired(required, effect) ? 'ASK' : 'RUN';
  const isRisky = effect.changes !== 'NOTHING' || callsUnknownAddress;
  if (required !== null || !hasForeignText || !isRisky) return usual;
  return policy === 'RUN' ? usual : policy;
}

/** Computed from stored data, so that each run of a turn gets the same result. */
export class CallPermissions {
  private addresses: ReadonlySet<string> | null = null;
  private readonly hasForeignText: boolean;

  constructor(
    private readonly skills: Pick<SkillPort, 'factsOf'>,
    private readonly turn: Pick<AgentTurn, 'prompt' | 'foreignTextPolicy'>,
    private readonly steps: readonly Step[],
  ) {
    this.hasForeignText =
      hasAttached(turn.prompt) ||
      steps.some(({ calls }) =>
        calls.some(({ name, result }) => result !== null && isForeign(name, skills.factsOf(name).effect)),
      );
  }

  /** A call of a skill that is not offered runs, so that its result tells the model so. */
  permissionOf({ name, arguments: text }: { name: string; arguments: string }): CallPermission {
    const { approval, effect } = this.skills.factsOf(name);
    if (!approval || !effect) return 'RUN';
    const address = effect.addressArgument && shownArguments(text)[effect.addressArgument];
    return permissionFor({
      effect,
      required: approval.required,
      callsUnknownAddress: typeof address === 'string' && this.hasForeignText && !this.isKnown(address),
      hasForeignText: this.hasForeignText,
      policy: this.turn.foreignTextPolicy,
    });
  }

  private isKnown(address: string): boolean {
    const normal = normalAddress(address);
    this.addresses ??= new Set([...addressesOfUser(this.turn), ...this.foundAddresses()]);
    return normal !== null && this.addresses.has(normal);
  }

  private foundAddresses(): string[] {
    return this.steps.flatMap(({ calls }) =>
      calls.flatMap(({ name, result }) => {
        const found = this.skills.factsOf(name).effect?.addressesIn?.(valueOf(result)) ?? [];
        return found.flatMap((address) => normalAddress(address) ?? []);
      }),
    );
  }
}

function addressesOfUser({ prompt }: Pick<AgentTurn, 'prompt'>): Set<string> {
  const said = prompt.history.filter(({ role }) => role === 'user').map(({ text }) => text);
  return namedAddresses([...said, prompt.question].join('\n'));
}

function valueOf(result: string | null): JsonValue {
  const value = parseJson(result ?? 'null');
  return isJsonObject(value) ? value : null;
}
