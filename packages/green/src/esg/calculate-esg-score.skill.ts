import {
  type CompanyProfile,
  type JsonObject,
  parametersOf,
  type Platform,
  readsOwn,
  type Skill,
  SkillAnswer,
  type SkillContext,
} from '@palabre/plugin';
import {
  type Change,
  changesBetween,
  type Kept,
  recordSourceOf,
  sayChanges,
  sayKept,
  withChanges,
} from '../kept-result.js';
import { sayingFaultsIn } from '../result-wording.js';
import { fill, inEveryLanguage, type Wording, wordingOf } from '../wording.js';
import { assess } from './assessment.js';
import { type AssessmentGiven, assessments, type EsgScore } from './esg-score.js';
import { AnswerReader, AnswersInput, type GivenAnswers } from './given-answers.js';
import { loadGrid, type Sector } from './grid.js';
import { sayScore, shortenScore, tellAssessment } from './score-report.js';
import { loadSectorMatcher } from './sector-match.js';
import { loadCriteriaWords } from './criteria-words.js';
import { greenAdvisers } from '../green-advisers.js';

/** Inconsistent criteria or words stop the start, not a turn. */
const grid = loadGrid();
const words = loadCriteriaWords(grid);
const sectorOf = loadSectorMatcher(grid);
const reader = new AnswerReader(grid, words, sectorOf);

type KeptAssessment = Kept<AssessmentGiven, EsgScore>;

/** Scores a company's own answers about environment, social matters and governance, and says what to ask next. */
export class CalculateEsgScoreSkill implements Skill {
  readonly key = 'calculate_esg_score';
  readonly name = 'ESG score';
  readonly names = { fr: 'Score ESG', es: 'Puntuación ESG', zh: 'ESG 評分' };
  readonly description =
    'Scores a company’s ESG or CSR self-assessment from 0 to 100 from the answers known so far, with strengths, weak ' +
    'points, next actions, codes of standards, and the questions to ask next: also with few answers, or none. The answers ' +
    'are kept for the company; never guess one.';
  readonly descriptions = inEveryLanguage(({ skills }) => skills.esg);
  readonly parameters = parametersOf(AnswersInput);
  readonly assistants = greenAdvisers;
  readonly idempotent = true;
  readonly timeoutMs = 5_000;
  /** The skill adds a version to the company's records and removes none, so nobody has to approve it. */
  readonly effect = readsOwn;

  constructor(private readonly platform: Platform) {}

  async run(input: JsonObject, context: SkillContext): Promise<SkillAnswer> {
    context.signal.throwIfAborted();
    return sayingFaultsIn(context.language, () => this.answer(reader.read(input), context));
  }

  private async answer(asked: GivenAnswers, context: SkillContext): Promise<SkillAnswer> {
    const { change, questions } = asked;
    const company = await this.platform.company(context);
    const wording = wordingOf(context.language);
    const tell = (given: AssessmentGiven, language = context.language) => score(given, company, language);
    const isNothing = asked.answers.size + asked.notApplicable.size === 0 && asked.sectorId === null;
    if (change === 'variant' || (isNothing && change === null)) {
      const kept = await assessments.find(this.platform, context, '');
      const result = tell(merged(kept?.given, asked));
      if (change === null) {
        const summary = kept ? sayKept(result.summary, kept, this.platform, wording) : result.summary;
        return new SkillAnswer({ ...shortenScore(result, questions), summary }, kept?.result ?? result);
      }
      const told = fill(wording.results.variant, { summary: result.summary });
      const summary = withChanges(
        told,
        kept ? sayChanges(changesOf(tell(kept.given), result, wording), wording) : [],
        wording,
      );
      return new SkillAnswer({ ...shortenScore(result, questions), summary, variant: true }, result);
    }
    const { before, kept } = await assessments.keep(this.platform, context, '', (newest) => {
      const given = merged(change === 'restart' ? undefined : newest?.given, asked);
      // The company's records and files are in its own language, not in that of the question.
      const result = tell(given, company.language);
      return { given, result, title: sayScore(result), sources: result.sources.map(recordSourceOf) };
    });
    const result = tell(kept.given);
    const changes = before ? sayChanges(changesOf(tell(before.given), result, wording), wording) : [];
    const summary = withChanges(result.summary, changes, wording);
    return new SkillAnswer(
      { ...shortenScore(result, questions), summary, version: kept.version },
      kept.result,
    );
  }
}

/** New answers replace earlier ones, including those set aside. */
function merged(before: KeptAssessment['given'] | undefined, asked: GivenAnswers): AssessmentGiven {
  const answers = { ...before?.answers, ...Object.fromEntries(asked.answers) };
  const setAside = new Set([
    ...(before?.notApplicable ?? []).filter((id) => !asked.answers.has(id)),
    ...asked.notApplicable,
  ]);
  const isAnswer = (entry: [string, number | boolean | null]): entry is [string, number | boolean] =>
    entry[1] !== null && !setAside.has(entry[0]);
  return {
    answers: Object.fromEntries(Object.entries(answers).filter(isAnswer)),
    notApplicable: [...setAside],
    sector: asked.sectorId ?? before?.sector ?? null,
  };
}

function score(given: AssessmentGiven, company: CompanyProfile, language: string): EsgScore {
  const { sector, basis } = weigh(given.sector, company);
  const answers = new Map(Object.entries(given.answers));
  const assessment = assess(grid, { answers, notApplicable: new Set(given.notApplicable), sector });
  const wording = wordingOf(language);
  return tellAssessment(assessment, { grid, words: words[wording.language], wording, basis });
}

interface Weighed {
  sector: Sector | null;
  basis: EsgScore['sector']['basis'];
}

function weigh(sectorId: string | null, { sector: stated }: Pick<CompanyProfile, 'sector'>): Weighed {
  if (sectorId !== null) return { sector: grid.sectors.get(sectorId) ?? null, basis: 'given' };
  const sector = stated === null ? null : sectorOf(stated);
  return { sector, basis: sector ? 'profile' : 'none' };
}

/** Both in one language. */
function changesOf(before: EsgScore, after: EsgScore, { results }: Wording): Change[] {
  const titles = new Map(after.indicators.map(({ id, title }) => [id, title]));
  const answersOf = ({ indicators }: EsgScore): Map<string, string> =>
    new Map(indicators.flatMap(({ id, answerText }) => (answerText === null ? [] : [[id, answerText]])));
  return [
    ...changesBetween(answersOf(before), answersOf(after), (id) => `${id} ${titles.get(id) ?? ''}`),
    { label: results.score, before: sayScore(before), after: sayScore(after) },
  ];
}
