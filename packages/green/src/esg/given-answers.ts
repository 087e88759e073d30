import { z } from 'zod';

import { type JsonObject, readInput } from '@palabre/plugin';
import { Fault } from '../result-wording.js';
import type { Answer } from './assessment.js';
import { measureIn, Names } from '../understanding.js';
import { type Language, languages, wordingOf } from '../wording.js';
import type { CriteriaWords } from './criteria-words.js';
import { type AnswerScale, type Grid, type Indicator, type PillarId, units } from './grid.js';
import type { SectorMatcher } from './sector-match.js';

export const AnswersInput = z.strictObject({
  answers: z
    .object({})
    .catchall(z.union([z.number(), z.boolean(), z.string().max(100), z.null()]))
    .optional()
    .describe(
      'New or changed ones; null withdraws one. Only what the user said or a document shows, never guessed. By the id of ' +
        'an indicator, or what it is about; one that is not known is answered with the nearest',
    ),
  notApplicable: z
    .array(z.string().max(100))
    .max(100)
    .optional()
    .meta({ uniqueItems: true, description: 'Indicators that the user said cannot apply' }),
  sector: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('In a word; left out: as the company’s profile says'),
  // Without it, the answers are added to the kept assessment.
  change: z
    .enum(['variant', 'restart'])
    .optional()
    .describe('variant: a what-if, not kept; restart: without earlier answers'),
  questions: z
    .enum(['E', 'S', 'G'])
    .optional()
    .describe('Gives all open questions of a pillar, with what each level means: ask before rating levels'),
});
type AnswersInput = z.output<typeof AnswersInput>;

/** A call's statements, checked against the criteria. */
export interface GivenAnswers {
  /** Null: an earlier answer is withdrawn. */
  answers: ReadonlyMap<string, Answer | null>;
  notApplicable: ReadonlySet<string>;
  /** Id of a sector of the criteria; null: the call names none. */
  sectorId: string | null;
  /** The pillar whose open questions are all listed. Null: the heaviest of all pillars. */
  questions: PillarId | null;
  change: NonNullable<AnswersInput['change']> | null;
}

/** An answer that its scale does not have, with the allowed ones. */
function wrongAnswer(id: string, scale: AnswerScale, stated: unknown): Fault {
  const values = { id, text: String(stated) };
  switch (scale.kind) {
    case 'yes_no':
      return new Fault('answerYesOrNo', values);
    case 'level':
      return new Fault('answerWhole', { ...values, maximum: scale.points.length - 1 });
    case 'amount': {
      const { maximum, isWhole } = units[scale.unit];
      return new Fault(isWhole ? 'answerWhole' : 'answerNumber', { ...values, maximum });
    }
  }
}

function fits(answer: Answer, scale: AnswerScale): boolean {
  if (scale.kind === 'yes_no') return typeof answer === 'boolean';
  if (typeof answer === 'boolean') return false;
  if (scale.kind === 'level') return scale.points[answer] !== undefined;
  const { maximum, isWhole } = units[scale.unit];
  return answer >= 0 && answer <= maximum && (!isWhole || Number.isInteger(answer));
}

const textsOf = languages.map((language) => wordingOf(language).esg);
const yesOrNo = new Names([
  ['true', textsOf.map(({ yes }) => yes)],
  ['false', textsOf.map(({ no }) => no)],
]);

/** Reads an answer given as text: yes in any language, `35 %`. Other texts stay and fit nothing. */
function read(answer: Answer | string, scale: AnswerScale): Answer {
  if (typeof answer !== 'string') return answer;
  if (scale.kind === 'yes_no') {
    const found = yesOrNo.find(answer);
    return found === undefined ? Number.NaN : found === 'true';
  }
  try {
    return measureIn(answer).value;
  } catch {
    // NaN fits no scale, so the error states what is allowed.
    return Number.NaN;
  }
}

const mostFaults = 10;

/** Reads a call's arguments: indicators by id or title, answers and sectors as people write them. */
export class AnswerReader {
  private readonly grid: Grid;
  private readonly words: Readonly<Record<Language, CriteriaWords>>;
  private readonly sectorOf: SectorMatcher;
  private readonly indicators: Names<string>;

  constructor(grid: Grid, words: Readonly<Record<Language, CriteriaWords>>, sectorOf: SectorMatcher) {
    this.grid = grid;
    this.words = words;
    this.sectorOf = sectorOf;
    this.indicators = new Names(
      [...grid.indicators.keys()].map((id) => [
        id,
        languages.flatMap((language) => words[language].indicators[id]?.title ?? []),
      ]),
    );
  }

  /** Throws SkillError for bad arguments, and AggregateError of Faults that list what is allowed. */
  read(input: JsonObject): GivenAnswers {
    const { sector, questions = null, change = null, ...stated } = readInput(AnswersInput, input);
    const faults: Fault[] = [];
    const answers = this.readAnswers(stated.answers ?? {}, faults);
    const notApplicable = this.readNotApplicable(stated.notApplicable ?? [], answers, faults);
    const sectorId =
      sector === undefined || this.grid.sectors.has(sector) ? sector : this.sectorOf(sector)?.id;
    if (sector !== undefined && sectorId === undefined) {
      const known = [...this.grid.sectors.keys()].join(', ');
      faults.push(new Fault('unknownSector', { text: sector, known }));
    }
    if (faults.length > 0) throw new AggregateError(faults.slice(0, mostFaults));
    return { answers, notApplicable, sectorId: sectorId ?? null, questions, change };
  }

  private readAnswers(
    given: NonNullable<AnswersInput['answers']>,
    faults: Fault[],
  ): Map<string, Answer | null> {
    const answers = new Map<string, Answer | null>();
    for (const [name, stated] of Object.entries(given)) {
      const indicator = this.find(name, faults);
      if (!indicator) continue;
      const answer = stated === null ? null : read(stated, indicator.answer);
      if (answer === null || fits(answer, indicator.answer)) answers.set(indicator.id, answer);
      else faults.push(wrongAnswer(indicator.id, indicator.answer, stated));
    }
    return answers;
  }

  private readNotApplicable(
    names: readonly string[],
    answers: ReadonlyMap<string, Answer | null>,
    faults: Fault[],
  ): Set<string> {
    const asideable = [...this.grid.indicators.values()].filter((each) => each.maybeNotApplicable);
    const ids = new Set(names.flatMap((name) => this.find(name, faults)?.id ?? []));
    for (const id of ids) {
      if (!asideable.some((each) => each.id === id)) {
        const these = asideable.map((each) => each.id).join(', ');
        faults.push(new Fault('alwaysApplicable', { id, known: these }));
      } else if (answers.has(id)) faults.push(new Fault('answeredAndSetAside', { id }));
    }
    return ids;
  }

  private nearestTo(name: string, language: string): string {
    const { indicators } = this.words[wordingOf(language).language];
    const said = this.indicators.nearest(name).map((id) => `${id} (${indicators[id]?.title ?? id})`);
    return said.join(', ');
  }

  private find(name: string, faults: Fault[]): Indicator | undefined {
    const id = this.indicators.find(name);
    if (id === undefined)
      faults.push(
        new Fault('unknownIndicator', { text: name, nearest: (language) => this.nearestTo(name, language) }),
      );
    return id === undefined ? undefined : this.grid.indicators.get(id);
  }
}
