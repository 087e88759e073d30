import { tableHead } from './table-head.js';
import { cellLine } from './text.js';
import { tablePieces } from './table.js';

describe('what names the columns of a table', () => {
  const years = ['Poste', '2022', '', '2023', ''];
  const spans = [[1, 2, 1, 2, 1]];

  it('has groups of columns before their names, above every piece', () => {
    const rows = [
      years,
      ['', 'Volume', 'Coût', 'Volume', 'Coût'],
      ['Eau (m³)', '18 400', '7 360', '16 950', '7'],
    ];
    expect(tablePieces(rows, spans)).toEqual([
      '| Poste | 2022 / Volume | 2022 / Coût | 2023 / Volume | 2023 / Coût |\n| --- | --- | --- | --- | --- |\n| Eau (m³) | 18 400 | 7 360 | 16 950 | 7 |',
    ]);
  });

  it('leaves a title of the whole table above it', () => {
    const rows = [
      ['Échéancier', '', ''],
      ['Lot', 'T3', 'T4'],
      ['Lot 1', '1', '2'],
    ];
    expect(tablePieces(rows, [[3]])).toEqual([
      'Échéancier',
      '| Lot | T3 | T4 |\n| --- | --- | --- |\n| Lot 1 | 1 | 2 |',
    ]);
  });

  it.each([
    ['amounts', ['', '18 400', '7 360 €', '16 950', '7 %']],
    ['a label of its own', ['Eau', 'oui', 'non', 'oui', 'non']],
    ['one name for both', ['', 'Volume', '', 'Volume', '']],
  ])('takes %s below a group for a row of the table', (_, below) => {
    expect(tableHead([years, below, ['x', '1', '2', '3', '4']], spans)).toMatchObject({
      rows: 1,
      names: years,
    });
  });

  it('keeps the only rows as such', () => {
    expect(tableHead([years, ['', 'a', 'b', 'c', 'd']], spans)).toMatchObject({ rows: 1 });
    expect(tableHead([['Titre', '', '']], [[3]])).toMatchObject({ titles: 0, rows: 1 });
    expect(tableHead([], [])).toMatchObject({ titles: 0, rows: 0 });
  });
});

describe('cellLine', () => {
  it.each([
    ['2 500\n300', '2 500; 300'],
    ['2 500 \n\n 300 t', '2 500; 300 t'],
    ['12 rue\nDakar', '12 rue Dakar'],
    ['2\u202f500 300', '2 500 300'],
  ])('gives %j as %j', (text, line) => {
    expect(cellLine(text)).toBe(line);
  });
});
