import type { ChatRequest } from '../../chat-model.js';
import { missesField, type Refusal, refusesParameter, wantsWithout } from '../refusal.js';

/** Fields that providers may want back. */
const echoFields = ['reasoning_content', 'reasoning_details', 'extra_content'] as const;
export type EchoField = (typeof echoFields)[number];

/** AS_CAME: as it came, where it came. ALWAYS: with a placeholder where it did not. NEVER: not at all. */
export type EchoUse = 'AS_CAME' | 'ALWAYS' | 'NEVER';
export type EchoUses = Readonly<Record<EchoField, EchoUse>>;

export const commonUses: EchoUses = {
  reasoning_content: 'AS_CAME',
  reasoning_details: 'AS_CAME',
  extra_content: 'AS_CAME',
};

/** Fields that some providers demand even when there is nothing to return, and their names in error messages. */
const demanded: readonly (readonly [EchoField, string])[] = [
  ['reasoning_content', 'reasoning_content'],
  ['extra_content', 'thought_signature'],
];

/**
 * A change that may satisfy a provider that refused a request, or null. Each field goes from AS_CAME to ALWAYS to
 * NEVER and never back, so this ends. Missing fields come first, because a refusal may quote anything.
 */
export function usesAfter(uses: EchoUses, { messages }: ChatRequest, answer: Refusal): EchoUses | null {
  const said = messages.filter((message) => message.role === 'assistant');
  if (said.length === 0) return null;
  const missed = demanded.find(([field, name]) => uses[field] === 'AS_CAME' && missesField(answer, name));
  if (missed) return { ...uses, [missed[0]]: 'ALWAYS' };
  const wasSent = (field: EchoField): boolean =>
    uses[field] === 'ALWAYS' || (uses[field] === 'AS_CAME' && said.some(({ echo }) => echo));
  const refused = echoFields.find(
    (field) => wasSent(field) && (refusesParameter(answer, field) || wantsWithout(answer, field)),
  );
  return refused ? { ...uses, [refused]: 'NEVER' } : null;
}
