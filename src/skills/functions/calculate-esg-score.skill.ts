import type { JsonObject } from '../../common/json.js';
import { CompaniesService } from '../../companies/companies.service.js';
import type { Company } from '../../companies/company.entity.js';
import { FunctionSkill } from '../function-skill.decorator.js';
import { type Skill, SkillAnswer, type SkillContext } from '../skill.js';
import { assess } from './esg/assessment.js';
import type { EsgScore } from './esg/esg-score.js';
import { readGivenAnswers } from './esg/given-answers.js';
import { loadGrid, type Sector } from './esg/grid.js';
import { scoreParameters } from './esg/score-parameters.js';
import { tellAssessment } from './esg/score-report.js';
import { loadSectorMatcher } from './esg/sector-match.js';
import { shortenScore } from './esg/short-score.js';
import { loadCriteriaWords } from './esg/wording/criteria-words.js';
import { wordingOf } from './esg/wording/speech.js';
import { greenAdvisers } from './green-advisers.js';

/** Criteria and words that do not hold together stop the start, not a turn. */
const grid = loadGrid();
const words = loadCriteriaWords(grid);
const sectorOf = loadSectorMatcher(grid);

interface Weighed {
  sector: Sector | null;
  basis: EsgScore['sector']['basis'];
}

/** Scores a company's own answers about environment, social matters and governance, and says what to ask next. */
@FunctionSkill()
export class CalculateEsgScoreSkill implements Skill {
  readonly key = 'calculate_esg_score';
  readonly name = 'ESG score';
  readonly description =
    'Scores a company’s ESG self-assessment from 0 to 100, overall and for environment, social and governance, from ' +
    'the answers known so far, with strengths, weak points, next actions, VSME, GRI, IFC, ISO 26000 and SDG codes, and ' +
    'the next questions to ask (score ESG, évaluation ESG, diagnostic RSE, notation extra-financière; ' +
    'puntuación ESG, evaluación ESG, diagnóstico de sostenibilidad; ESG 評分, 永續評估). ' +
    'Use it when the user wants an ESG or CSR score, assessment or diagnosis, also with few answers or none: it says ' +
    'which questions matter most. Pass all answers known so far each time. ' +
    'Do not use it for quantities of greenhouse gases, and never guess an answer.';
  readonly parameters = scoreParameters(grid, words);
  readonly assistants = greenAdvisers;
  readonly idempotent = true;
  readonly timeoutMs = 5_000;

  constructor(private readonly companies: CompaniesService) {}

  async run(input: JsonObject, context: SkillContext): Promise<SkillAnswer> {
    context.signal.throwIfAborted();
    const given = readGivenAnswers(grid, input);
    const company = await this.companies.getOf(context);
    const { sector, basis } = weigh(given.sectorId, company);
    const assessment = assess(grid, { ...given, sector });
    const tell = (language: string): EsgScore => {
      const wording = wordingOf(language);
      return tellAssessment(assessment, { grid, words: words[wording.language], wording, basis });
    };
    // The company's files are in its own language, whichever it is asked in.
    return new SkillAnswer(shortenScore(tell(context.language)), tell(company.language));
  }
}

const weigh = (sectorId: string | null, { sector: stated }: Pick<Company, 'sector'>): Weighed => {
  if (sectorId !== null) return { sector: grid.sectors.get(sectorId) ?? null, basis: 'given' };
  const sector = stated === null ? null : sectorOf(stated);
  return { sector, basis: sector ? 'profile' : 'none' };
};
