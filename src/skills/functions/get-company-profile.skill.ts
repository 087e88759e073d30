import type { JsonObject, JsonValue } from '@palabre/json';
import { wordingIn } from '../../common/wording/wording.js';

import { CompaniesService } from '../../companies/companies.service.js';
import type { Company } from '../../companies/company.repository.js';
import { FunctionSkill } from '../function-skill.decorator.js';
import { readsOwn, type Skill, type SkillContext } from '../skill.js';

/** Gives the model the known and unknown facts of the user's company. */
@FunctionSkill()
export class GetCompanyProfileSkill implements Skill {
  readonly key = 'get_company_profile';
  readonly name = wordingIn('en').skillNames.get_company_profile;
  readonly description = "Gives what is known of the user's company. The prompt holds most of it already.";
  readonly parameters: JsonObject = { type: 'object', additionalProperties: false, properties: {} };
  readonly idempotent = true;
  readonly timeoutMs = 5_000;
  readonly effect = readsOwn;

  constructor(private readonly companies: CompaniesService) {}

  async run(_input: JsonObject, context: SkillContext): Promise<JsonValue> {
    return profileOf(await this.companies.getOf(context));
  }
}

/** A company for a model: known facts, and the names of unknown ones, so that it can ask. */
export function profileOf(company: Company): JsonObject {
  const { name, language, attributes, revenueAmount: amount, revenueCurrency: currency } = company;
  const { sector, country, city, headcount, environmentalPractices, declaredGoals } = company;
  const revenue = amount !== null && currency !== null ? { amount, currency } : null;
  const said = { sector, country, city, headcount, revenue, environmentalPractices, declaredGoals };
  const facts = Object.entries(said);
  return {
    name,
    ...Object.fromEntries(facts.filter(([, value]) => isKnown(value))),
    ...(Object.keys(attributes).length > 0 && { attributes }),
    language,
    notKnown: facts.filter(([, value]) => !isKnown(value)).map(([key]) => key),
  };
}

function isKnown(value: JsonValue): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}
