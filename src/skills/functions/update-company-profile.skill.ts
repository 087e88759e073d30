import { folded } from '@palabre/text';
import type { JsonObject, JsonValue } from '@palabre/json';

import { DomainError } from '../../common/errors/domain-error.js';
import { CompaniesService } from '../../companies/companies.service.js';
import { FunctionSkill } from '../function-skill.decorator.js';
import { ArgumentsError, type Skill, type SkillContext, SkillError, changesHere } from '../skill.js';
import { profileOf } from './get-company-profile.skill.js';
import { wordingIn } from '../../common/wording/wording.js';

function points(what: string): JsonObject {
  return {
    type: 'array',
    maxItems: 20,
    items: { type: 'string', minLength: 1, maxLength: 500 },
    description: `${what} Added to what is known already.`,
  };
}

/** Stores the user's statements about their company. The rest of the profile stays. */
@FunctionSkill()
export class UpdateCompanyProfileSkill implements Skill {
  readonly key = 'update_company_profile';
  readonly name = wordingIn('en').skillNames.update_company_profile;
  readonly description =
    "Stores facts about the user's company that the user has just stated in so many words, never what you conclude.";
  readonly parameters: JsonObject = {
    type: 'object',
    additionalProperties: false,
    minProperties: 1,
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 200 },
      sector: { type: 'string', minLength: 1, maxLength: 200 },
      country: {
        type: 'string',
        pattern: '^[A-Z]{2}$',
        description: 'ISO 3166-1 alpha-2, such as SN.',
      },
      city: { type: 'string', minLength: 1, maxLength: 200 },
      headcount: { type: 'integer', minimum: 0, description: 'How many people work there.' },
      revenue: {
        type: 'object',
        additionalProperties: false,
        required: ['amount', 'currency'],
        description: 'Revenue of one year.',
        properties: {
          amount: { type: 'number', minimum: 0, description: 'In whole units of the currency.' },
          currency: {
            type: 'string',
            pattern: '^[A-Z]{3}$',
            description: 'ISO 4217: XOF for FCFA.',
          },
        },
      },
      environmentalPractices: points('What it does for the environment.'),
      declaredGoals: points('What it has set itself to reach.'),
    },
  };
  readonly idempotent = true;
  readonly timeoutMs = 5_000;
  readonly effect = changesHere;

  constructor(private readonly companies: CompaniesService) {}

  async run(input: JsonObject, context: SkillContext): Promise<JsonValue> {
    // updateCompany needs an admin. Asking an assistant must not get around that.
    if (context.role === 'MEMBER')
      throw new SkillError(wordingIn(context.language).companyProfile.adminsOnly);
    const by = { id: context.memberId, companyId: context.companyId };
    const known = await this.companies.getOf(by);
    const changes = {
      ...input,
      ...added('environmentalPractices', known.environmentalPractices, input),
      ...added('declaredGoals', known.declaredGoals, input),
    };
    try {
      return { stored: Object.keys(input), profile: profileOf(await this.companies.update(by, changes)) };
    } catch (error) {
      if (error instanceof DomainError && error.code === 'BAD_USER_INPUT')
        throw new ArgumentsError(error.message);
      throw error;
    }
  }
}

function added(key: string, known: readonly string[], input: JsonObject): JsonObject {
  const stated = input[key];
  return Array.isArray(stated) ? { [key]: addedPoints(known, stated.map(String)) } : {};
}

/** Points are compared without case, accents and final punctuation: models repeat known points in other spellings. */
function keyOf(point: string): string {
  return folded(point)
    .replace(/[\s.;,]+$/u, '')
    .trim();
}

/** Known and new points, each once. */
export function addedPoints(known: readonly string[], stated: readonly string[]): string[] {
  const points = new Map(known.map((point) => [keyOf(point), point]));
  for (const point of stated) if (!points.has(keyOf(point))) points.set(keyOf(point), point);
  return [...points.values()];
}
