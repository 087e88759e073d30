import { describe, expect, it } from '@jest/globals';
import { strFromU8, unzipSync } from 'fflate';

import { cleanTexts } from '../clean-text.js';
import { reportLanguages, sampleCompany, sampleFrame, sampleReports } from '../fixtures.js';
import type { Block, Report } from '../report.js';
import { renderDocx } from './docx-report.js';

const partsOf = (report: Report): Record<string, string> =>
  Object.fromEntries(
    Object.entries(unzipSync(renderDocx(report).content)).map(([name, bytes]) => [name, strFromU8(bytes)]),
  );

/** Every element that is opened is closed, and no character is loose. */
const expectWellFormed = (xml: string): void => {
  const open: string[] = [];
  const rest = xml
    .replace(/^<\?xml [^>]*\?>\n/, '')
    .replaceAll(/<(\/?)([\w:]+)([^<>]*?)(\/?)>/g, (_, end, name, given, isEmpty) => {
      expect(given).toMatch(/^( [\w:]+="[^"<>]*")*$/);
      if (end) expect(open.pop()).toBe(name);
      else if (!isEmpty) open.push(String(name));
      return '';
    });
  expect(open).toEqual([]);
  expect(rest).not.toMatch(
    /[<>]|&(?!(amp|lt|gt|quot|apos);)|[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u,
  );
};

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

const hostile = {
  markup: '<w:p>&amp;"\'</w:t> ]]> <script>',
  controls: 'a\u0000\u0001\u001f\ufffe\ud800b',
  rightToLeft: '\u202Eشركة الطاقة\u202C',
  long: 'Ñ'.repeat(300),
};

describe('a Word document', () => {
  it.each(reportLanguages)('has all its parts and what it says, in %s', async (language) => {
    for (const report of await sampleReports(language)) {
      const parts = partsOf(report);
      for (const xml of Object.values(parts)) expectWellFormed(xml);
      const targets = [
        ...(parts['word/_rels/document.xml.rels'] ?? '').matchAll(/Target="([^"]+)"( TargetMode)?/g),
      ]
        .filter(([, , external]) => external === undefined)
        .map(([, target]) => `word/${target}`);
      expect(Object.keys(parts)).toEqual(expect.arrayContaining(targets));
      expect(targets.some((target) => target.includes('chart'))).toBe(true);
      const document = parts['word/document.xml'] ?? '';
      const styles = [...document.matchAll(/w:pStyle w:val="(\w+)"/g)].map(([, style]) => style);
      const defined = parts['word/styles.xml'] ?? '';
      expect(styles.filter((style) => !defined.includes(`w:styleId="${style}"`))).toEqual([]);
      const text = document.replaceAll('&amp;', '&');
      const headings = report.blocks.flatMap((block) => (block.type === 'heading' ? [block.text] : []));
      expect(headings.filter((heading) => !text.includes(heading))).toEqual([]);
      expect(parts['word/styles.xml']).toContain(`w:val="${language}"`);
    }
  });

  it('repeats the head of a table and numbers its pages', () => {
    const parts = partsOf(
      reportOf([
        { type: 'table', columns: [{ title: 'A', weight: 1 }], rows: [['un'], ['']], total: ['somme'] },
      ]),
    );
    expect(parts['word/document.xml']?.match(/<w:tblHeader\/>/g)).toHaveLength(1);
    expect(parts['word/footer1.xml']).toMatch(/Page .*PAGE .* sur .*NUMPAGES /);
  });

  it('has the values of its charts, and a word for whoever does not see them', () => {
    const parts = partsOf(
      reportOf([
        {
          type: 'chart',
          title: 'Parts',
          chart: { kind: 'bars', maximum: 100, values: [{ label: 'Eau', value: 41.6, text: '41,6' }] },
        },
        { type: 'chart', title: 'Rien', chart: { kind: 'parts', maximum: null, values: [] } },
      ]),
    );
    expect(parts['word/charts/chart1.xml']).toContain('<c:v>41.6</c:v>');
    expect(parts['word/charts/chart2.xml']).toBeUndefined();
    expect(parts['word/document.xml']).toContain('descr="Parts. Eau: 41,6"');
  });

  it.each(Object.entries(hostile))('stands a company’s name of %s', async (_, name) => {
    const [report] = await sampleReports('fr', {
      ...sampleFrame,
      company: { ...sampleCompany, name },
      title: name,
    });
    for (const xml of Object.values(partsOf(cleanTexts(report!)))) expectWellFormed(xml);
  });

  it('makes links of pages only', () => {
    const parts = partsOf(
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

  it('is whole without a block', () => {
    for (const xml of Object.values(partsOf(reportOf([])))) expectWellFormed(xml);
  });
});
