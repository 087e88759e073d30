import fc from 'fast-check';

import type { JsonObject } from '@palabre/plugin';
import type { Unit } from '../../carbon/unit.js';
import { sayQuantity, unitName } from '../../carbon/carbon-wording.js';
import { fill, type Speech, wordingOf } from '../../wording.js';
import {
  reportLanguages,
  sampleCarbon,
  sampleCompany,
  sampleEsg,
  sampleFinancing,
  sampleFrame,
  sampleReports,
} from '../fixtures.double.js';
import type { Block, Report } from '../report.js';
import { carbonReport } from './carbon-content.js';
import { esgReport } from './esg-content.js';
import { financingReport } from './financing-content.js';
import { sourcesBlock } from './source-text.js';

/** «kgCO2e/litre» */
function factorParts(unit: string): { gas: string; per: Unit } {
  const [gas = '', per = ''] = unit.split('/');
  return { gas, per: per as Unit };
}

/** Every text of a value. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

function numbersOf(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(numbersOf);
}

/** What a reader sees: a chart's values are drawn, not written. */
function shownOf({ blocks, ...rest }: Report): string[] {
  return textsOf([
    rest,
    blocks.map((block) =>
      block.type === 'chart'
        ? [block.title, block.chart.values.map(({ label, text }) => [label, text])]
        : block,
    ),
  ]);
}

function figuresIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.match(/\d+(?:[.,]\d+)*/g) ?? []);
}

/** The figures that may stand in a report in English: those of its material, as the language writes them. */
function allowedFigures(material: unknown): Set<string> {
  const { report: wording, speech } = wordingOf('en');
  const written = numbersOf(material).flatMap((value) => [
    speech.number(value),
    speech.plain(value),
    speech.tenths(value),
    speech.percent(value),
    speech.emissions(value),
    speech.emissions(value, true),
    speech.rounded(value),
    speech.percent(Math.floor(value * 100 + 1e-9) / 100, 0),
  ]);
  const fixed = [
    '100',
    fill(wording.carbon.methodText, { potentials: '' }),
    speech.date(sampleFrame.createdAt),
  ];
  return new Set(
    figuresIn([...textsOf(material), ...written, ...fixed, ...textsOf(wording), ...dates(speech)]),
  );
}

function dates(speech: Speech): string[] {
  return [speech.date(new Date('2026-11-20T16:30:00Z'))];
}

function expectNoOtherFigures(report: Report, material: unknown): void {
  const allowed = allowedFigures([material, sampleCompany, report.createdAt]);
  expect(figuresIn(shownOf(report)).filter((figure) => !allowed.has(figure))).toEqual([]);
}

function tablesOf({ blocks }: Report): Extract<Block, { type: 'table' }>[] {
  return blocks.filter((block) => block.type === 'table');
}

describe.each(reportLanguages)('in %s', (language) => {
  const { report: wording, speech } = wordingOf(language);

  it('an ESG report has every score, answer and code', async () => {
    const esg = await sampleEsg(language);
    const report = esgReport(esg, sampleFrame);
    const rows = tablesOf(report).flatMap(({ rows }) => rows);
    const shown = shownOf(report).join('\n');
    for (const indicator of esg.details.indicators) {
      const row = rows.find(
        ([id, title, , , weight]) => id === indicator.id && title === indicator.title && weight,
      );
      if (indicator.status === 'missing') {
        // It was requested, and has no row that says it is missing.
        expect(row).toBeUndefined();
        expect(
          [indicator.question, `${indicator.id} ${indicator.title}`].some((text) => shown.includes(text)),
        ).toBe(true);
        continue;
      }
      expect(row?.[2]).toBe(indicator.answerText ?? wording.esg.notApplicable);
      expect(row?.[3]).toBe(indicator.score === null ? '–' : speech.tenths(indicator.score));
      for (const { code } of indicator.codes.vsme) expect(row?.[5]).toContain(code);
    }
    const flat = rows.flat();
    for (const { score } of [...esg.details.pillars, ...esg.details.topics])
      expect(flat).toContain(score === null ? wording.esg.missing : speech.tenths(score));
  });

  it('a carbon report tells a scope that nothing was given for from one without emissions', async () => {
    const items = [{ activity: 'diesel', quantity: 10, unit: 'litre' }];
    const report = carbonReport(await sampleCarbon('en', { items }), sampleFrame);
    const scopes = report.blocks.flatMap((block) => (block.type === 'figures' ? block.figures.slice(1) : []));
    expect(scopes.map(({ value, detail }) => [value, detail])).toEqual([
      ['27 kgCO2e', '100%'],
      ['not counted', ''],
      ['not counted', ''],
    ]);
    expect(shownOf(report).join(' ')).not.toMatch(/(?<![\d.])0 kgCO2e/);
  });

  it('a carbon report has every line, and what is not in it', async () => {
    const carbon = await sampleCarbon(language);
    const { details } = carbon;
    const report = carbonReport(carbon, sampleFrame);
    const flat = tablesOf(report).flatMap(({ rows, total }) => [...rows.flat(), ...(total ?? [])]);
    expect(details.refused.length).toBeGreaterThan(0);
    const named = wordingOf(language);
    for (const line of details.lines) {
      expect(flat).toContain(speech.rounded(line.kgCO2e));
      expect(flat).toContain(`${speech.number(line.quantity)} ${line.unit.label}`);
      const { gas, per } = factorParts(line.factor.unit);
      expect(flat).toContain(`${speech.number(line.factor.value)} ${gas}/${unitName(named, per, 1)}`);
    }
    for (const { reason } of details.refused) expect(flat).toContain(reason);
    const shown = shownOf(report).join('\n');
    for (const { label, scope } of details.notCounted)
      expect(shown).toContain(`${label} (${wording.carbon.scope} ${scope})`);
    for (const { label, kgCO2e } of details.categories)
      expect(shown).toContain(`${label}\n${speech.emissions(kgCO2e)} · `);
    expect(flat).toContain(speech.rounded(details.totalKgCO2e));
  });

  it('a carbon report has units by their names, and names the IPCC once', async () => {
    const items = [
      { activity: 'taxi', quantity: 820, unit: 'passenger_km' },
      { activity: 'electricity', quantity: 20, unit: 'tonne' },
      { activity: 'electricity', quantity: 1, unit: 'tonne' },
    ];
    const named = wordingOf(language);
    const carbon = await sampleCarbon(language, { country: 'SN', items });
    const { details } = carbon;
    const texts = shownOf(carbonReport(carbon, sampleFrame));
    expect(details.refused).toHaveLength(2);
    for (const quantity of [20, 1]) expect(texts).toContain(sayQuantity(quantity, 'tonne', named));
    expect(texts.join('\n')).not.toMatch(/passenger_km|IPCC[ (]+IPCC/);
  });

  it('a carbon report has gases of the Montreal Protocol beside its total, and why', async () => {
    const items = [
      { activity: 'refrigerant_r22', quantity: 10, unit: 'kg' },
      { activity: 'diesel', quantity: 3500, unit: 'litre' },
    ];
    const carbon = await sampleCarbon(language, { items });
    const report = carbonReport(carbon, sampleFrame);
    const facts = report.blocks.flatMap((block) => (block.type === 'facts' ? block.facts : []));
    expect(facts).toContainEqual({ label: wording.carbon.outsideKyoto, value: speech.emissions(17_600) });
    const totals = tablesOf(report).flatMap(({ total }) => (total ? [total.filter(Boolean)] : []));
    expect(totals.map(([, amount]) => amount)).toEqual([speech.rounded(9315.425), speech.rounded(17_600)]);
    const rows = tablesOf(report).flatMap(({ rows }) => rows);
    expect(rows.find(([label]) => label?.includes('R22'))?.[1]).toBe('–');
  });

  it('a carbon report of nothing but them has no total of 0', async () => {
    const items = [{ activity: 'refrigerant_r22', quantity: 10, unit: 'kg' }];
    const report = carbonReport(await sampleCarbon(language, { items }), sampleFrame);
    const shown = shownOf(report);
    expect(shown).toContain(speech.rounded(17_600));
    expect(shown).toContain(wording.carbon.nothingCounted);
    expect(shown.join(' ')).not.toMatch(/(?<![\d.,\u00a0\u202f])0 kgCO2e|NaN|undefined/);
  });

  it('a search tells what the company can apply for itself first', async () => {
    const report = financingReport(await sampleFinancing(language), sampleFrame);
    const { direct, throughOthers, besideOthers } = wording.financing.reach;
    const headings = report.blocks.flatMap((block) => (block.type === 'heading' ? [block.text] : []));
    const reaches = headings.filter((text) => [direct, throughOthers, besideOthers].includes(text));
    expect(reaches).toEqual([direct, throughOthers, besideOthers].filter((reach) => reaches.includes(reach)));
    expect(reaches.length).toBeGreaterThan(1);
  });

  it('a search has every programme, amount, doubt and source', async () => {
    const financing = await sampleFinancing(language);
    const { details } = financing;
    const report = financingReport(financing, sampleFrame);
    const shown = shownOf(report).join('\n');
    expect(details.matches.length).toBeGreaterThan(5);
    const facts = details.matches.flatMap(({ name, amount, verdicts, sources }) => [
      name,
      amount.text,
      ...verdicts.filter(({ verdict }) => verdict === 'not_known').map(({ reason }) => reason),
      ...sources.map(({ url }) => url),
    ]);
    const notes = details.matches.slice(0, 5).map(({ amount }) => amount.note ?? '');
    expect([...facts, ...notes].filter((fact) => !shown.includes(fact))).toEqual([]);
    const rows = tablesOf(report).flatMap(({ rows }) => rows.map((cells) => cells.join('\n')));
    const inTables = [...details.matches.slice(5), ...details.near];
    expect(inTables.some(({ amount }) => amount.min === null && amount.max === null)).toBe(true);
    for (const { name, provider, amount } of inTables)
      expect(
        rows.find((row) => row.startsWith(`${name} (${provider})\n`) && row.includes(amount.text)),
      ).toBeDefined();
  });

  it('a search says what was asked, and last what was not', async () => {
    const { financing, company } = wording;
    const report = financingReport(await sampleFinancing(language, { country: 'SN' }), sampleFrame);
    const [asked] = report.blocks.flatMap((block) => (block.type === 'facts' ? [block.facts] : []));
    expect(asked?.at(0)).toEqual({ label: company.country, value: speech.country('SN') });
    expect(asked?.at(-1)).toEqual({
      label: financing.notGiven,
      value: speech.list([financing.region, financing.need, financing.amount, financing.instrument]),
    });
  });

  it('a search tells each programme, page and reminder once', async () => {
    const financing = await sampleFinancing(language);
    const { reminder, matches, near } = financing.details;
    const report = financingReport(financing, sampleFrame);
    const entries = report.blocks.flatMap((block) =>
      block.type === 'heading'
        ? [block.text]
        : block.type === 'table'
          ? block.rows.map(([name]) => name)
          : [],
    );
    const told = [...matches, ...near].map(
      ({ name, provider }) =>
        entries.filter((entry) => [name, `${name} (${provider})`].includes(entry!)).length,
    );
    expect(told).toEqual(told.map(() => 1));
    const pages = matches.flatMap(({ sources }) => sources.map(({ url, year }) => `${url} ${year}`));
    const listed = report.blocks.flatMap((block) => (block.type === 'sources' ? block.sources : []));
    expect(listed).toHaveLength(new Set(pages).size);
    expect(shownOf(report).filter((text) => text === reminder)).toHaveLength(1);
    const facts = report.blocks.flatMap((block) => (block.type === 'facts' ? block.facts : []));
    expect(facts.map(({ value }) => value)).not.toContain(wording.notStated);
  });

  it('every report is in that language, with as many cells as columns', async () => {
    for (const report of await sampleReports(language)) {
      expect(report.language).toBe(language);
      for (const { columns, rows, total } of tablesOf(report))
        for (const row of [...rows, ...(total ? [total] : [])]) expect(row).toHaveLength(columns.length);
      expect(shownOf(report).filter((text) => /undefined|null|NaN|\[object/.test(text))).toEqual([]);
    }
  });

  it('every report ends by saying that nobody has checked it', async () => {
    const reports = await sampleReports(language);
    const { noteOnResults: results, noteOnProgrammes: programmes } = wording;
    expect(reports.map(({ blocks }) => blocks.at(-1))).toEqual(
      [results, results, programmes].map((text) => ({ type: 'note', tone: 'plain', text })),
    );
  });
});

it('sources have each page of a year once, with all that it is given for', () => {
  const page = { publisher: 'Ministère', year: 2024, url: 'https://a.example/', licence: 'CC BY' };
  const published = [
    { ...page, title: 'Un' },
    { ...page, title: 'Deux' },
    { ...page, title: 'Un', year: 2023 },
    { ...page, title: 'Un', licence: null },
  ];
  expect(sourcesBlock(published)).toEqual({
    type: 'sources',
    sources: [
      { text: 'Ministère · Un · Deux · 2024 · CC BY', url: page.url },
      { text: 'Ministère · Un · 2023 · CC BY', url: page.url },
    ],
  });
});

describe('figures', () => {
  it('that are made up are found', async () => {
    const carbon = await sampleCarbon('en');
    const { details } = carbon;
    const report = carbonReport(carbon, sampleFrame);
    const made: Report = { ...report, blocks: [...report.blocks, { type: 'paragraph', text: '777.77 t' }] };
    expectNoOtherFigures(report, [details, 2]);
    expect(() => expectNoOtherFigures(made, [details, 2])).toThrow('777.77');
  });

  it('are only those of the answers', async () => {
    const levels = fc.record({
      E01: fc.integer({ min: 0, max: 3 }),
      E02: fc.integer({ min: 0, max: 100 }),
      S01: fc.integer({ min: 0, max: 100 }),
      S02: fc.boolean(),
      G01: fc.integer({ min: 0, max: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom('E01', 'E02', 'S01', 'S02', 'G01'), fc.nat()),
        levels,
        async (kept, all) => {
          const answers = Object.fromEntries(Object.entries(all).filter(([id]) => id in kept));
          const esg = await sampleEsg('en', { answers });
          expectNoOtherFigures(esgReport(esg, sampleFrame), esg);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('are only those of the quantities', async () => {
    const item = fc.constantFrom('diesel', 'petrol', 'lpg').chain((activity) =>
      fc.double({ min: 0.01, max: 1e7, noNaN: true }).map((quantity) => ({
        activity,
        quantity: Math.round(quantity * 100) / 100,
        unit: 'litre',
      })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 5 }), async (items) => {
        const carbon = await sampleCarbon('en', { country: 'SN', items } as JsonObject);
        expectNoOtherFigures(carbonReport(carbon, sampleFrame), carbon);
      }),
      { numRuns: 20 },
    );
  });

  it('are only those of the programmes', async () => {
    const inputs: JsonObject[] = [
      { country: 'SN' },
      { country: 'MA', need: 'solar' },
      { country: 'FR', instrument: 'bond' },
    ];
    for (const input of inputs) {
      const matches = await sampleFinancing('en', input);
      const { details } = matches;
      const counted = [...details.matches, ...details.near].map((_, index) => index + 1);
      expectNoOtherFigures(financingReport(matches, sampleFrame), [
        matches,
        counted,
        details.matches.length,
        details.near.length,
      ]);
    }
  });
});

describe('what is not known', () => {
  const unknown = {
    ...sampleCompany,
    sector: null,
    country: null,
    city: null,
    headcount: null,
    revenueAmount: null,
    revenueCurrency: null,
    environmentalPractices: [],
    declaredGoals: [],
    attributes: {},
  };

  it('of the company is left out', async () => {
    const report = carbonReport(await sampleCarbon('en'), { ...sampleFrame, company: unknown });
    expect(report.facts.map(({ value }) => value)).not.toContain('not stated');
  });

  it('of an assessment without an answer is no score', async () => {
    const report = esgReport(await sampleEsg('en', { answers: {} }), sampleFrame);
    expect(textsOf(report.blocks)).toContain('No ESG score yet: none of the criteria is answered.');
    expect(report.blocks.filter(({ type }) => type === 'chart')).toEqual([]);
    expect(tablesOf(report).length).toBeGreaterThan(1);
  });

  it('is a title of the report’s own, or the one that was wanted', async () => {
    const esg = await sampleEsg('fr');
    expect(esgReport(esg, sampleFrame)).toMatchObject({ title: 'Rapport ESG', subtitle: '' });
    expect(esgReport(esg, { ...sampleFrame, title: 'Notre année' })).toMatchObject({
      title: 'Notre année',
      subtitle: 'Rapport ESG',
    });
  });
});
