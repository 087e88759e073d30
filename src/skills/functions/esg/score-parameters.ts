import type { JsonObject } from '../../../common/json.js';
import { type Grid, type Indicator, units } from './grid.js';
import type { CriteriaWords, Language } from './wording/criteria-words.js';

type Words = Readonly<Record<Language, CriteriaWords>>;

/** Said once for all levels that mean it, rather than with each. */
const nothing = new Set(['Nothing in place', 'No', 'No steps taken']);

const unitNames = {
  percent: '%',
  deaths: 'count',
  hours_per_employee_year: 'h per employee and year',
} as const;

/** Other words that sectors go by. None that is said in passing of anything else: who has solar panels is no power company. */
const alsoCalled: Readonly<Record<string, readonly string[]>> = {
  agro: ['agricole', 'agrícola', 'farming'],
  mining: ['minier', 'minière', 'minería', 'minero'],
};

const typeOf = ({ answer }: Indicator): JsonObject => {
  switch (answer.kind) {
    case 'yes_no':
      return { type: 'boolean' };
    case 'level':
      return { type: 'integer', minimum: 0, maximum: answer.points.length - 1 };
    case 'amount': {
      const { maximum, isWhole } = units[answer.unit];
      return { type: isWhole ? 'integer' : 'number', minimum: 0, maximum };
    }
  }
};

/** The title in English and French, then what the answer stands for. */
const describe = (indicator: Indicator, words: Words): string => {
  const english = words.en.indicators.get(indicator.id);
  const title = `${english?.title} (${words.fr.indicators.get(indicator.id)?.title})`;
  if (indicator.answer.kind === 'amount') return `${title}, ${unitNames[indicator.answer.unit]}`;
  if (indicator.answer.kind === 'yes_no') return `${title}: ${english?.question}`;
  const levels = (english?.levels ?? [])
    .map((level, index) => `${index} ${level}`)
    .filter((_, index) => index > 0 || !nothing.has(english?.levels[0] ?? ''));
  return `${title}: ${levels.join(', ')}`;
};

/** Describes the skill's arguments from the criteria. JSON Schema, draft 2020-12. */
export const scoreParameters = (grid: Grid, words: Words): JsonObject => {
  const indicators = [...grid.indicators.values()];
  const sectors = [...grid.sectors.keys()];
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      answers: {
        type: 'object',
        additionalProperties: false,
        description:
          'Only what the user said or a document shows, never guessed; leave out the rest. ' +
          'Levels: the highest one fully reached; 0, where it is not described: nothing in place',
        properties: Object.fromEntries(
          indicators.map((indicator) => [
            indicator.id,
            { ...typeOf(indicator), description: describe(indicator, words) },
          ]),
        ),
      },
      notApplicable: {
        type: 'array',
        uniqueItems: true,
        items: {
          type: 'string',
          enum: indicators.filter((each) => each.maybeNotApplicable).map(({ id }) => id),
        },
        description: 'Only what the user said cannot apply to the company: no employees, no waste water …',
      },
      sector: {
        type: 'string',
        enum: sectors,
        description: `Left out: the company profile’s. ${sectors
          .map((id) => `${id} (${[words.fr.sectors.get(id), ...(alsoCalled[id] ?? [])].join(', ')})`)
          .join(', ')}`,
      },
    },
  };
};
