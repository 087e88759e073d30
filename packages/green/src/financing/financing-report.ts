import type { JsonObject } from '@palabre/plugin';
import { shortened } from '@palabre/text';

import type { FinancingData } from './financing-data.js';
import type { Criterion, FinancingMatches, FinancingProgramme } from './financing-matches.js';
import type { FinancingQuery } from './financing-query.js';
import { isDirect, type Judged, type Matching, obstacleOf } from './matching.js';
import { isAfrican } from './places.js';
import type { Reason } from './reason.js';
import { fill, type Wording } from '../wording.js';
import { FinancingSpeech } from './financing-wording.js';

/** The most matches for a model. More do not improve the answer. */
const shownMatches = 5;
/** Fewer while the need is not understood: the model has to ask for it, and that note is long. */
const shownUnread = 3;
const shownNear = 3;
const listedInShort = 3;
const needInSummary = 60;

type Named = { code: string; label: string };

function named<Code extends string>(code: Code, names: Readonly<Record<Code, string>>): Named {
  return {
    code,
    label: names[code],
  };
}
function allNamed<Code extends string>(
  codes: readonly Code[],
  names: Readonly<Record<Code, string>>,
): Named[] {
  return codes.map((code) => named(code, names));
}

export function reportProgramme({ programme, judgements, points }: Judged, say: FinancingSpeech) {
  const { language, financing: texts } = say.wording;
  const isFrench = language === 'fr';
  return {
    id: programme.id,
    name: programme.name,
    provider: programme.provider,
    summary: isFrench ? programme.summaryFr : programme.summaryEn,
    instruments: allNamed(programme.instruments, texts.instruments),
    purposes: allNamed(programme.themes, texts.purposes),
    access: named(programme.smeAccess, texts.accesses),
    applicants: allNamed(programme.applicantTypes, texts.applicants),
    amount: {
      min: programme.ticketMin,
      max: programme.ticketMax,
      currency: programme.currency,
      basis: programme.ticketBasis && named(programme.ticketBasis, texts.bases),
      text: say.amount(programme),
      note: isFrench ? programme.ticketNoteFr : programme.ticketNoteEn,
    },
    status: named(programme.status, texts.statuses),
    asOfYear: programme.asOfYear,
    confidence: named(programme.confidence, texts.confidences),
    verdicts: judgements.map(({ criterion, verdict, reason }) => ({
      criterion,
      label: texts.criteria[criterion],
      verdict,
      reason: say.reason(reason),
    })),
    points,
    sources: programme.sources.map(({ publisher, url, type, year }) => ({
      publisher,
      url,
      type: named(type, texts.sourceTypes),
      year,
    })),
  } satisfies FinancingProgramme;
}

function reportQuery(
  query: FinancingQuery,
  { financing: texts, speech }: Wording,
): FinancingMatches['query'] {
  const { wish, country, sector, need } = query;
  return {
    country: country && { ...country, label: speech.country(country.code) },
    region: wish.region && named(wish.region, texts.regions),
    sector: sector && { ...sector, recognised: allNamed(wish.sectors ?? [], texts.sectors) },
    need: need === null ? null : { text: need, recognised: allNamed(wish.purposes ?? [], texts.purposes) },
    amount: wish.amount && { ...wish.amount, text: speech.money(wish.amount.value, wish.amount.currency) },
    instrument: wish.instrument && named(wish.instrument, texts.instruments),
  };
}

/** The search terms in a few words. Null: none. */
function sayAsked(query: FinancingMatches['query'], { financing: texts }: Wording): string | null {
  const { need, sector } = query;
  const understood = need?.recognised.slice(0, 2).map(({ label }) => label) ?? [];
  const asked = [
    query.country?.label ?? query.region?.label,
    ...(need && understood.length === 0 ? [shortened(need.text, needInSummary)] : understood),
    sector && shortened(sector.recognised[0]?.label ?? sector.text, needInSummary),
    query.instrument?.label,
    query.amount?.text,
  ].filter((part) => part != null);
  return asked.length > 0 ? asked.join(texts.comma) : null;
}

function notesOf({ wish, ...query }: FinancingQuery, data: FinancingData, say: FinancingSpeech): string[] {
  const { financing: texts, speech } = say.wording;
  const { notes } = texts;
  const isFranc = wish.amount !== null && ['EUR', 'XOF', 'XAF'].includes(wish.amount.currency);
  const purposes = [...new Set(data.programmes.flatMap(({ themes }) => themes))];
  return [
    wish.country !== null &&
      !isAfrican(wish.country) &&
      fill(notes.outsideAfrica, { country: speech.country(wish.country) }),
    wish.country === null && wish.region === null && notes.countryUnknown,
    query.regionUnheeded && notes.regionUnheeded,
    query.need !== null &&
      wish.purposes?.length === 0 &&
      fill(notes.needUnread, {
        text: shortened(query.need, needInSummary),
        purposes: say.names(purposes, texts.purposes),
      }),
    query.sector &&
      wish.sectors?.length === 0 &&
      fill(notes.sectorUnread, { text: shortened(query.sector.text, needInSummary) }),
    isFranc && notes.parity,
  ].filter((note) => typeof note === 'string');
}

function sayBest({ programme }: Judged, say: FinancingSpeech): string {
  const { financing: texts } = say.wording;
  const how = [say.names(programme.instruments, texts.instruments), texts.accesses[programme.smeAccess]];
  return fill(texts.withDetail, { name: programme.name, detail: how.join(texts.comma) });
}

function widenOf({ matches, widening }: Matching, { financing: texts }: Wording): string[] {
  if (matches.length > 0) return [];
  const wider = widening.map(({ criterion, count }) =>
    fill(texts.widen, { criterion: texts.criteria[criterion], count }),
  );
  return wider.length > 0 ? wider : [texts.widenNothing];
}

/** Everything, for the API and for reports. */
export function reportMatches(
  query: FinancingQuery,
  matching: Matching,
  data: FinancingData,
  wording: Wording,
): FinancingMatches {
  const { financing: texts, speech } = wording;
  const say = new FinancingSpeech(wording);
  const asQuery = reportQuery(query, wording);
  const asked = sayAsked(asQuery, wording);
  const near = matching.near.length;
  const [best] = matching.matches;
  const short = new FinancingSpeech(wording, listedInShort);
  const report = (list: readonly Judged[]) => list.map((judged) => reportProgramme(judged, say));
  return {
    kind: 'financing_matches',
    dataVersion: data.version,
    language: wording.language,
    summary: best
      ? fill(speech.form(texts.found, matching.matches.length), {
          count: matching.matches.length,
          direct: matching.matches.filter(isDirect).length,
          near,
          asked,
          best: sayBest(best, short),
        })
      : fill(speech.form(texts.notFound, near), { near, asked }),
    ranking: texts.ranking,
    reminder: texts.reminder,
    notes: notesOf(query, data, say),
    widen: widenOf(matching, wording),
    query: asQuery,
    matches: report(matching.matches),
    near: report(matching.near),
    others: report(matching.others),
  };
}

function sayInTheWay(criterion: Criterion, reason: Reason, say: FinancingSpeech): string {
  const { financing: texts } = say.wording;
  return fill(texts.inTheWay, { criterion: texts.criteria[criterion], reason: say.reason(reason) });
}

function shortMatch({ programme, judgements }: Judged, say: FinancingSpeech): JsonObject {
  const { financing: texts } = say.wording;
  const source = programme.sources.find(({ type }) => type === 'official') ?? programme.sources[0];
  const told = (verdict: string): string[] =>
    judgements
      .filter((one) => one.verdict === verdict && one.criterion !== 'window')
      // Access has its own field.
      .filter(({ criterion }) => criterion !== 'access' || verdict !== 'fits')
      .map(({ criterion, reason }) => sayInTheWay(criterion, reason, say));
  const window = judgements.find(({ criterion }) => criterion === 'window');
  return {
    name: programme.name,
    provider: programme.provider,
    instruments: say.names(programme.instruments, texts.instruments),
    apply: texts.accesses[programme.smeAccess],
    amount: say.amount(programme),
    window: window ? say.reason(window.reason) : texts.statuses[programme.status],
    asOfYear: programme.asOfYear,
    why: told('fits'),
    notKnown: told('not_known'),
    ...(source ? { source: source.url, sourceType: texts.sourceTypes[source.type] } : {}),
  };
}

function shortNear(judged: Judged, say: FinancingSpeech): JsonObject {
  const obstacle = obstacleOf(judged);
  const judgement = judged.judgements.find(({ criterion }) => criterion === obstacle);
  return {
    name: judged.programme.name,
    inTheWay: judgement ? sayInTheWay(judgement.criterion, judgement.reason, say) : '',
  };
}

/** The same in short, for the model: the best matches with reasons, near matches, and notes. */
export function shortenMatches(full: FinancingMatches, matching: Matching, wording: Wording): JsonObject {
  const say = new FinancingSpeech(wording, listedInShort);
  const most = full.query.need?.recognised.length === 0 ? shownUnread : shownMatches;
  return {
    summary: full.summary,
    counts: { matches: full.matches.length, near: full.near.length, others: full.others.length },
    matches: matching.matches.slice(0, most).map((judged) => shortMatch(judged, say)),
    near: matching.near.slice(0, shownNear).map((judged) => shortNear(judged, say)),
    ...(full.widen.length > 0 ? { widen: full.widen } : {}),
    ...(full.notes.length > 0 ? { notes: full.notes } : {}),
    ranking: full.ranking,
    reminder: full.reminder,
    dataVersion: full.dataVersion,
  };
}
