import type { FinancingMatches, FinancingProgramme } from '../../financing/financing-matches.js';
import type { Block, Fact, Report } from '../report.js';
import { type Wording, wordingOf } from '../../wording.js';
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
  tableOf,
} from './report-frame.js';
import { sourcesBlock } from './source-text.js';

/** The report of a search for green finance: what was looked for, what fits, and how it is asked for. */
export function financingReport(result: Dated<FinancingMatches>, frame: ReportFrame): Report {
  const { details } = result;
  const language = wordingOf(details.language);
  const { report: wording } = language;
  const { financing } = wording;
  const facts = [...companyFacts(frame.company, language), ...resultFacts(result, language)];
  return frameReport('financing', frame, language, facts, [
    ...part(wording.summary, 1, overview(details, language)),
    ...part(financing.project, 1, [{ type: 'facts', facts: query(details, language) }]),
    ...part(financing.fitting, 1, fitting(details, language)),
    ...part(financing.near, 1, near(details, language)),
    ...part(financing.toConfirm, 1, toConfirm(details, language)),
    ...part(wording.sources, 1, [sources(details)]),
  ]);
}

function overview(details: FinancingMatches, { report: wording, speech }: Wording): Block[] {
  const { financing } = wording;
  return [
    { type: 'paragraph', text: details.summary },
    {
      type: 'figures',
      figures: [
        { label: financing.fittingCount, value: speech.number(details.matches.length), detail: '' },
        { label: financing.nearCount, value: speech.number(details.near.length), detail: '' },
      ],
    },
    { type: 'note', tone: 'caution', text: details.reminder },
  ];
}

function query({ query: asked }: FinancingMatches, { report: wording, speech }: Wording): Fact[] {
  const { financing, company } = wording;
  const recognised = (
    found: { text: string; recognised: readonly { label: string }[] } | null,
  ): string | null =>
    found &&
    (found.recognised.length > 0 ? speech.list(found.recognised.map(({ label }) => label)) : found.text);
  const facts: [string, string | null][] = [
    [company.country, asked.country?.label ?? null],
    [financing.region, asked.region?.label ?? null],
    [company.sector, recognised(asked.sector)],
    [financing.need, recognised(asked.need)],
    [financing.amount, asked.amount?.text ?? null],
    [financing.instrument, asked.instrument?.label ?? null],
  ];
  return facts.map(([label, value]) => ({ label, value: value ?? financing.notAsked }));
}

/** How a company comes by a programme: by itself, through others, or only beside them. */
const reaches = ['direct', 'throughOthers', 'besideOthers'] as const;

function reachOf({ access, verdicts }: FinancingProgramme): (typeof reaches)[number] {
  if (access.code === 'direct') return 'direct';
  const verdict = verdicts.find(({ criterion }) => criterion === 'access')?.verdict;
  return verdict === 'fits' ? 'throughOthers' : 'besideOthers';
}

/** So many have a sheet of their own: who needs another asks for it. */
const SHEETS = 5;

function fitting(details: FinancingMatches, language: Wording): Block[] {
  const { financing } = language.report;
  if (details.matches.length === 0) {
    const widen = part(financing.widen, 2, [{ type: 'list', items: details.widen }]);
    return [{ type: 'paragraph', text: financing.nothingFits }, ...widen];
  }
  const groups = Map.groupBy(details.matches, reachOf);
  return [
    { type: 'paragraph', text: details.ranking },
    ...reaches.flatMap((reach) =>
      part(financing.reach[reach], 2, [shortTable(groups.get(reach) ?? [], language)]),
    ),
    ...details.matches
      .slice(0, SHEETS)
      .flatMap((programme, index) => programmeSheet(programme, index + 1, language)),
  ];
}

function yearOf({ asOfYear }: FinancingProgramme, { report: wording }: Wording): string {
  return asOfYear === null ? wording.notStated : String(asOfYear);
}

function shortTable(programmes: readonly FinancingProgramme[], language: Wording): Block {
  const { financing } = language.report;
  return tableOf(programmes, [
    column(financing.programme, 2.6, ({ name }) => name),
    column(financing.provider, 2, ({ provider }) => provider),
    ...accessColumns(language),
  ]);
}

function accessColumns(language: Wording): ColumnOf<FinancingProgramme>[] {
  const { financing } = language.report;
  return [
    column(financing.access, 1.5, ({ access }) => access.label),
    column(financing.amount, 2.4, ({ amount }) => amount.text),
    numberColumn(financing.yearShort, 0.9, (programme) => yearOf(programme, language)),
  ];
}

function labels(named: readonly { label: string }[], { speech }: Wording): string {
  return speech.list(named.map(({ label }) => label));
}

function programmeSheet(programme: FinancingProgramme, number: number, language: Wording): Block[] {
  const { financing } = language.report;
  const { amount } = programme;
  return [
    { type: 'heading', level: 2, text: `${number}. ${programme.name}` },
    { type: 'paragraph', text: programme.summary },
    {
      type: 'facts',
      facts: [
        { label: financing.provider, value: programme.provider },
        { label: financing.instruments, value: labels(programme.instruments, language) },
        { label: financing.purposes, value: labels(programme.purposes, language) },
        { label: financing.access, value: programme.access.label },
        { label: financing.applicants, value: labels(programme.applicants, language) },
        {
          label: financing.amount,
          value: amount.note === null ? amount.text : `${amount.text} (${amount.note})`,
        },
        { label: financing.status, value: programme.status.label },
        { label: financing.year, value: yearOf(programme, language) },
        { label: financing.confidence, value: programme.confidence.label },
      ],
    },
    verdictTable(programme, language),
  ];
}

/** How a programme does by each criterion, and why. */
export function verdictTable({ verdicts }: FinancingProgramme, { report }: Wording): Block {
  const { carbon, financing } = report;
  return tableOf(verdicts, [
    column(financing.criterion, 1.4, ({ label }) => label),
    column(financing.verdict, 1.2, ({ verdict }) => financing.verdicts[verdict]),
    column(carbon.reason, 4, ({ reason }) => reason),
  ]);
}

function obstacles(programme: FinancingProgramme): string {
  return programme.verdicts
    .filter(({ verdict }) => verdict === 'does_not_fit')
    .map(({ reason }) => reason)
    .join(' · ');
}

function near(details: FinancingMatches, language: Wording): Block[] {
  const { financing } = language.report;
  return [
    tableOf(details.near, [
      column(financing.programme, 2.2, ({ name, provider }) => `${name} (${provider})`),
      column(financing.inTheWay, 3, obstacles),
      ...accessColumns(language),
    ]),
  ];
}

function toConfirm(details: FinancingMatches, language: Wording): Block[] {
  const unknown = details.matches.flatMap(({ name, verdicts }) =>
    verdicts
      .filter(({ verdict }) => verdict === 'not_known')
      .map(({ label, reason }) => `${name} – ${label}${language.report.colon}${reason}`),
  );
  return [
    { type: 'note', tone: 'caution', text: details.reminder },
    { type: 'list', items: unknown },
    { type: 'list', items: details.notes },
  ];
}

function sources(details: FinancingMatches): Block {
  const published = details.matches.flatMap(({ name, sources: list }) =>
    list.map((source) => ({
      ...source,
      publisher: `${name} – ${source.publisher}`,
      type: source.type.label,
    })),
  );
  return sourcesBlock(published);
}
