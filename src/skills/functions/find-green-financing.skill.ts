import { z } from 'zod';

import type { JsonObject } from '../../common/json.js';
import { CompaniesService } from '../../companies/companies.service.js';
import { FunctionSkill } from '../function-skill.decorator.js';
import { type Skill, SkillAnswer, type SkillContext, SkillError } from '../skill.js';
import { instruments, loadFinancingData } from './financing/financing-data.js';
import { financingParameters } from './financing/financing-parameters.js';
import { toQuery } from './financing/financing-query.js';
import { reportMatches, shortenMatches } from './financing/financing-report.js';
import { matchProgrammes } from './financing/matching.js';
import { regions } from './financing/places.js';
import { wordingOf } from './financing/wording/speech.js';
import { greenAdvisers } from './green-advisers.js';

const Input = z.strictObject({
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  region: z.enum(regions).optional(),
  sector: z.string().min(1).max(200).optional(),
  need: z.string().min(1).max(300).optional(),
  amount: z
    .strictObject({ value: z.number().positive().max(1e15), currency: z.string().regex(/^[A-Z]{3}$/) })
    .optional(),
  instrument: z.enum(instruments).optional(),
});

/** Data that does not hold together stops the start, not a turn. */
const data = loadFinancingData();

/** Finds programmes of green finance for African companies, and says by which reasons. */
@FunctionSkill()
export class FindGreenFinancingSkill implements Skill {
  readonly key = 'find_green_financing';
  readonly name = 'Green finance';
  readonly description =
    'Finds programmes of green and climate finance for African companies: grants, loans, guarantees, equity, ' +
    'technical assistance; with the reasons why each fits or not, how to apply, the year of the information and its ' +
    'source (financement vert, finance climat, subvention, prêt vert, garantie, bailleur; financiación verde, ' +
    'subvenciones, préstamo verde). Use it when the user looks for money for a green project or asks what they are ' +
    'eligible for. Do not use it for bank rates, prices or footprints. Never state an amount, a rate or an open window ' +
    'that it does not give, and always say that the window has to be confirmed.';
  readonly parameters = financingParameters;
  readonly assistants = greenAdvisers;
  readonly idempotent = true;
  readonly timeoutMs = 5_000;

  constructor(private readonly companies: CompaniesService) {}

  async run(input: JsonObject, context: SkillContext): Promise<SkillAnswer> {
    context.signal.throwIfAborted();
    const parsed = Input.safeParse(input);
    if (!parsed.success) throw new SkillError(`The arguments do not fit:\n${z.prettifyError(parsed.error)}`);
    const company = await this.companies.getOf(context);
    const query = toQuery(parsed.data, company);
    const wording = wordingOf(context.language);
    const matching = matchProgrammes(query.wish, data);
    const told = reportMatches(query, matching, data, wording);
    // The company's files are in its own language, whichever it is asked in.
    const details = reportMatches(query, matching, data, wordingOf(company.language));
    return new SkillAnswer(shortenMatches(told, matching, wording), details);
  }
}
