import { z } from 'zod';

import { SkillError } from '@palabre/plugin';
import type { Answer } from './assessment.js';
import { measureIn, Names } from '../understanding.js';
import { type Language, languages } from '../wording.js';
import type { CriteriaWords } from './criteria-words.js';
import { esgWordingOf } from './esg-wording.js';
import { type AnswerScale, type Grid, type Indicator, type PillarId, units } from './grid.js';
import type { SectorMatcher } from './sector-match.js';

const Input = z.strictObject({
  answers: z.record(z.string(), z.union([z.number(), z.boolean(), z.string().max(100)])).default({}),
  notApplicable: z.array(z.string()).max(100).default([]),
  sector: z.string().min(1).max(200).optional(),
  questions: z.enum(['E', 'S', 'G']).optional(),
});
type Input = z.output<typeof Input>;

/** What a call states, checked against the criteria. */
export interface GivenAnswers {
  answers: ReadonlyMap<string, Answer>;
  notApplicable: ReadonlySet<string>;
  /** Id of a sector of the criteria; null: the call names none. */
  sectorId: string | null;
  /** The pillar whose open questions are all to be told; null: the heaviest of all. */
  questions: PillarId | null;
}

/** What an answer has to be, in words for a model. */
function allowedOf(scale: AnswerScale): string {
  switch (scale.kind) {
    case 'yes_no':
      return 'true or false';
    case 'level':
      return `a whole number from 0 to ${scale.points.length - 1}`;
    case 'amount': {
      const { maximum, isWhole } = units[scale.unit];
      return `a ${isWhole ? 'whole ' : ''}number from 0 to ${maximum}`;
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

const textsOf = languages.map((language) => esgWordingOf(language).texts);
const yesOrNo = new Names([
  ['true', textsOf.map(({ yes }) => yes)],
  ['false', textsOf.map(({ no }) => no)],
]);

/** An answer that came as a text: yes in any language, `35 %`. What is none of it stays as it is, and fits nothing. */
function read(answer: Answer | string, scale: AnswerScale): Answer {
  if (typeof answer !== 'string') return answer;
  if (scale.kind === 'yes_no') {
    const found = yesOrNo.find(answer);
    return found === undefined ? Number.NaN : found === 'true';
  }
  try {
    return measureIn(answer).value;
  } catch {
    // What is asked for is said of every answer that does not fit.
    return Number.NaN;
  }
}

const mostFaults = 10;

/** Reads calls' arguments by the criteria: indicators by their ids or titles, answers and sectors as people write them. */
export class AnswerReader {
  private readonly grid: Grid;
  private readonly sectorOf: SectorMatcher;
  private readonly indicators: Names<string>;

  constructor(grid: Grid, words: Readonly<Record<Language, CriteriaWords>>, sectorOf: SectorMatcher) {
    this.grid = grid;
    this.sectorOf = sectorOf;
    this.indicators = new Names(
      [...grid.indicators.keys()].map((id) => [
        id,
        languages.flatMap((language) => words[language].indicators.get(id)?.title ?? []),
      ]),
    );
  }

  /** Throws SkillError that names each fault and what is allowed in its place. */
  read(input: unknown): GivenAnswers {
    const parsed = Input.safeParse(input);
    if (!parsed.success) throw new SkillError(`The arguments do not fit:\n${z.prettifyError(parsed.error)}`);
    const { sector, questions = null } = parsed.data;
    const faults: string[] = [];
    const answers = this.readAnswers(parsed.data.answers, faults);
    const notApplicable = this.readNotApplicable(parsed.data.notApplicable, answers, faults);
    const sectorId =
      sector === undefined || this.grid.sectors.has(sector) ? sector : this.sectorOf(sector)?.id;
    if (sector !== undefined && sectorId === undefined) {
      const known = [...this.grid.sectors.keys()].join(', ');
      faults.push(
        `“${sector}” is no sector, or more than one. There are: ${known}; leave it out for any other.`,
      );
    }
    if (faults.length > 0) throw new SkillError([...new Set(faults)].slice(0, mostFaults).join('\n'));
    return { answers, notApplicable, sectorId: sectorId ?? null, questions };
  }

  private readAnswers(given: Input['answers'], faults: string[]): Map<string, Answer> {
    const answers = new Map<string, Answer>();
    for (const [name, stated] of Object.entries(given)) {
      const indicator = this.find(name, faults);
      if (!indicator) continue;
      const answer = read(stated, indicator.answer);
      if (fits(answer, indicator.answer)) answers.set(indicator.id, answer);
      else faults.push(`${indicator.id} takes ${allowedOf(indicator.answer)}, not ${stated}.`);
    }
    return answers;
  }

  private readNotApplicable(
    names: readonly string[],
    answers: ReadonlyMap<string, Answer>,
    faults: string[],
  ): Set<string> {
    const asideable = [...this.grid.indicators.values()].filter((each) => each.maybeNotApplicable);
    const ids = new Set(names.flatMap((name) => this.find(name, faults)?.id ?? []));
    for (const id of ids) {
      if (!asideable.some((each) => each.id === id)) {
        const these = asideable.map((each) => each.id).join(', ');
        faults.push(`${id} cannot be set aside as not applicable. These can: ${these}.`);
      } else if (answers.has(id))
        faults.push(`${id} is both answered and not applicable. Keep one of the two.`);
    }
    return ids;
  }

  private find(name: string, faults: string[]): Indicator | undefined {
    const id = this.indicators.find(name);
    if (id === undefined)
      faults.push(`There is no indicator “${name}”. Nearest: ${this.indicators.nearest(name).join(', ')}.`);
    return id === undefined ? undefined : this.grid.indicators.get(id);
  }
}
