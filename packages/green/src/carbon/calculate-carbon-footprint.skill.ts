import {
  type JsonObject,
  parametersOf,
  type Platform,
  readsOwn,
  type Skill,
  SkillAnswer,
  type SkillContext,
} from '@palabre/plugin';
import { type Kept, recordSourceOf, sayChanges, sayKept, withChanges } from '../kept-result.js';
import { Fault, sayingFaultsIn } from '../result-wording.js';
import { folded } from '../understanding.js';
import { fill, inEveryLanguage, wordingOf } from '../wording.js';
import { calculated, type Calculated, data, reader } from './calculated-footprint.js';
import { type FootprintArguments, FootprintInput } from './footprint-arguments.js';
import { amended, changesOf, withCountries } from './footprint-change.js';
import { type CarbonFootprint, type FootprintGiven, footprints } from './footprint-details.js';
import { shortenFootprint } from './footprint-report.js';

type KeptFootprint = Kept<FootprintGiven, CarbonFootprint>;

/** Counts greenhouse gases from quantities the user states, with published factors only. */
export class CalculateCarbonFootprintSkill implements Skill {
  readonly key = 'calculate_carbon_footprint';
  readonly name = 'Carbon footprint';
  readonly names = { fr: 'Empreinte carbone', es: 'Huella de carbono', zh: '碳足跡' };
  readonly description =
    'Calculates a carbon footprint in tCO2e by scope from quantities of energy, transport, waste, water, gases, ' +
    'materials and food, with the source of each factor, and keeps it for the company. Use it as soon as there is a ' +
    'quantity with its unit; never for guessed ones. It refuses what has no published factor: report that, never estimate ' +
    'instead.';
  readonly descriptions = inEveryLanguage(({ skills }) => skills.carbon);
  readonly parameters = parametersOf(FootprintInput);
  readonly idempotent = true;
  readonly timeoutMs = 5_000;
  /** The skill adds a version to the company's records and removes none, so nobody has to approve it. */
  readonly effect = readsOwn;

  constructor(private readonly platform: Platform) {}

  async run(input: JsonObject, context: SkillContext): Promise<SkillAnswer> {
    context.signal.throwIfAborted();
    return sayingFaultsIn(context.language, () => this.answer(reader.read(input), context));
  }

  private async answer(asked: FootprintArguments, context: SkillContext): Promise<SkillAnswer> {
    const { country, language } = await this.platform.company(context);
    const period = asked.period === undefined ? undefined : folded(asked.period);
    const latest = await footprints.find(this.platform, context, period);
    if (asked.items.length === 0) return this.tell(latest, context.language);
    const { change, ...said } = asked;
    // Without a period, quantities belong to the latest footprint of the same conversation. In another conversation
    // they are a new one.
    const isSame = latest && (change || latest.conversationId === context.conversationId);
    const given = { ...(isSame && latest.given.period && { period: latest.given.period }), ...said };
    const calculate = (before: Calculated | null, inLanguage: string): Calculated => {
      const all = before && change ? amended(before.given, given, country) : withCountries(given);
      return calculated(all, country, inLanguage);
    };
    if (change === 'variant') {
      const result = calculate(latest, context.language);
      return answerOf(result, latest, context.language, 'variant');
    }
    const subject = period ?? (isSame ? latest.subject : '');
    const { before, kept } = await footprints.keep(this.platform, context, subject, (newest) => {
      // The company's records and files are in its own language, not in that of the question.
      const made = calculate(newest, language);
      const { totalKgCO2e, sources } = made.result;
      return {
        ...made,
        title: wordingOf(language).speech.emissions(totalKgCO2e),
        sources: sources.map(recordSourceOf),
      };
    });
    const isCompared = before && (change || before.conversationId === context.conversationId);
    const told = calculated(kept.given, country, context.language);
    return answerOf(told, isCompared ? before : null, context.language, kept);
  }

  private tell(kept: KeptFootprint | null, language: string): SkillAnswer {
    if (!kept) throw new Fault('noFootprint');
    const summary = sayKept(kept.result.summary, kept, this.platform, wordingOf(language));
    return new SkillAnswer({ ...shortenFootprint(kept.result), summary, version: kept.version }, kept.result);
  }
}

/** `as`: the kept version, or `variant`, which is not kept. */
function answerOf(
  { given, result }: Calculated,
  before: Calculated | null,
  language: string,
  as: KeptFootprint | 'variant',
): SkillAnswer {
  const wording = wordingOf(language);
  const changes = before ? sayChanges(changesOf(before, { given, result }, wording, data), wording) : [];
  const told = as === 'variant' ? fill(wording.results.variant, { summary: result.summary }) : result.summary;
  const short = {
    ...shortenFootprint(result),
    summary: withChanges(told, changes, wording),
    ...(as === 'variant' ? { variant: true } : { version: as.version }),
  };
  return new SkillAnswer(short, as === 'variant' ? result : as.result);
}
