import { badInput } from '../../common/errors/domain-error.js';
import type { JsonObject } from '../../common/json.js';
import type { Memory } from '../memory.entity.js';
import { faultOf, merged, sameAttributes } from './attributes.js';
import type { AttributeChanges } from './memory-input.js';

type Said = Pick<Memory, 'kind' | 'content'> & { attributes: AttributeChanges | null };

/**
 * The attributes that a new version has. Those of projects and contacts are facts of their own: a new e-mail address
 * leaves the notes as they are. Those of the others belong to the text, and go with it. Rejects with BAD_USER_INPUT
 * below `path` when they have become too many.
 */
export const attributesAfter = (
  before: Memory | null,
  { kind, content, attributes }: Said,
  path: readonly string[],
): JsonObject => {
  const isNamed = kind === 'PROJECT' || kind === 'CONTACT';
  const keeps = isNamed || (attributes === null && before?.content === content);
  const after = merged(keeps && before ? before.attributes : {}, attributes ?? {});
  const fault = faultOf(after);
  if (fault !== null) throw badInput(path, fault);
  return after;
};

/** Whether a version would say nothing that the one before it does not say; another spelling of the subject is new. */
export const saysTheSame = (
  before: Pick<Memory, 'subject' | 'content' | 'attributes'>,
  said: Pick<Memory, 'subject' | 'content' | 'attributes'>,
): boolean =>
  before.subject === said.subject &&
  before.content === said.content &&
  sameAttributes(before.attributes, said.attributes);
