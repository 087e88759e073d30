import type { Criterion, VerdictCode } from './financing-matches.js';
import type { Programme, Purpose } from './financing-data.js';
import type { AnyRegion } from './places.js';

/** A programme's amount and the requested one. */
export type Bounds = Pick<Programme, 'ticketMin' | 'ticketMax' | 'ticketBasis'> & {
  currency: string;
  /** The requested amount in the programme's currency. Null: the currency is the same. */
  converted: number | null;
};

/** Why a programme fits, does not fit, or may fit, with the values that the text needs. */
export type Reason =
  | { code: 'place_named'; country: string }
  | { code: 'place_in_region' | 'place_members'; regions: readonly AnyRegion[] }
  | { code: 'place_others_named' | 'place_partly'; countries: readonly string[] }
  | { code: 'place_elsewhere'; countries: readonly string[]; regions: readonly AnyRegion[] }
  | {
      code: `purpose_${'named' | 'included' | 'other' | 'general' | 'unread'}`;
      purposes: readonly Purpose[];
    }
  | { code: `sector_${'named' | 'other' | 'akin' | 'unread'}`; sectors: Programme['eligibleSectors'] }
  | ({ code: `amount_${'within' | 'below' | 'above' | 'over_guarantee'}` } & Bounds)
  | { code: 'amount_not_comparable'; currency: string }
  | { code: 'instrument_other'; instruments: Programme['instruments'] }
  | { code: 'access_through_others'; applicants: Programme['applicantTypes'] }
  | { code: `window_${Programme['status']}`; year: number | null }
  | { code: 'place_whole_region' | 'amount_not_stated' | 'instrument_offered' }
  | { code: `sector_${'open' | 'left_out' | 'not_left_out' | 'maybe_left_out'}` }
  | { code: `access_${'direct' | 'bank' | 'intermediary' | 'not_for_companies' | 'women'}` };
export type ReasonCode = Reason['code'];

export interface Verdict {
  verdict: VerdictCode;
  reason: Reason;
}

export type Judgement = { criterion: Criterion } & Verdict;
