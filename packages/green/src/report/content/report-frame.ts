import type { CompanyProfile } from '@palabre/plugin';

import type { Block, Column, Fact, Report } from '../report.js';
import { fill, type Wording } from '../../wording.js';

export type ReportCompany = Omit<CompanyProfile, 'language'>;

export interface ReportFrame {
  company: ReportCompany;
  /** The user's title. Null: the title of its kind. */
  title: string | null;
  createdAt: Date;
  /** The local day: see Calendar. */
  day: Date;
}

/** A kept result, with the local time when it was made: see Calendar. */
export interface Dated<Details> {
  details: Details;
  at: Date;
  version: number;
  /** Its author. Null: the member is gone. */
  memberName: string | null;
}

export type ReportKind = keyof Wording['report']['kinds'];

export function frameReport(
  kind: ReportKind,
  frame: ReportFrame,
  { report: wording, speech }: Wording,
  facts: readonly Fact[],
  blocks: readonly Block[],
): Report {
  return {
    language: speech.language,
    title: frame.title ?? wording.kinds[kind],
    subtitle: frame.title === null ? '' : wording.kinds[kind],
    company: frame.company.name,
    date: speech.date(frame.day),
    day: frame.day,
    createdAt: frame.createdAt,
    pageLabel: wording.pageLabel,
    facts,
    blocks,
  };
}

export function resultFacts(
  { at, version, memberName, details }: Dated<{ dataVersion: string }>,
  { report: wording, speech }: Wording,
): Fact[] {
  const made = { date: speech.date(at), version, member: memberName };
  return [
    { label: wording.calculatedOn, value: fill(wording.madeBy, made) },
    { label: wording.dataVersion, value: details.dataVersion },
  ];
}

/** The known facts of a company. `withUnknown`: lists the unknown ones too. */
export function companyFacts(company: ReportCompany, language: Wording, withUnknown = false): Fact[] {
  const { report: wording, speech } = language;
  const { headcount, country, revenueAmount, revenueCurrency } = company;
  const words = wording.company;
  const revenue =
    revenueAmount === null || revenueCurrency === null
      ? null
      : `${speech.number(revenueAmount)} ${revenueCurrency}`;
  const facts: [string, string | null][] = [
    [words.sector, company.sector],
    [words.country, country === null ? null : speech.country(country)],
    [words.city, company.city],
    [words.headcount, headcount === null ? null : speech.number(headcount)],
    [words.revenue, revenue],
  ];
  return facts
    .filter(([, value]) => withUnknown || value !== null)
    .map(([label, value]) => ({ label, value: value ?? wording.notStated }));
}

/** A part of a report without empty blocks. Nothing if no block is left. */
export function part(title: string, level: 1 | 2, blocks: readonly Block[]): Block[] {
  const filled = blocks.filter((block) => Object.values(contentOf(block)).length > 0);
  return filled.length === 0 ? [] : [{ type: 'heading', level, text: title }, ...filled];
}

function contentOf(block: Block): object {
  switch (block.type) {
    case 'list':
      return block.items;
    case 'table':
      return block.rows;
    case 'chart':
      return block.chart.values;
    case 'facts':
      return block.facts;
    case 'sources':
      return block.sources;
    default:
      return block;
  }
}

export interface ColumnOf<Item> extends Column {
  cell: (item: Item) => string;
}

export function column<Item>(title: string, weight: number, cell: (item: Item) => string): ColumnOf<Item> {
  return { title, weight, cell };
}

export function numberColumn<Item>(
  title: string,
  weight: number,
  cell: (item: Item) => string,
): ColumnOf<Item> {
  return { title, weight, isNumber: true, cell };
}

export function tableOf<Item>(
  items: readonly Item[],
  columns: readonly ColumnOf<Item>[],
  total?: readonly string[],
): Block {
  return {
    type: 'table',
    columns: columns.map(({ cell: _, ...column }) => column),
    rows: items.map((item) => columns.map(({ cell }) => cell(item))),
    ...(total && { total }),
  };
}

export function some<Block>(condition: boolean, ...blocks: readonly Block[]): readonly Block[] {
  return condition ? blocks : [];
}
