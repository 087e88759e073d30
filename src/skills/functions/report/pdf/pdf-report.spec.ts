import { describe, expect, it } from '@jest/globals';

import { cleanTexts } from '../clean-text.js';
import { reportLanguages, sampleCompany, sampleFrame, sampleReports } from '../fixtures.js';
import type { Block, Report } from '../report.js';
import { renderPdf } from './pdf-report.js';
import { readPdf } from './read-back.js';

const reportOf = (blocks: readonly Block[], more: Partial<Report> = {}): Report => ({
  language: 'fr',
  title: 'Titre',
  subtitle: '',
  company: 'Karité',
  date: '22 novembre 2026',
  day: sampleFrame.day,
  createdAt: sampleFrame.createdAt,
  pageLabel: 'Page {page} sur {pages}',
  facts: [],
  blocks,
  ...more,
});

const read = async (report: Report) => {
  const { content, pages } = await renderPdf(cleanTexts(report));
  const found = readPdf(content);
  expect(found.pages).toBe(pages);
  return { ...found, squeezed: squeezed(found.text) };
};

/** Lines end where the page does, so spaces do not count. */
const squeezed = (text: string): string => text.replaceAll(/\s/g, '');

describe('a PDF', () => {
  it.each(reportLanguages)('has pages, its fonts, and what it says, in %s', async (language) => {
    for (const report of await sampleReports(language)) {
      const { pages, squeezed: text, fonts } = await read(report);
      expect(pages).toBeGreaterThan(2);
      expect(fonts.length).toBeGreaterThan(1);
      for (const font of fonts) expect(font).toMatch(/^[A-Z]{6}\+/);
      const headings = report.blocks.flatMap((block) =>
        block.type === 'heading' ? [squeezed(block.text)] : [],
      );
      expect(headings.filter((heading) => !text.includes(heading))).toEqual([]);
      expect(text.includes('\ufffd')).toBe(false);
    }
  });

  it('repeats the head of a table on every page, and keeps all rows', async () => {
    const rows = Array.from({ length: 120 }, (_, index) => [`ligne ${index}.`, 'x']);
    const columns = [
      { title: 'Tête', weight: 3 },
      { title: '', weight: 1, isNumber: true },
    ];
    const {
      pages,
      text,
      squeezed: all,
    } = await read(reportOf([{ type: 'table', columns, rows, total: ['Somme'] }]));
    expect(text.split('Tête')).toHaveLength(pages);
    for (const [first = ''] of rows) expect(all).toContain(squeezed(first));
    expect(all).toContain('Somme');
  });

  it('cuts a row that is taller than a page, and loses nothing of it', async () => {
    const words = Array.from({ length: 2500 }, (_, index) => `m${index}`);
    const { squeezed: all, pages } = await read(
      reportOf([
        {
          type: 'table',
          columns: [
            { title: 'T', weight: 1 },
            { title: 'U', weight: 1 },
          ],
          rows: [[words.join(' '), '']],
        },
      ]),
    );
    expect(pages).toBeGreaterThan(2);
    expect(words.filter((word) => !all.includes(word))).toEqual([]);
  });

  it.each([
    ['markup', '<w:p>&amp;"\'</w:t> ]]> (\\) %'],
    ['control characters', 'a\u0000\u0001\u001f\ufffe\ud800b'],
    ['another direction', '\u202Eشركة الطاقة\u202C'],
    ['300 characters', 'Ñ'.repeat(300)],
    ['rare characters', '堃䶮龘 Ωμέγα Вода ₂ 🌱'],
  ])('stands a company’s name of %s', async (_, name) => {
    const [report] = await sampleReports('fr', {
      ...sampleFrame,
      company: { ...sampleCompany, name },
      title: name,
    });
    const { pages } = await read(report!);
    expect(pages).toBeGreaterThan(2);
  });

  it('shows characters in the font that has them', async () => {
    const { text } = await read(reportOf([{ type: 'paragraph', text: 'CO₂ 碳足跡 Ωμέγα Вода œuvre 𝐀 ش' }]));
    expect(text).toContain('Ωμέγα');
    expect(squeezed(text)).toContain('碳足跡ΩμέγαВодаœuvreA\ufffd');
  });

  it('is whole without a block, with empty ones, and with a chart of nothing', async () => {
    const blocks: Block[] = [
      { type: 'paragraph', text: '' },
      { type: 'list', items: [] },
      { type: 'facts', facts: [] },
      { type: 'table', columns: [{ title: '', weight: 1 }], rows: [] },
      { type: 'chart', title: 'x', chart: { kind: 'bars', maximum: null, values: [] } },
      {
        type: 'chart',
        title: 'y',
        chart: { kind: 'parts', maximum: null, values: [{ label: 'a', value: 0, text: '0' }] },
      },
      { type: 'sources', sources: [] },
    ];
    expect((await read(reportOf([]))).pages).toBe(2);
    expect((await read(reportOf(blocks))).pages).toBe(2);
  });
});
