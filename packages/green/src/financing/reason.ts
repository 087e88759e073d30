import type { Criterion } from './financing-matches.js';
import type { Programme, Purpose } from './financing-data.js';
import type { AnyRegion } from './places.js';

type Place = { countries: readonly string[]; regions: readonly AnyRegion[] };
/** A programme's amount beside the one asked for. */
export type Bounds = Pick<Programme, 'ticketMin' | 'ticketMax' | 'ticketBasis'> & {
  currency: string;
  /** The amount asked for in the programme's currency; null where it is in that already. */
  converted: number | null;
};
type Year = { year: number | null };

/** Why a programme fits, with what saying it takes. */
interface FitDetails {
  place_named: { country: string };
  place_in_region: { regions: readonly AnyRegion[] };
  place_whole_region: object;
  purpose_named: { purposes: readonly Purpose[] };
  purpose_included: { purposes: readonly Purpose[] };
  sector_open: object;
  sector_named: { sectors: Programme['eligibleSectors'] };
  sector_not_left_out: object;
  amount_within: Bounds;
  instrument_offered: object;
  access_direct: object;
  access_bank: object;
  access_intermediary: object;
  window_ongoing: Year;
}

/** Why a programme does not fit. */
interface ObstacleDetails {
  place_elsewhere: Place;
  purpose_other: { purposes: readonly Purpose[] };
  sector_other: { sectors: Programme['eligibleSectors'] };
  sector_left_out: object;
  amount_below: Bounds;
  amount_above: Bounds;
  instrument_other: { instruments: Programme['instruments'] };
  access_not_for_companies: object;
  window_closed: Year;
}

/** Why it is not known. */
interface DoubtDetails {
  place_others_named: { countries: readonly string[] };
  place_members: { regions: readonly AnyRegion[] };
  place_partly: { countries: readonly string[] };
  purpose_general: { purposes: readonly Purpose[] };
  purpose_unread: { purposes: readonly Purpose[] };
  sector_akin: { sectors: Programme['eligibleSectors'] };
  sector_unread: { sectors: Programme['eligibleSectors'] };
  sector_maybe_left_out: object;
  amount_not_stated: object;
  amount_not_comparable: { currency: string };
  amount_over_guarantee: Bounds;
  access_women: object;
  access_through_others: { applicants: Programme['applicantTypes'] };
  window_calls: Year;
  window_unknown: Year;
}

type ReasonDetails = FitDetails & ObstacleDetails & DoubtDetails;
export type ReasonCode = keyof ReasonDetails;
export type Reason<Code extends ReasonCode = ReasonCode> = {
  [Each in Code]: { code: Each } & ReasonDetails[Each];
}[Code];

/** What came of one criterion. */
export type Verdict =
  | { verdict: 'fits'; reason: Reason<keyof FitDetails> }
  | { verdict: 'does_not_fit'; reason: Reason<keyof ObstacleDetails> }
  | { verdict: 'not_known'; reason: Reason<keyof DoubtDetails> };

export type Judgement = { criterion: Criterion } & Verdict;
