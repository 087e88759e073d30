import { cleanTexts } from './clean-text.js';
import { esgReport } from './content/esg-content.js';
import {
  readPdf,
  reportLanguages,
  reportOf,
  sampleCompany,
  sampleEsg,
  sampleFrame,
  sampleReports,
  squeezed,
} from './fixtures.double.js';
import { renderPdf } from './pdf.js';
import type { Block, Report } from './report.js';

async function read(report: Report) {
  const rendered = await renderPdf(cleanTexts(report));
  const pages = await readPdf(rendered);
  expect(pages).toHaveLength(rendered.pages ?? 0);
  return { pages, text: squeezed(pages.join('')), bytes: Buffer.from(rendered.content) };
}

describe('a PDF', () => {
  it.each(reportLanguages)('has pages, its fonts, and what the report says, in %s', async (language) => {
    for (const report of await sampleReports(language)) {
      const { pages, text, bytes } = await read(report);
      expect(pages.length).toBeGreaterThan(1);
      const fonts = [...bytes.toString('latin1').matchAll(/\/FontName \/(\S+)/g)].map(([, name]) => name);
      expect(fonts.length).toBeGreaterThan(1);
      // The file has only the used part of a font.
      for (const font of fonts) expect(font).toMatch(/^[A-Z]{6}\+/);
      const headings = report.blocks.flatMap((block) =>
        block.type === 'heading' ? [squeezed(block.text)] : [],
      );
      expect(headings.filter((heading) => !text.includes(heading))).toEqual([]);
      expect(text).not.toContain('\ufffd');
    }
  });

  it('repeats the head of a table on every page, and keeps all rows', async () => {
    const rows = Array.from({ length: 120 }, (_, index) => [`ligne ${index}.`, 'x']);
    const columns = [
      { title: 'Tête', weight: 3 },
      { title: '', weight: 1, isNumber: true },
    ];
    const { pages, text } = await read(reportOf([{ type: 'table', columns, rows, total: ['Somme'] }]));
    expect(pages.length).toBeGreaterThan(3);
    expect(text.split('Tête')).toHaveLength(pages.length + 1);
    for (const [first = ''] of rows) expect(text).toContain(squeezed(first));
    expect(text).toContain('Somme');
  });

  it('cuts a row that is taller than a page, and loses nothing of it', async () => {
    const words = Array.from({ length: 2500 }, (_, index) => `m${index}`);
    const columns = [
      { title: 'T', weight: 1 },
      { title: 'U', weight: 1 },
    ];
    const { pages, text } = await read(reportOf([{ type: 'table', columns, rows: [[words.join(' '), '']] }]));
    expect(pages.length).toBeGreaterThan(2);
    expect(words.filter((word) => !text.includes(word))).toEqual([]);
  });

  it.each([
    ['markup', '<w:p>&amp;"\'</w:t> ]]> (\\) %'],
    ['control characters', 'a\u0000\u0001\u001f\ufffe\ud800b'],
    ['another direction', '\u202Eشركة الطاقة\u202C'],
    ['300 characters', 'Ñ'.repeat(300)],
    ['rare characters', '堃䶮龘 Ωμέγα Вода ₂ 🌱'],
  ])('stands a company’s name of %s', async (_, name) => {
    const frame = { ...sampleFrame, company: { ...sampleCompany, name }, title: name };
    const [report] = await sampleReports('fr', frame);
    expect((await read(report!)).pages.length).toBeGreaterThan(2);
  });

  it('shows characters in the font that has them, and that one is missing', async () => {
    const { text } = await read(reportOf([{ type: 'paragraph', text: 'CO₂ 碳足跡，Ωμέγα Вода œuvre 𝐀 ش' }]));
    expect(text).toMatch(/CO₂碳足跡，ΩμέγαВодаœuvreA\ufffd/);
  });

  it.each([22, 24, 25, 26, 27, 28, 29, 30])(
    'keeps a heading below %i lines on the page of its table, and of its list',
    async (lines) => {
      const paragraphs = Array.from({ length: lines }, (): Block => ({ type: 'paragraph', text: 'Ligne.' }));
      const columns = [{ title: 'Tête', weight: 1 }];
      const table: Block = { type: 'table', columns, rows: [['un'], ['deux']] };
      const list: Block = { type: 'list', items: ['un'] };
      for (const below of [table, list]) {
        const headings: Block[] = [
          { type: 'heading', level: 1, text: 'Grand' },
          { type: 'heading', level: 2, text: 'Petit' },
        ];
        const { pages } = await read(reportOf([...paragraphs, ...headings, below]));
        const pageOf = (text: string) => pages.findIndex((page) => squeezed(page).includes(text));
        expect([pageOf('Petit'), pageOf('un')]).toEqual([pageOf('Grand'), pageOf('Grand')]);
      }
    },
  );

  it('has two pages for a company that has answered a third of the ESG questions', async () => {
    const answers = { E01: 2, E02: 15, E03: 1, E06: 2, E07: 1, S01: 88, S02: true, S04: 0, S08: 24 };
    const esg = await sampleEsg('fr', { answers: { ...answers, S10: 1, G01: 2, G02: false, G07: 1 } });
    const { pages } = await read(esgReport(esg, sampleFrame));
    expect(pages).toHaveLength(2);
  });

  it('is whole without a block, with empty ones, and with a chart of nothing', async () => {
    const blocks: Block[] = [
      { type: 'paragraph', text: '' },
      { type: 'list', items: [] },
      { type: 'facts', facts: [] },
      { type: 'figures', figures: [] },
      { type: 'table', columns: [{ title: '', weight: 1 }], rows: [] },
      { type: 'chart', title: 'x', chart: { maximum: null, values: [] } },
      {
        type: 'chart',
        title: 'y',
        chart: { maximum: null, values: [{ label: 'a', value: 0, text: '0' }] },
      },
      { type: 'sources', sources: [] },
    ];
    expect((await read(reportOf([]))).pages).toHaveLength(1);
    expect((await read(reportOf(blocks))).pages).toHaveLength(1);
  });
});
