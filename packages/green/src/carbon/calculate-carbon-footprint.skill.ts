import {
  type JsonObject,
  type Platform,
  readsOwn,
  type Skill,
  SkillAnswer,
  type SkillContext,
  SkillError,
} from '@palabre/plugin';
import { detailFootprint } from './detailed-footprint.js';
import { loadEmissionData } from './emission-data.js';
import { ArgumentReader } from './footprint-arguments.js';
import { footprintParameters } from './footprint-parameters.js';
import { reportFootprint } from './footprint-report.js';
import { sayRefused } from './footprint-summary.js';
import { computeFootprint, type RefusedItem } from './footprint.js';
import { fill } from '../wording.js';
import { type CarbonWording, carbonWordingOf } from './carbon-wording.js';

/** Data that does not hold together stops the start, not a turn. */
const data = loadEmissionData();
const reader = new ArgumentReader(data);

function reasons(refused: readonly RefusedItem[], wording: CarbonWording): string {
  return [...new Set(refused.map((item) => sayRefused(item, wording, data)))].join(' · ');
}

/** Counts greenhouse gases from quantities the user states, with published factors only. */
export class CalculateCarbonFootprintSkill implements Skill {
  readonly key = 'calculate_carbon_footprint';
  readonly name = 'Carbon footprint';
  readonly description =
    'Calculates a carbon footprint in tCO2e by scope from quantities of energy, transport, waste, water, gases, ' +
    'materials and food, with the source of each factor. Use it as soon as there is a quantity with its unit; never for ' +
    'guessed ones. It refuses what has no published factor: report that, never estimate instead.';
  readonly parameters = footprintParameters;
  readonly idempotent = true;
  readonly timeoutMs = 5_000;
  readonly effect = readsOwn;

  private readonly platform: Platform;

  constructor(platform: Platform) {
    this.platform = platform;
  }

  async run(input: JsonObject, context: SkillContext): Promise<SkillAnswer> {
    context.signal.throwIfAborted();
    const asked = reader.read(input);
    const wording = carbonWordingOf(context.language);
    const { country: profileCountry, language } = await this.platform.company(context);
    const footprint = computeFootprint({ ...asked, profileCountry }, data);
    if (footprint.lines.length === 0)
      throw new SkillError(fill(wording.texts.nothing, { reasons: reasons(footprint.refused, wording) }));
    const isProfiles = footprint.caveats.some(({ code }) => code === 'profile_country');
    const frame = isProfiles ? { ...asked, country: profileCountry ?? undefined } : asked;
    return new SkillAnswer(
      reportFootprint(footprint, wording, data, asked.period),
      // The company's files are in its own language, whichever it is asked in.
      detailFootprint(footprint, carbonWordingOf(language), data, frame),
    );
  }
}
