import type {
  accesses,
  allButRealEstate,
  applicantTypes,
  bases,
  confidences,
  Instrument,
  Programme,
  Purpose,
  sourceTypes,
  statuses,
} from '../financing-data.js';
import type { Criterion } from '../financing-matches.js';
import type { AnyRegion } from '../places.js';
import type { Bounds, Reason, ReasonCode } from '../reason.js';
import type { AnySector } from '../recognition.js';

/** Amounts and names as a language writes them; lists are as long as the speech allows. */
export interface Speech {
  money(value: number, currency: string): string;
  /** ISO 3166-1 alpha-2. */
  country(code: string): string;
  list(items: readonly string[]): string;
  /** Regions and countries in one list. */
  places(regions: readonly AnyRegion[], countries?: readonly string[]): string;
  purposes(codes: readonly Purpose[]): string;
  sectors(codes: Programme['eligibleSectors']): string;
  instruments(codes: readonly Instrument[]): string;
  applicants(codes: Programme['applicantTypes']): string;
  /** What the data has of an amount. */
  amount(bounds: Omit<Bounds, 'converted'>): string;
  /** The same, with the amount asked for where it had to be converted. */
  compared(bounds: Bounds): string;
}

type Names<Code extends string> = Readonly<Record<Code, string>>;

/** What a code of the data is called. */
export interface Labels {
  instruments: Names<Instrument>;
  purposes: Names<Purpose>;
  sectors: Names<AnySector | typeof allButRealEstate>;
  regions: Names<AnyRegion>;
  applicants: Names<(typeof applicantTypes)[number]>;
  accesses: Names<(typeof accesses)[number]>;
  statuses: Names<(typeof statuses)[number]>;
  bases: Names<(typeof bases)[number]>;
  sourceTypes: Names<(typeof sourceTypes)[number]>;
  confidences: Names<(typeof confidences)[number]>;
  criteria: Names<Criterion>;
}

/** All that the matching says in one language. Amounts arrive as text. */
export interface Wording extends Labels {
  language: 'en' | 'fr' | 'es' | 'zh-Hant';
  /** What the data has of a programme's amount. */
  amount: {
    none: string;
    between(min: string, max: string, basis: string): string;
    from(min: string, basis: string): string;
    upTo(max: string, basis: string): string;
    /** A loan's least and a guarantee's most are two things. */
    loanFromGuaranteeUpTo(loan: string, guarantee: string): string;
  };
  /** The amount asked for in a programme's currency. */
  atParity(amount: string): string;
  /** The end of a list that was cut. */
  more(count: number): string;
  reasons: { readonly [Code in ReasonCode]: (reason: Reason<Code>, say: Speech) => string };
  withDetail(name: string, detail: string): string;
  /** What stands between the parts of a loose list. */
  comma: string;
  /** `best` are names; `asked` is what was looked for, in words, or null for nothing in particular. */
  found(facts: { count: number; near: number; asked: string | null; best: string }): string;
  notFound(facts: { near: number; asked: string | null }): string;
  widen(facts: { criterion: string; count: number }): string;
  widenNothing: string;
  inTheWay(criterion: string, reason: string): string;
  ranking: string;
  reminder: string;
  notes: {
    needUnread(text: string, purposes: string): string;
    sectorUnread(text: string): string;
    parity: string;
    regionUnheeded: string;
    countryUnknown: string;
    outsideAfrica(country: string): string;
  };
}
