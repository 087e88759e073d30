import {
  type CompanyProfile,
  type JsonObject,
  type Platform,
  readsOwn,
  type Skill,
  SkillAnswer,
  type SkillContext,
} from '@palabre/plugin';
import { assess } from './assessment.js';
import type { EsgScore } from './esg-score.js';
import { AnswerReader } from './given-answers.js';
import { loadGrid, type Sector } from './grid.js';
import { scoreParameters } from './score-parameters.js';
import { tellAssessment } from './score-report.js';
import { loadSectorMatcher } from './sector-match.js';
import { shortenScore } from './short-score.js';
import { loadCriteriaWords } from './criteria-words.js';
import { esgWordingOf } from './esg-wording.js';
import { greenAdvisers } from '../green-advisers.js';

/** Criteria and words that do not hold together stop the start, not a turn. */
const grid = loadGrid();
const words = loadCriteriaWords(grid);
const sectorOf = loadSectorMatcher(grid);
const reader = new AnswerReader(grid, words, sectorOf);

interface Weighed {
  sector: Sector | null;
  basis: EsgScore['sector']['basis'];
}

/** Scores a company's own answers about environment, social matters and governance, and says what to ask next. */
export class CalculateEsgScoreSkill implements Skill {
  readonly key = 'calculate_esg_score';
  readonly name = 'ESG score';
  readonly description =
    'Scores a company’s ESG or CSR self-assessment from 0 to 100 from the answers known so far, with strengths, weak ' +
    'points, next actions, codes of standards, and the questions to ask next: also with few answers, or none. Pass all ' +
    'answers known so far each time; never guess one.';
  readonly parameters = scoreParameters(grid);
  readonly assistants = greenAdvisers;
  readonly idempotent = true;
  readonly timeoutMs = 5_000;
  readonly effect = readsOwn;

  private readonly platform: Platform;

  constructor(platform: Platform) {
    this.platform = platform;
  }

  async run(input: JsonObject, context: SkillContext): Promise<SkillAnswer> {
    context.signal.throwIfAborted();
    const given = reader.read(input);
    const company = await this.platform.company(context);
    const { sector, basis } = weigh(given.sectorId, company);
    const assessment = assess(grid, { ...given, sector });
    const tell = (language: string): EsgScore => {
      const wording = esgWordingOf(language);
      return tellAssessment(assessment, { grid, words: words[wording.language], wording, basis });
    };
    // The company's files are in its own language, whichever it is asked in.
    return new SkillAnswer(shortenScore(tell(context.language), given.questions), tell(company.language));
  }
}

function weigh(sectorId: string | null, { sector: stated }: Pick<CompanyProfile, 'sector'>): Weighed {
  if (sectorId !== null) return { sector: grid.sectors.get(sectorId) ?? null, basis: 'given' };
  const sector = stated === null ? null : sectorOf(stated);
  return { sector, basis: sector ? 'profile' : 'none' };
}
