import { strFromU8, unzipSync } from 'fflate';

import { cleanTexts } from './clean-text.js';
import {
  readWord,
  reportLanguages,
  reportOf,
  sampleCompany,
  sampleFrame,
  sampleReports,
  squeezed,
} from './fixtures.double.js';
import type { Report } from './report.js';
import { renderWord } from './word.js';

async function partsOf(report: Report): Promise<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(unzipSync((await renderWord(report)).content)).map(([name, bytes]) => [
      name,
      strFromU8(bytes),
    ]),
  );
}

describe('a Word document', () => {
  it.each(reportLanguages)('has what the report says, with the values of charts, in %s', async (language) => {
    for (const report of await sampleReports(language)) {
      const text = squeezed(await readWord(await renderWord(report)));
      const said = report.blocks.flatMap((block) => {
        if (block.type === 'heading' || block.type === 'note') return [block.text];
        if (block.type === 'chart') return block.chart.values.flatMap(({ label, text }) => [label, text]);
        return block.type === 'table'
          ? [...block.columns.map(({ title }) => title), ...block.rows.flat()]
          : [];
      });
      expect(said.length).toBeGreaterThan(20);
      expect(said.filter((words) => !text.includes(squeezed(words)))).toEqual([]);
      const parts = await partsOf(report);
      expect(parts['word/styles.xml']).toContain(`w:val="${language}"`);
    }
  });

  it('repeats the head of a table and numbers its pages', async () => {
    const parts = await partsOf(
      reportOf([
        { type: 'table', columns: [{ title: 'A', weight: 1 }], rows: [['un'], ['']], total: ['somme'] },
      ]),
    );
    expect(parts['word/document.xml']?.match(/<w:tblHeader\/>/g)).toHaveLength(1);
    const footers = Object.entries(parts).filter(([name]) => /footer\d\.xml$/.test(name));
    expect(footers).toHaveLength(2);
    for (const [, footer] of footers) expect(footer).toMatch(/Page .*PAGE.* sur .*NUMPAGES/s);
  });

  it('has the values of its charts as text, with bars on one scale', async () => {
    const values = [
      { label: 'Eau', value: 25, text: '25,0' },
      { label: 'Air', value: 100, text: '100,0' },
    ];
    const { 'word/document.xml': body = '' } = await partsOf(
      reportOf([
        { type: 'chart', title: 'Parts', chart: { maximum: 100, values } },
        { type: 'chart', title: 'Rien', chart: { maximum: null, values: [] } },
      ]),
    );
    const texts = [...body.matchAll(/<w:t\b[^>]*>([^<]*)/g)].map(([, text]) => text);
    expect(texts.slice(texts.indexOf('Parts'))).toEqual(['Parts', 'Eau', '25,0', 'Air', '100,0']);
    const [, scale] = [...body.matchAll(/<w:gridCol w:w="(\d+)"/g)].map(([, width]) => Number(width));
    const [short, full] = [...body.matchAll(/<w:ind w:right="(\d+)"/g)].map(([, width]) => Number(width));
    expect(full).toBe(0);
    expect(short! / scale!).toBeGreaterThan(0.6);
  });

  it.each([
    ['markup', '<w:p>&amp;"\'</w:t> ]]> <script>', '<w:p>&amp;"\'</w:t>]]><script>'],
    ['control characters', 'a\u0000\u0001\u001f\ufffe\ud800b', 'a\ufffdb'],
    ['another direction', '\u202Eشركة الطاقة\u202C', 'شركةالطاقة'],
    ['300 characters', 'Ñ'.repeat(300), 'Ñ'.repeat(300)],
  ])('stands a company’s name of %s', async (_, name, shown) => {
    const frame = { ...sampleFrame, company: { ...sampleCompany, name }, title: name };
    const [report] = await sampleReports('fr', frame);
    const text = await readWord(await renderWord(cleanTexts(report!)));
    expect(squeezed(text)).toContain(shown);
  });

  it('makes links of pages only', async () => {
    const parts = await partsOf(
      reportOf([
        {
          type: 'sources',
          sources: [
            { text: 'une', url: 'https://a.example/?b=1&c="' },
            { text: 'deux', url: 'javascript:alert(1)' },
            { text: 'trois', url: null },
          ],
        },
      ]),
    );
    expect(parts['word/_rels/document.xml.rels']).toContain('Target="https://a.example/?b=1&amp;c=%22"');
    expect(Object.values(parts).join('')).not.toContain('javascript');
  });

  it('is whole without a block', async () => {
    expect(await readWord(await renderWord(reportOf([])))).toContain('Titre');
  });
});
