import type { EsgWording, PillarFacts } from './wording.js';

const pillarsOf = (pillars: readonly PillarFacts[]): string =>
  pillars
    .map(
      ({ title, score, coverage }) =>
        `${title} ${score === null ? '–' : `${score}/100`} (${coverage} answered)`,
    )
    .join(', ');

export const english: EsgWording = {
  language: 'en',
  yes: 'Yes',
  no: 'No',
  amounts: {
    percent: (amount) => `${amount}%`,
    deaths: (amount) => `${amount} (number of deaths)`,
    hours_per_employee_year: (amount) => `${amount} h per employee a year`,
  },
  expectedYesNo: 'yes or no',
  expectedAmounts: {
    percent: 'a percentage',
    deaths: 'a number of deaths',
    hours_per_employee_year: 'hours per employee a year',
  },
  expectedLevels: (levels) => levels.map((level, index) => `${index} = ${level}`).join('; '),
  scored: ({ score, grade, coverage, pillars }) =>
    `ESG score: ${score}/100 (${grade}), with ${coverage} of the criteria answered: ${pillarsOf(pillars)}.`,
  notScored: ({ coverage, needed, pillars }) =>
    `No overall ESG score yet: ${coverage} of the criteria answered, and it takes ${needed} of each pillar; so far, ${pillarsOf(pillars)}.`,
  nothing: 'No ESG score yet: none of the criteria is answered.',
  betterLevel: (level) => `Aim for: ${level}`,
  betterAmount: (target, now) => `Aim for ${target} (now ${now})`,
  notes: {
    design_choice: () =>
      'Questions, thresholds, weights and sector multipliers are a design choice, set by no standard; only the codes (VSME, GRI, IFC, ISO 26000, SDG) refer to frameworks.',
    self_declared: () => 'The score rests on the company’s own answers, which nobody has verified.',
    minimum_coverage: ({ needed }) =>
      `There is an overall score only when ${needed} of the weight of each pillar is answered, so that no pillar stands on a few answers.`,
    sector_from_profile: ({ sector }) => `Weighted for the sector ${sector}, as the company profile says.`,
    sector_unknown: ({ sectors }) =>
      `No sector is known, so none weighs more. Sectors with weights of their own: ${sectors}.`,
    not_applicable: ({ titles }) => `Set aside as not applicable: ${titles}.`,
  },
};
