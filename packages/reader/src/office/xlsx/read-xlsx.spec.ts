import { markdownOf, readAll, relationships, sheetXml, slideOf, xlsxOf } from '../fixtures.double.js';
import { readXlsx } from './read-xlsx.js';

function rowsOf(...rows: readonly string[]): string {
  return `<sheetData>${rows.map((cells, index) => `<row r="${index + 1}">${cells}</row>`).join('')}</sheetData>`;
}
function text(name: string, value: string): string {
  return `<c r="${name}" t="inlineStr"><is><t>${value}</t></is></c>`;
}
function number(name: string, value: number | string, style = 0): string {
  return `<c r="${name}" s="${style}"><v>${value}</v></c>`;
}

describe('readXlsx', () => {
  it('gives sheets as tables, with values as they are shown', async () => {
    const strings = sheetXml(
      'sst',
      '<si><t>Site</t></si><si><r><t>Dak</t></r><r><t>ar</t></r><rPh><t>x</t></rPh></si><si><t>能源_x000D_</t></si>',
    );
    const styles = sheetXml(
      'styleSheet',
      '<numFmts><numFmt numFmtId="164" formatCode="#,##0.0 &quot;kWh&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="164"/></cellXfs>',
    );
    const shared = (name: string, index: number): string => `<c r="${name}" t="s"><v>${index}</v></c>`;
    const sheet = rowsOf(
      shared('B1', 0) + text('C1', 'Fecha') + text('D1', 'Part | %') + text('E1', '用量'),
      shared('B2', 1) + number('C2', 45_077, 1) + number('D2', 0.125, 2) + number('E2', 1234.56, 3),
      shared('B3', 2) +
        '<c r="C3" t="b"><v>1</v></c><c r="D3" t="e"><v>#DIV/0!</v></c><c r="E3" t="str"><f>A1</f><v>calc</v></c>',
    );
    const file = xlsxOf(
      { Données: sheet, Vide: '<sheetData/>' },
      { 'xl/sharedStrings.xml': strings, 'xl/styles.xml': styles },
    );
    const { pages, summary } = await readAll(readXlsx, file);
    expect(pages).toEqual([
      {
        number: 1,
        markdown: [
          '# Données',
          '',
          '| Site | Fecha | Part \\| % | 用量 |',
          '| --- | --- | --- | --- |',
          '| Dakar | 2023-05-31 | 12.50% | 1234.6 kWh |',
          '| 能源 | TRUE | #DIV/0! | calc |',
        ].join('\n'),
      },
      { number: 2, markdown: '' },
    ]);
    expect(summary).toEqual({ pages: 2, warnings: [] });
  });

  it('keeps apart what stands above or below its line', async () => {
    const run = (text: string, align: string): string =>
      `<r><rPr><vertAlign val="${align}"/></rPr><t>${text}</t></r>`;
    const cell = `<c r="A1" t="inlineStr"><is><r><t>25</t></r>${run('3', 'superscript')}<r><t xml:space="preserve"> t CO</t></r>${run('2', 'subscript')}</is></c>`;
    const { pages } = await readAll(readXlsx, xlsxOf({ A: rowsOf(cell) }));
    expect(pages[0]?.markdown).toBe('# A\n\n25³ t CO₂');
  });

  it('knows titles above a table, tables that go on below an empty row, and labels over several rows', async () => {
    const sheet =
      '<sheetData>' +
      `<row r="1">${text('A1', 'Bilan 2023')}</row>` +
      `<row r="3">${text('A3', 'Site') + text('B3', 'Mois') + text('C3', 'kWh')}</row>` +
      `<row r="4">${text('A4', 'Dakar') + text('B4', 'Janvier') + number('C4', 1)}</row>` +
      `<row r="5">${text('B5', 'Février') + number('C5', 2)}</row>` +
      `<row r="7">${text('A7', 'Thiès') + text('B7', 'Mars') + number('C7', 3)}</row>` +
      `<row r="9">${text('A9', 'Poste') + text('B9', 'Scope')}</row>` +
      `<row r="10">${text('A10', 'Gaz') + number('B10', 1)}</row>` +
      '</sheetData><mergeCells count="1"><mergeCell ref="A4:A5"/></mergeCells>';
    const { pages } = await readAll(readXlsx, xlsxOf({ A: sheet }));
    expect(pages[0]?.markdown).toBe(
      [
        '# A',
        'Bilan 2023',
        '| Site | Mois | kWh |\n| --- | --- | --- |\n| Dakar | Janvier | 1 |\n| Dakar | Février | 2 |',
        '| Site | Mois | kWh |\n| --- | --- | --- |\n| Thiès | Mars | 3 |',
        '| Poste | Scope |\n| --- | --- |\n| Gaz | 1 |',
      ].join('\n\n'),
    );
  });

  it('names columns by the groups that stand above them', async () => {
    const sheet =
      '<sheetData>' +
      `<row r="1">${text('A1', 'Poste') + text('B1', '2022') + text('D1', '2023')}</row>` +
      `<row r="2">${['B', 'C', 'D', 'E'].map((column, index) => text(`${column}2`, index % 2 === 0 ? 'Brut' : 'Net')).join('')}</row>` +
      `<row r="3">${text('A3', 'Paie') + ['B', 'C', 'D', 'E'].map((column, index) => number(`${column}3`, index)).join('')}</row>` +
      '</sheetData><mergeCells count="3"><mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/><mergeCell ref="D1:E1"/></mergeCells>';
    expect(await markdownOf(readXlsx, xlsxOf({ A: sheet }))).toBe(
      '# A\n\n| Poste | 2022 / Brut | 2022 / Net | 2023 / Brut | 2023 / Net |\n| --- | --- | --- | --- | --- |\n| Paie | 0 | 1 | 2 | 3 |',
    );
  });

  it('repeats the header above every piece of a long sheet and keeps each row once', async () => {
    const rows = Array.from(
      { length: 3_000 },
      (_, index) => text(`A${index + 2}`, `ligne ${index}`) + number(`B${index + 2}`, index),
    );
    const file = xlsxOf({ Long: rowsOf(text('A1', 'Nom') + text('B1', 'Valeur'), ...rows) });
    const { pages, summary } = await readAll(readXlsx, file);
    expect(pages.length).toBeGreaterThan(1);
    expect(
      pages.every(({ number: page, markdown }) => page === 1 && markdown.includes('| Nom | Valeur |')),
    ).toBe(true);
    const found = pages.flatMap(({ markdown }) => markdown.match(/^\| ligne \d+ \| \d+ \|$/gm) ?? []);
    expect(found).toEqual(rows.map((_, index) => `| ligne ${index} | ${index} |`));
    expect(summary.pages).toBe(1);
  });

  it('holds on where a sheet is huge and nearly empty', async () => {
    const corners = `<row r="1">${text('A1', 'ici')}</row><row r="1048576">${text('XFD1048576', 'là')}</row>`;
    const wide = Array.from({ length: 300 }, (_, index) => {
      const column =
        String.fromCharCode(65 + Math.floor(index / 26)) + String.fromCharCode(65 + (index % 26));
      return `<row r="${index + 1}">${text(`${column}${index + 1}`, `d${index}`) + number(`XFD${index + 1}`, index)}</row>`;
    });
    const file = xlsxOf({
      Coins: `<sheetData>${corners}</sheetData>`,
      Diagonale: `<sheetData>${wide.join('')}</sheetData>`,
    });
    const { pages } = await readAll(readXlsx, file);
    expect(pages[0]?.markdown).toBe('# Coins\n\nici\n\nlà');
    expect(pages[1]?.markdown).toContain('d299; 299');
    expect(pages[1]?.markdown.length).toBeLessThan(20_000);
  });

  it('says what it read besides, and what was lost', async () => {
    const file = xlsxOf(
      {
        A: rowsOf('<c r="A1"><f>SUM(B1)</f></c><c r="B1" t="s"><v>7</v></c>'),
        B: rowsOf(text('A1', 'secret')),
      },
      {
        'xl/workbook.xml': sheetXml(
          'workbook',
          '<sheets><sheet name="A" sheetId="1" r:id="s1"/><sheet name="B" sheetId="2" state="veryHidden" r:id="s2"/><sheet name="C" sheetId="3" r:id="s3"/></sheets>',
        ),
      },
    );
    const { pages, summary } = await readAll(readXlsx, file);
    expect(pages.map(({ markdown }) => markdown)).toEqual(['', '# B\n\nsecret', '']);
    expect(summary).toEqual({
      pages: 3,
      warnings: [
        '1 formula without a saved result left out: open the file in a spreadsheet program, save it and upload it again.',
        'The text of 1 cell is missing in the file.',
        '1 hidden sheet read like the others.',
        'The sheet “C” is missing or damaged in the file.',
      ],
    });
  });

  it('says how many comments there are on a sheet', async () => {
    const comments = sheetXml(
      'comments',
      '<commentList><comment ref="A1"><text><t>b</t></text></comment><comment ref="A2"/></commentList>',
    );
    const file = xlsxOf(
      { A: rowsOf(text('A1', 'a')) },
      {
        'xl/worksheets/_rels/sheet1.xml.rels': relationships({ c: ['comments', '../comments1.xml'] }),
        'xl/comments1.xml': comments,
      },
    );
    const { pages, summary } = await readAll(readXlsx, file);
    expect(pages[0]?.markdown).toBe('# A\n\na');
    expect(summary.warnings).toEqual(['2 comments left out: comments are not read.']);
  });

  it('reads the charts and text boxes of a sheet', async () => {
    const chart =
      '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Émissions</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>tCO2</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>2022</c:v></c:pt><c:pt idx="1"><c:v>2023</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>0.30000000000000004</c:v></c:pt><c:pt idx="1"><c:v>2</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>';
    const file = xlsxOf(
      { A: rowsOf(text('A1', 'x')) },
      {
        'xl/worksheets/_rels/sheet1.xml.rels': relationships({ d: ['drawing', '../drawings/drawing1.xml'] }),
        'xl/drawings/drawing1.xml': slideOf('x', '<a:p><a:r><a:t>Note</a:t></a:r></a:p><c:chart r:id="c"/>'),
        'xl/drawings/_rels/drawing1.xml.rels': relationships({ c: ['chart', '../charts/chart1.xml'] }),
        'xl/charts/chart1.xml': chart,
      },
    );
    const { pages } = await readAll(readXlsx, file);
    expect(pages[0]?.markdown).toBe(
      '# A\n\nx\n\nNote\n\nChart: Émissions\n\n|  | tCO2 |\n| --- | --- |\n| 2022 | 0.3 |\n| 2023 | 2 |',
    );
  });
});
