import {
  allButRealEstate,
  type AnySector,
  type Instrument,
  type Programme,
  type Purpose,
} from './financing-data.js';
import type { Criterion, VerdictCode } from './financing-matches.js';
import { inCurrency, type Money } from './money.js';
import { liesIn, membersOf, type Region } from './places.js';
import type { Judgement, Reason, Verdict } from './reason.js';
import { countsAs, includesPurpose, isAkin, isGeneral } from './recognition.js';

/** The understood request. Null: not requested. An empty list: requested, but not understood. */
export interface Wish {
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** Used only without a country. */
  region: Region | null;
  sectors: readonly AnySector[] | null;
  purposes: readonly Purpose[] | null;
  amount: Money | null;
  instrument: Instrument | null;
}

function fits(reason: Reason): Verdict {
  return { verdict: 'fits', reason };
}
function fails(reason: Reason): Verdict {
  return { verdict: 'does_not_fit', reason };
}
function unclear(reason: Reason): Verdict {
  return { verdict: 'not_known', reason };
}

function judgeCountry(programme: Programme, country: string): Verdict {
  const { eligibleCountries: countries, eligibleRegions: regions, furtherCountries } = programme;
  if ([...countries, ...furtherCountries].includes(country)) return fits({ code: 'place_named', country });
  const covered = (answer: boolean | null) => regions.some((region) => liesIn(country, region) === answer);
  if (countries.length > 0) {
    // A page may list the countries of one call only. If the region is larger, the answer stays open.
    return covered(true)
      ? unclear({ code: 'place_others_named', countries })
      : fails({ code: 'place_elsewhere', countries, regions });
  }
  if (covered(true)) return fits({ code: 'place_in_region', regions });
  if (covered(null)) return unclear({ code: 'place_members', regions });
  return fails({ code: 'place_elsewhere', countries: furtherCountries, regions });
}

function judgeRegion(programme: Programme, region: Region): Verdict {
  const judged = membersOf(region).map((country) => ({ country, ...judgeCountry(programme, country) }));
  const fitting = judged.filter(({ verdict }) => verdict === 'fits');
  if (fitting.length === judged.length) return fits({ code: 'place_whole_region' });
  if (fitting.length > 0)
    return unclear({ code: 'place_partly', countries: fitting.map(({ country }) => country) });
  const open = judged.find(({ verdict }) => verdict === 'not_known');
  return open ?? judged[0] ?? unclear({ code: 'place_partly', countries: [] });
}

function judgePlace(programme: Programme, { country, region }: Wish): Verdict | null {
  if (country !== null) return judgeCountry(programme, country);
  return region === null ? null : judgeRegion(programme, region);
}

function judgePurpose({ themes }: Programme, { purposes: wanted }: Wish): Verdict | null {
  if (wanted === null) return null;
  if (wanted.length === 0) return unclear({ code: 'purpose_unread', purposes: themes });
  const named = themes.filter((theme) => wanted.includes(theme));
  if (named.length > 0) return fits({ code: 'purpose_named', purposes: named });
  const broad = themes.filter((theme) => wanted.some((purpose) => includesPurpose(theme, purpose)));
  if (broad.length > 0) return fits({ code: 'purpose_included', purposes: broad });
  const general = themes.filter(isGeneral);
  if (general.length > 0) return unclear({ code: 'purpose_general', purposes: general });
  return fails({ code: 'purpose_other', purposes: themes });
}

function judgeSector({ eligibleSectors: named }: Programme, { sectors: wanted }: Wish): Verdict | null {
  if (wanted === null) return null;
  if (named.length === 0) return fits({ code: 'sector_open' });
  if (wanted.length === 0) return unclear({ code: 'sector_unread', sectors: named });
  if (named.includes(allButRealEstate)) {
    if (wanted.every((sector) => sector === 'real-estate')) return fails({ code: 'sector_left_out' });
    if (wanted.every((sector) => sector === 'fishing')) return unclear({ code: 'sector_maybe_left_out' });
    return fits({ code: 'sector_not_left_out' });
  }
  const matching = named.filter((each) => wanted.some((sector) => countsAs(sector, each)));
  if (matching.length > 0) return fits({ code: 'sector_named', sectors: matching });
  const akin = named.filter((each) => wanted.some((sector) => isAkin(sector, each)));
  return akin.length > 0
    ? unclear({ code: 'sector_akin', sectors: akin })
    : fails({ code: 'sector_other', sectors: named });
}

function judgeAmount(programme: Programme, { amount }: Wish): Verdict | null {
  if (amount === null) return null;
  const { ticketMin, ticketMax, ticketBasis, currency } = programme;
  if (currency === null || ticketBasis === null) return unclear({ code: 'amount_not_stated' });
  const value = inCurrency(amount, currency);
  if (value === null) return unclear({ code: 'amount_not_comparable', currency });
  const converted = amount.currency === currency ? null : value;
  const bounds = { ticketMin, ticketMax, ticketBasis, currency, converted };
  if (ticketMin !== null && value < ticketMin) return fails({ code: 'amount_below', ...bounds });
  if (ticketMax === null || value <= ticketMax) return fits({ code: 'amount_within', ...bounds });
  // The ceiling is the guarantee's: the loan behind it may be larger.
  return ticketBasis === 'loan_minimum_and_guarantee_ceiling'
    ? unclear({ code: 'amount_over_guarantee', ...bounds })
    : fails({ code: 'amount_above', ...bounds });
}

function judgeInstrument({ instruments }: Programme, { instrument }: Wish): Verdict | null {
  if (instrument === null) return null;
  return instruments.includes(instrument)
    ? fits({ code: 'instrument_offered' })
    : fails({ code: 'instrument_other', instruments });
}

const forCompanies = ['sme', 'startup', 'company', 'project-developer'] as const;

function judgeAccess({ smeAccess, applicantTypes: applicants }: Programme): Verdict {
  if (smeAccess === 'not_directly') return fails({ code: 'access_not_for_companies' });
  const takesCompanies = forCompanies.some((type) => applicants.includes(type));
  if (!takesCompanies && applicants.includes('sme-women-led')) return unclear({ code: 'access_women' });
  // Where the bank applies, the company is its client.
  if (smeAccess === 'via_bank') return fits({ code: 'access_bank' });
  if (!takesCompanies) return unclear({ code: 'access_through_others', applicants });
  return fits({ code: smeAccess === 'direct' ? 'access_direct' : 'access_intermediary' });
}

const windows: Readonly<Record<Programme['status'], VerdictCode>> = {
  ongoing: 'fits',
  closed: 'does_not_fit',
  calls: 'not_known',
  unknown: 'not_known',
};

function judgeWindow({ status, asOfYear: year }: Programme): Verdict {
  return { verdict: windows[status], reason: { code: `window_${status}`, year } };
}

const judges: Readonly<Record<Criterion, (programme: Programme, wish: Wish) => Verdict | null>> = {
  place: judgePlace,
  purpose: judgePurpose,
  sector: judgeSector,
  amount: judgeAmount,
  instrument: judgeInstrument,
  access: judgeAccess,
  window: judgeWindow,
};

/** Judges a programme by each requested criterion, and always by access and window. */
export function judge(programme: Programme, wish: Wish): Judgement[] {
  return (Object.keys(judges) as Criterion[]).flatMap((criterion) => {
    const verdict = judges[criterion](programme, wish);
    return verdict ? [{ criterion, ...verdict }] : [];
  });
}
