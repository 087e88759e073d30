import {
  type FinancingMatches,
  type FinancingProgramme,
  type VerdictCode,
  verdicts,
} from '../../financing/financing-matches.js';
import type { Block, Fact, Report } from '../report.js';
import { fill, type Wording, wordingOf } from '../../wording.js';
import {
  column,
  type ColumnOf,
  companyFacts,
  type Dated,
  frameReport,
  numberColumn,
  part,
  type ReportFrame,
  resultFacts,
  some,
  tableOf,
} from './report-frame.js';
import { sourcesBlock } from './source-text.js';

/** The report of a search for green finance: what was sought, what fits and what nearly fits. Each fact is told once. */
export function financingReport(result: Dated<FinancingMatches>, frame: ReportFrame): Report {
  const { details } = result;
  const language = wordingOf(details.language);
  const { report: wording } = language;
  const { financing } = wording;
  const facts = [...companyFacts(frame.company, language), ...resultFacts(result, language)];
  const ranking = details.matches.length > 0 ? [details.ranking] : [];
  return frameReport('financing', frame, language, facts, [
    ...part(wording.summary, 1, [
      { type: 'paragraph', text: details.summary },
      { type: 'note', tone: 'caution', text: details.reminder },
    ]),
    ...part(financing.project, 1, [{ type: 'facts', facts: query(details, language) }]),
    ...fitting(details, language),
    ...part(financing.near, 1, near(details, language)),
    ...part(wording.notes, 1, [{ type: 'list', items: [...ranking, ...details.notes] }]),
    ...part(wording.sources, 1, [sources(details)]),
    { type: 'note', tone: 'plain', text: wording.noteOnProgrammes },
  ]);
}

function query({ query: asked }: FinancingMatches, { report: wording, speech }: Wording): Fact[] {
  const { financing, company } = wording;
  const recognised = (
    found: { text: string; recognised: readonly { label: string }[] } | null,
  ): string | undefined =>
    found?.recognised.length ? speech.list(found.recognised.map(({ label }) => label)) : found?.text;
  const facts: [string, string | undefined][] = [
    [company.country, asked.country?.label],
    [financing.region, asked.region?.label],
    [company.sector, recognised(asked.sector)],
    [financing.need, recognised(asked.need)],
    [financing.amount, asked.amount?.text],
    [financing.instrument, asked.instrument?.label],
  ];
  const given = facts.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }]));
  const others = facts.flatMap(([label, value]) => (value === undefined ? [label] : []));
  return [...given, ...some(others.length > 0, { label: financing.notGiven, value: speech.list(others) })];
}

/** How a company reaches a programme: by itself, through others, or only with others. */
const reaches = ['direct', 'throughOthers', 'besideOthers'] as const;

function reachOf({ access, verdicts }: FinancingProgramme): (typeof reaches)[number] {
  if (access.code === 'direct') return 'direct';
  const verdict = verdicts.find(({ criterion }) => criterion === 'access')?.verdict;
  return verdict === 'fits' ? 'throughOthers' : 'besideOthers';
}

/** The number of programmes with their own sheet. The others have a row each. */
const SHEETS = 5;

function fitting({ matches, widen }: FinancingMatches, language: Wording): Block[] {
  const { financing } = language.report;
  if (matches.length === 0) {
    const wider = part(financing.widen, 2, [{ type: 'list', items: widen }]);
    return part(financing.fitting, 1, [{ type: 'paragraph', text: financing.nothingFits }, ...wider]);
  }
  const withSheet = new Set(matches.slice(0, SHEETS));
  const groups = Map.groupBy(matches, reachOf);
  return reaches.flatMap((reach) => {
    const group = groups.get(reach) ?? [];
    const others = group.filter((programme) => !withSheet.has(programme));
    return part(financing.reach[reach], 1, [
      ...group.filter((programme) => withSheet.has(programme)).flatMap((each) => sheet(each, language)),
      shortTable(others, language),
    ]);
  });
}

function nameOf({ name, provider }: FinancingProgramme): string {
  return `${name} (${provider})`;
}

function shortTable(programmes: readonly FinancingProgramme[], language: Wording): Block {
  const { financing } = language.report;
  return tableOf(programmes, [
    column(financing.programme, 2.4, nameOf),
    column(financing.verdicts.not_known, 3, (programme) => reasons(programme, 'not_known', language)),
    ...accessColumns(language),
  ]);
}

function accessColumns({ report: { financing } }: Wording): ColumnOf<FinancingProgramme>[] {
  return [
    column(
      `${financing.access} · ${financing.amount}`,
      2.4,
      ({ access, amount }) => `${access.label} · ${amount.text}`,
    ),
    numberColumn(financing.yearShort, 0.8, ({ asOfYear }) => (asOfYear === null ? '–' : String(asOfYear))),
  ];
}

function labels(named: readonly { label: string }[], { speech }: Wording): string {
  return speech.list(named.map(({ label }) => label));
}

function sheet(programme: FinancingProgramme, language: Wording): Block[] {
  const { financing } = language.report;
  const { amount } = programme;
  return [
    { type: 'heading', level: 2, text: programme.name },
    { type: 'paragraph', text: programme.summary },
    {
      type: 'facts',
      facts: [
        { label: financing.provider, value: programme.provider },
        { label: financing.instruments, value: labels(programme.instruments, language) },
        { label: financing.applicants, value: labels(programme.applicants, language) },
        { label: financing.confidence, value: programme.confidence.label },
        { label: financing.purposes, value: labels(programme.purposes, language) },
        {
          label: financing.amount,
          value: amount.note === null ? amount.text : `${amount.text} (${amount.note})`,
        },
        ...verdictFacts(programme, language),
      ],
    },
  ];
}

/** What fits, what does not, and what is to be confirmed, with reasons. They also tell access, window and year. */
export function verdictFacts(programme: FinancingProgramme, language: Wording): Fact[] {
  const { verdicts: labelOf } = language.report.financing;
  return verdicts
    .map((verdict) => ({ label: labelOf[verdict], value: reasons(programme, verdict, language) }))
    .filter(({ value }) => value !== '');
}

function reasons({ verdicts: all }: FinancingProgramme, wanted: VerdictCode, { financing }: Wording): string {
  return all
    .filter(({ verdict }) => verdict === wanted)
    .map(({ label: criterion, reason }) => fill(financing.inTheWay, { criterion, reason }))
    .join(' · ');
}

function obstacles({ verdicts: all }: FinancingProgramme): string {
  return all
    .filter(({ verdict }) => verdict === 'does_not_fit')
    .map(({ reason }) => reason)
    .join(' · ');
}

function near(details: FinancingMatches, language: Wording): Block[] {
  const { financing } = language.report;
  return [
    tableOf(details.near, [
      column(financing.programme, 2.4, nameOf),
      column(financing.inTheWay, 3, obstacles),
      ...accessColumns(language),
    ]),
  ];
}

/** The title of a page is the programme that it is about. */
function sources({ matches }: FinancingMatches): Block {
  return sourcesBlock(
    matches.flatMap(({ name, sources: list }) =>
      list.map((source) => ({ ...source, title: name, type: source.type.label })),
    ),
  );
}
