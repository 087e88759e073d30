import { z } from 'zod';

import { SkillError } from '../../skill.js';
import type { Answer } from './assessment.js';
import { type AnswerScale, type Grid, units } from './grid.js';

const Input = z.strictObject({
  answers: z.record(z.string(), z.union([z.number(), z.boolean()])).default({}),
  notApplicable: z.array(z.string()).max(100).default([]),
  sector: z.string().optional(),
});

/** What a call states, checked against the criteria. */
export interface GivenAnswers {
  answers: ReadonlyMap<string, Answer>;
  notApplicable: ReadonlySet<string>;
  /** Id of a sector of the criteria; null: the call names none. */
  sectorId: string | null;
}

/** What an answer has to be, in words for a model. */
const allowedOf = (scale: AnswerScale): string => {
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
};

const fits = (answer: Answer, scale: AnswerScale): boolean => {
  if (scale.kind === 'yes_no') return typeof answer === 'boolean';
  if (typeof answer === 'boolean') return false;
  if (scale.kind === 'level') return scale.points[answer] !== undefined;
  const { maximum, isWhole } = units[scale.unit];
  return answer >= 0 && answer <= maximum && (!isWhole || Number.isInteger(answer));
};

const faultsOf = (grid: Grid, { answers, notApplicable, sector }: z.output<typeof Input>): string[] => {
  const ids = [...grid.indicators.keys()].join(', ');
  const asideable = [...grid.indicators.values()]
    .filter((each) => each.maybeNotApplicable)
    .map(({ id }) => id);
  const faults = Object.entries(answers).flatMap(([id, answer]) => {
    const indicator = grid.indicators.get(id);
    if (!indicator) return [`There is no indicator ${id}. There are: ${ids}.`];
    return fits(answer, indicator.answer)
      ? []
      : [`${id} takes ${allowedOf(indicator.answer)}, not ${answer}.`];
  });
  for (const id of new Set(notApplicable)) {
    if (!asideable.includes(id)) {
      faults.push(`${id} cannot be set aside as not applicable. These can: ${asideable.join(', ')}.`);
    } else if (id in answers) faults.push(`${id} is both answered and not applicable. Keep one of the two.`);
  }
  if (sector !== undefined && !grid.sectors.has(sector)) {
    faults.push(`There is no sector ${sector}. There are: ${[...grid.sectors.keys()].join(', ')}.`);
  }
  return faults;
};

const mostFaults = 10;

/** Reads a call's arguments. Throws SkillError that names each fault and what is allowed in its place. */
export const readGivenAnswers = (grid: Grid, input: unknown): GivenAnswers => {
  const parsed = Input.safeParse(input);
  if (!parsed.success) throw new SkillError(`The arguments do not fit:\n${z.prettifyError(parsed.error)}`);
  const faults = faultsOf(grid, parsed.data);
  if (faults.length > 0) throw new SkillError([...new Set(faults)].slice(0, mostFaults).join('\n'));
  const { answers, notApplicable, sector } = parsed.data;
  return {
    answers: new Map(Object.entries(answers)),
    notApplicable: new Set(notApplicable),
    sectorId: sector ?? null,
  };
};
