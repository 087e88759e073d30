import type { FinancingQuestion } from './financing-matches.js';
import type { Wish } from './judge.js';
import { purposesIn, sectorsIn } from './recognition.js';

/** Facts of the company's profile, for what the question does not state. */
export interface KnownCompany {
  country: string | null;
  sector: string | null;
}

type From = 'stated' | 'profile';

/** A question completed by the profile, and how it was understood. */
export interface FinancingQuery {
  wish: Wish;
  country: { code: string; from: From } | null;
  sector: { text: string; from: From } | null;
  need: string | null;
  /** A region was ignored, because the country is more precise. */
  regionUnheeded: boolean;
}

/** The question goes before the profile, and its region before the profile's country. */
export function toQuery(question: FinancingQuestion, company: KnownCompany): FinancingQuery {
  const known = (stated: string | undefined, profile: string | null) => {
    if (stated !== undefined) return { value: stated, from: 'stated' as const };
    return profile === null ? null : { value: profile, from: 'profile' as const };
  };
  const country = known(question.country, question.region ? null : company.country);
  const sector = known(question.sector, company.sector);
  const need = question.need ?? null;
  return {
    wish: {
      country: country?.value ?? null,
      region: country ? null : (question.region ?? null),
      sectors: sector ? sectorsIn(sector.value) : null,
      purposes: need === null ? null : purposesIn(need),
      amount: question.amount ?? null,
      instrument: question.instrument ?? null,
    },
    country: country && { code: country.value, from: country.from },
    sector: sector && { text: sector.value, from: sector.from },
    need,
    regionUnheeded: country !== null && question.region !== undefined,
  };
}
