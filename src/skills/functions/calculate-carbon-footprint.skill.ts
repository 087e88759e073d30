import { z } from 'zod';

import type { JsonObject } from '../../common/json.js';
import { CompaniesService } from '../../companies/companies.service.js';
import { FunctionSkill } from '../function-skill.decorator.js';
import { type Skill, SkillAnswer, type SkillContext, SkillError } from '../skill.js';
import { detailFootprint } from './carbon/detailed-footprint.js';
import { loadEmissionData } from './carbon/emission-data.js';
import { footprintParameters } from './carbon/footprint-parameters.js';
import { reportFootprint } from './carbon/footprint-report.js';
import { sayRefused } from './carbon/footprint-summary.js';
import { computeFootprint, type RefusedItem } from './carbon/footprint.js';
import { wordingOf } from './carbon/wording/speech.js';
import type { Wording } from './carbon/wording/wording.js';

const country = z.string().regex(/^[A-Z]{2}$/);

const Input = z.strictObject({
  country: country.optional(),
  period: z.string().min(1).max(60).optional(),
  upstream: z.boolean().optional(),
  items: z
    .array(
      z.strictObject({
        activity: z.string(),
        quantity: z.number(),
        unit: z.string(),
        country: country.optional(),
      }),
    )
    .min(1)
    .max(100),
});

/** Data that does not hold together stops the start, not a turn. */
const data = loadEmissionData();

const reasons = (refused: readonly RefusedItem[], wording: Wording): string =>
  [...new Set(refused.map((item) => sayRefused(item, wording, data)))].join(' · ');

/** Counts greenhouse gases from quantities the user states, with published factors only. */
@FunctionSkill()
export class CalculateCarbonFootprintSkill implements Skill {
  readonly key = 'calculate_carbon_footprint';
  readonly name = 'Carbon footprint';
  readonly description =
    'Calculates a carbon footprint in tCO2e, by scope 1, 2 and 3, from quantities of electricity, fuel, transport, ' +
    'freight, waste, water, refrigerants, materials and food bought, with the source, year and limits of each factor ' +
    '(empreinte carbone, bilan carbone, émissions de gaz à effet de serre, GES, CO2; ' +
    'huella de carbono, emisiones de gases de efecto invernadero). ' +
    'Use it when the user gives at least one quantity with its unit, such as 12,000 kWh or 3,500 litres of diesel. ' +
    'Do not use it for general questions, for ESG scores or to guess quantities: ask for them. ' +
    'It refuses what has no published factor; report the refusal, never estimate in its place.';
  readonly parameters = footprintParameters(data);
  readonly idempotent = true;
  readonly timeoutMs = 5_000;

  constructor(private readonly companies: CompaniesService) {}

  async run(input: JsonObject, context: SkillContext): Promise<SkillAnswer> {
    context.signal.throwIfAborted();
    const parsed = Input.safeParse(input);
    if (!parsed.success) throw new SkillError(`The arguments do not fit:\n${z.prettifyError(parsed.error)}`);
    const wording = wordingOf(context.language);
    const { country: profileCountry, language } = await this.companies.getOf(context);
    const footprint = computeFootprint({ ...parsed.data, profileCountry }, data);
    if (footprint.lines.length === 0)
      throw new SkillError(wording.nothing(reasons(footprint.refused, wording)));
    const isProfiles = footprint.caveats.some(({ code }) => code === 'profile_country');
    const frame = isProfiles ? { ...parsed.data, country: profileCountry ?? undefined } : parsed.data;
    return new SkillAnswer(
      reportFootprint(footprint, wording, data, parsed.data.period),
      // The company's files are in its own language, whichever it is asked in.
      detailFootprint(footprint, wordingOf(language), data, frame),
    );
  }
}
