import { z } from 'zod';

import {
  type JsonObject,
  parametersOf,
  type Platform,
  readInput,
  readsOwn,
  type Skill,
  SkillAnswer,
  type SkillContext,
} from '@palabre/plugin';
import { instruments, loadFinancingData } from './financing-data.js';
import { type FinancingQuestion, financingSearches } from './financing-matches.js';
import { toQuery } from './financing-query.js';
import { reportMatches, shortenMatches } from './financing-report.js';
import { matchProgrammes } from './matching.js';
import { regions } from './places.js';
import { countryCodeOf, measureIn } from '../understanding.js';
import { inEveryLanguage, wordingOf } from '../wording.js';
import { sayingFaultsIn } from '../result-wording.js';
import { greenAdvisers } from '../green-advisers.js';

const Input = z.strictObject({
  country: z
    .string()
    .min(2)
    .max(100)
    .transform(countryCodeOf)
    .optional()
    .describe('Left out: the company’s own'),
  region: z.enum(regions).optional().describe('Instead of a country'),
  sector: z.string().min(1).max(200).optional().describe('In words; left out: as the company’s profile says'),
  need: z.string().min(1).max(300).optional().describe('What is to be paid for, in the user’s words'),
  amount: z
    .strictObject({
      value: z.union([
        z.number().positive(),
        z
          .string()
          .max(100)
          .transform((text) => measureIn(text).value),
      ]),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/)
        .describe('ISO 4217, as XOF'),
    })
    .refine(({ value }) => value > 0 && value <= 1e15, 'The amount must be above zero.')
    .optional()
    .describe('Only as the user said it'),
  instrument: z.enum(instruments).optional().describe('Only when the user asks for one kind'),
});

/** Inconsistent data stops the start, not a turn. */
const data = loadFinancingData();

/** Finds programmes of green finance for African companies, with reasons. */
export class FindGreenFinancingSkill implements Skill {
  readonly key = 'find_green_financing';
  readonly name = 'Green finance';
  readonly names = { fr: 'Financements verts', es: 'Financiación verde', zh: '綠色融資' };
  readonly description =
    'Finds programmes of green and climate finance for African companies, with the reasons why each fits or not, how to ' +
    'apply, and the source. Never state an amount, a rate or an open window that it does not give, and always say that ' +
    'the window has to be confirmed.';
  readonly descriptions = inEveryLanguage(({ skills }) => skills.financing);
  readonly parameters = parametersOf(Input);
  readonly assistants = greenAdvisers;
  readonly idempotent = true;
  readonly timeoutMs = 5_000;
  /** The skill adds a version to the company's records and removes none, so nobody has to approve it. */
  readonly effect = readsOwn;

  constructor(private readonly platform: Platform) {}

  async run(input: JsonObject, context: SkillContext): Promise<SkillAnswer> {
    context.signal.throwIfAborted();
    return sayingFaultsIn(context.language, async () => this.answer(readInput(Input, input), context));
  }

  private async answer(given: FinancingQuestion, context: SkillContext): Promise<SkillAnswer> {
    const company = await this.platform.company(context);
    const query = toQuery(given, company);
    const wording = wordingOf(context.language);
    const matching = matchProgrammes(query.wish, data);
    const told = reportMatches(query, matching, data, wording);
    // The company's records and files are in its own language, not in that of the question.
    const result = reportMatches(query, matching, data, wordingOf(company.language));
    const sources = [...result.matches, ...result.near].flatMap(({ name, sources: [source] }) =>
      source ? [{ title: `${name} · ${source.publisher}`, url: source.url }] : [],
    );
    await financingSearches.keep(this.platform, context, '', () => ({
      given,
      result,
      title: result.summary,
      sources,
    }));
    return new SkillAnswer(shortenMatches(told, matching, wording), result);
  }
}
