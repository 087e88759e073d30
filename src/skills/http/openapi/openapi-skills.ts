import type { ImportableOperation, SecretPlace } from '@palabre/openapi';
import type { JsonObject } from '@palabre/json';

import { checkInput } from '../../../common/check-input.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import {
  type CheckedHttpSkill,
  checkedHttpSkill,
  httpSkillOf,
  secretNamesOf,
  HttpSkillInput,
} from '../http-skill-input.js';

/** Settings that all skills of an import share. */
interface SharedSettings extends Pick<
  HttpSkillInput,
  'category' | 'headers' | 'secrets' | 'timeoutSeconds' | 'replace'
> {
  /** The places of secrets that the skill keeps, because none are given. */
  kept?: readonly SecretPlace[] | undefined;
}

/** The skill for an operation, or the reason against it, in words for people. */
type Judged = { skill: CheckedHttpSkill; refusal: null } | { skill: null; refusal: string };

/** Decides whether an operation can be imported, for previews and imports alike. Slow: it compiles the schema. */
export function judge(operation: ImportableOperation, server: string, shared: SharedSettings): Judged {
  if (!operation.parameters) return { skill: null, refusal: operation.problems.join(' ') };
  try {
    const skill = checkedHttpSkill(inputOf(operation, operation.parameters, server, shared));
    httpSkillOf(skill, secretNamesOf(shared.secrets ?? shared.kept ?? []));
    return { skill, refusal: null };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'BAD_USER_INPUT') throw error;
    const { path } = error.extensions;
    const place = Array.isArray(path) ? path.slice(1).join('.') : '';
    return { skill: null, refusal: place === '' ? error.message : `${place}: ${error.message}` };
  }
}

/** Leaves out arguments that every call sends anyway. */
function withoutGiven(
  { placements }: ImportableOperation,
  parameters: JsonObject,
  { headers, secrets, kept }: SharedSettings,
): Pick<HttpSkillInput, 'parameters' | 'placements'> {
  const sent = (headers ?? []).map(({ name }) => ({ in: 'HEADER', name }));
  const given = new Set([...sent, ...(secrets ?? kept ?? [])].map(placeOf));
  const gone = new Set(
    placements.filter((placement) => given.has(placeOf(placement))).map(({ argument }) => argument),
  );
  const { properties, required } = parameters;
  return {
    parameters: {
      ...parameters,
      properties: Object.fromEntries(
        Object.entries(properties ?? {}).filter(([argument]) => !gone.has(argument)),
      ),
      ...(Array.isArray(required) && { required: required.filter((name) => !gone.has(String(name))) }),
    },
    placements: placements.filter(({ argument }) => !gone.has(argument)),
  };
}

function placeOf({ in: place, name }: { in: string; name: string }): string {
  return `${place} ${place === 'HEADER' ? name.toLowerCase() : name}`;
}

function inputOf(
  operation: ImportableOperation,
  parameters: JsonObject,
  server: string,
  shared: SharedSettings,
): HttpSkillInput {
  const { category, headers, secrets, timeoutSeconds, replace } = shared;
  return checkInput(HttpSkillInput, {
    ...operation,
    ...withoutGiven(operation, parameters, shared),
    name: operation.summary,
    url: `${server}${operation.template}`,
    category,
    headers,
    secrets,
    timeoutSeconds,
    replace,
  });
}
