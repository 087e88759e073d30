import type { JsonObject } from '../../../common/json.js';
import type { FinancingData, Programme } from './financing-data.js';
import type { FinancingMatches, FinancingProgramme } from './financing-matches.js';
import type { FinancingQuery } from './financing-query.js';
import { type Judged, type Matching, obstacleOf } from './matching.js';
import { isAfrican } from './places.js';
import { sayReason, speechOf } from './wording/speech.js';
import type { Speech, Wording } from './wording/wording.js';

/** What a model reads: with more, an answer grows no better. */
const shownMatches = 5;
const shownNear = 3;
const listedInShort = 3;
const needInSummary = 60;

type Named = { code: string; label: string };

const named = <Code extends string>(code: Code, names: Readonly<Record<Code, string>>): Named => ({
  code,
  label: names[code],
});
const allNamed = <Code extends string>(
  codes: readonly Code[],
  names: Readonly<Record<Code, string>>,
): Named[] => codes.map((code) => named(code, names));

const shorten = (text: string): string =>
  text.length <= needInSummary ? text : `${text.slice(0, needInSummary - 1).toWellFormed()}…`;

const sayAmount = ({ ticketMin, ticketMax, ticketBasis, currency }: Programme, say: Speech): string =>
  say.amount({ ticketMin, ticketMax, ticketBasis, currency: currency ?? '' });

function reportProgramme({ programme, judgements, points }: Judged, wording: Wording, say: Speech) {
  const isFrench = wording.language === 'fr';
  return {
    id: programme.id,
    name: programme.name,
    provider: programme.provider,
    summary: isFrench ? programme.summaryFr : programme.summaryEn,
    instruments: allNamed(programme.instruments, wording.instruments),
    purposes: allNamed(programme.themes, wording.purposes),
    access: named(programme.smeAccess, wording.accesses),
    applicants: allNamed(programme.applicantTypes, wording.applicants),
    amount: {
      min: programme.ticketMin,
      max: programme.ticketMax,
      currency: programme.currency,
      basis: programme.ticketBasis && named(programme.ticketBasis, wording.bases),
      text: sayAmount(programme, say),
      note: isFrench ? programme.ticketNoteFr : programme.ticketNoteEn,
    },
    status: named(programme.status, wording.statuses),
    asOfYear: programme.asOfYear,
    confidence: named(programme.confidence, wording.confidences),
    verdicts: judgements.map(({ criterion, verdict, reason }) => ({
      criterion,
      label: wording.criteria[criterion],
      verdict,
      reason: sayReason(reason, wording, say),
    })),
    points,
    sources: programme.sources.map(({ publisher, url, type, year }) => ({
      publisher,
      url,
      type: named(type, wording.sourceTypes),
      year,
    })),
  } satisfies FinancingProgramme;
}

function reportQuery(query: FinancingQuery, wording: Wording, say: Speech): FinancingMatches['query'] {
  const { wish, country, sector, need } = query;
  return {
    country: country && { ...country, label: say.country(country.code) },
    region: wish.region && named(wish.region, wording.regions),
    sector: sector && { ...sector, recognised: allNamed(wish.sectors ?? [], wording.sectors) },
    need: need === null ? null : { text: need, recognised: allNamed(wish.purposes ?? [], wording.purposes) },
    amount: wish.amount && { ...wish.amount, text: say.money(wish.amount.value, wish.amount.currency) },
    instrument: wish.instrument && named(wish.instrument, wording.instruments),
  };
}

/** What was looked for in a few words; null: nothing in particular. */
function sayAsked(query: FinancingMatches['query'], { comma }: Wording): string | null {
  const { need, sector } = query;
  const understood = need?.recognised.slice(0, 2).map(({ label }) => label) ?? [];
  const asked = [
    query.country?.label ?? query.region?.label,
    ...(need && understood.length === 0 ? [shorten(need.text)] : understood),
    sector && shorten(sector.recognised[0]?.label ?? sector.text),
    query.instrument?.label,
    query.amount?.text,
  ].filter((part) => part != null);
  return asked.length > 0 ? asked.join(comma) : null;
}

function notesOf(
  { wish, ...query }: FinancingQuery,
  data: FinancingData,
  wording: Wording,
  say: Speech,
): string[] {
  const { notes } = wording;
  const isFranc = wish.amount !== null && ['EUR', 'XOF', 'XAF'].includes(wish.amount.currency);
  const purposes = [...new Set(data.programmes.flatMap(({ themes }) => themes))];
  return [
    wish.country !== null && !isAfrican(wish.country) && notes.outsideAfrica(say.country(wish.country)),
    wish.country === null && wish.region === null && notes.countryUnknown,
    query.regionUnheeded && notes.regionUnheeded,
    query.need !== null &&
      wish.purposes?.length === 0 &&
      notes.needUnread(shorten(query.need), say.purposes(purposes)),
    query.sector && wish.sectors?.length === 0 && notes.sectorUnread(shorten(query.sector.text)),
    isFranc && notes.parity,
  ].filter((note) => typeof note === 'string');
}

function sayBest({ programme }: Judged, wording: Wording, say: Speech): string {
  const { instruments, smeAccess } = programme;
  const how = [say.instruments(instruments), wording.accesses[smeAccess]].join(wording.comma);
  return wording.withDetail(programme.name, how);
}

function widenOf({ matches, widening }: Matching, wording: Wording): string[] {
  if (matches.length > 0) return [];
  const wider = widening.map(({ criterion, count }) =>
    wording.widen({ criterion: wording.criteria[criterion], count }),
  );
  return wider.length > 0 ? wider : [wording.widenNothing];
}

/** Everything, for the API and for reports. */
export function reportMatches(
  query: FinancingQuery,
  matching: Matching,
  data: FinancingData,
  wording: Wording,
): FinancingMatches {
  const say = speechOf(wording);
  const asQuery = reportQuery(query, wording, say);
  const asked = sayAsked(asQuery, wording);
  const near = matching.near.length;
  const [best] = matching.matches;
  const short = speechOf(wording, listedInShort);
  const report = (list: readonly Judged[]) => list.map((judged) => reportProgramme(judged, wording, say));
  return {
    kind: 'financing_matches',
    dataVersion: data.version,
    language: wording.language,
    summary: best
      ? wording.found({ count: matching.matches.length, near, asked, best: sayBest(best, wording, short) })
      : wording.notFound({ near, asked }),
    ranking: wording.ranking,
    reminder: wording.reminder,
    notes: notesOf(query, data, wording, say),
    widen: widenOf(matching, wording),
    query: asQuery,
    matches: report(matching.matches),
    near: report(matching.near),
    others: report(matching.others),
  };
}

/** The source to look at first. */
function bestSource({ sources }: Programme): Programme['sources'][number] | undefined {
  return sources.find(({ type }) => type === 'official') ?? sources[0];
}

function shortMatch({ programme, judgements }: Judged, wording: Wording, say: Speech): JsonObject {
  const source = bestSource(programme);
  const told = (verdict: string): string[] =>
    judgements
      .filter((one) => one.verdict === verdict && one.criterion !== 'window')
      // How to apply has a field of its own.
      .filter(({ criterion }) => criterion !== 'access' || verdict !== 'fits')
      .map(({ criterion, reason }) =>
        wording.inTheWay(wording.criteria[criterion], sayReason(reason, wording, say)),
      );
  const window = judgements.find(({ criterion }) => criterion === 'window');
  return {
    name: programme.name,
    provider: programme.provider,
    instruments: say.instruments(programme.instruments),
    apply: wording.accesses[programme.smeAccess],
    amount: sayAmount(programme, say),
    window: window ? sayReason(window.reason, wording, say) : wording.statuses[programme.status],
    asOfYear: programme.asOfYear,
    why: told('fits'),
    notKnown: told('not_known'),
    ...(source ? { source: source.url, sourceType: wording.sourceTypes[source.type] } : {}),
  };
}

function shortNear(judged: Judged, wording: Wording, say: Speech): JsonObject {
  const obstacle = obstacleOf(judged);
  const judgement = judged.judgements.find(({ criterion }) => criterion === obstacle);
  return {
    name: judged.programme.name,
    inTheWay: judgement
      ? wording.inTheWay(wording.criteria[judgement.criterion], sayReason(judgement.reason, wording, say))
      : '',
  };
}

/** The same in short, for the model: the best with their reasons, what nearly fits, and what to tell beside it. */
export function shortenMatches(full: FinancingMatches, matching: Matching, wording: Wording): JsonObject {
  const say = speechOf(wording, listedInShort);
  return {
    summary: full.summary,
    counts: { matches: full.matches.length, near: full.near.length, others: full.others.length },
    matches: matching.matches.slice(0, shownMatches).map((judged) => shortMatch(judged, wording, say)),
    near: matching.near.slice(0, shownNear).map((judged) => shortNear(judged, wording, say)),
    ...(full.widen.length > 0 ? { widen: full.widen } : {}),
    ...(full.notes.length > 0 ? { notes: full.notes } : {}),
    ranking: full.ranking,
    reminder: full.reminder,
    dataVersion: full.dataVersion,
  };
}
