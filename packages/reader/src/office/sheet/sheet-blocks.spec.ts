import { sheetBlocks, type SheetRow } from './sheet-blocks.js';

type Cell = string | number | null;

const DATE = /^\d{4}-\d\d-\d\d$/;

/** A row for each list of cells; an empty list leaves one out. */
function rowsOf(rows: readonly (readonly Cell[])[]): SheetRow[] {
  return rows.map((cells, index) => ({
    index,
    cells: cells.flatMap((cell, column) =>
      cell === null
        ? []
        : [{ column, text: String(cell), isValue: typeof cell === 'number' || DATE.test(cell) }],
    ),
  }));
}

function blocksOf(...rows: readonly (readonly Cell[])[]): string[] {
  return [...sheetBlocks(rowsOf(rows))].map(({ markdown }) => markdown);
}

function headOf(block: string | undefined): string | undefined {
  return block?.split('\n')[0];
}

const sites: readonly (readonly Cell[])[] = [
  ['Site', 'Mois', 'kWh', 'EUR'],
  ['Dakar', 'Mars', 5, 6],
];

describe('a table on a sheet', () => {
  it('goes on below an empty row', () => {
    const blocks = blocksOf(...sites, [], ['Thiès', 'Avril', 7], [], ['Thiès', 'Mai', 2024]);
    expect(blocks.map(headOf)).toEqual(Array.from({ length: 3 }, () => '| Site | Mois | kWh | EUR |'));
  });

  it.each([
    ['dates', ['Tâche', 'Début', 'Fin'], ['Rapport', '2024-05-01', '2024-05-09']],
    ['one number like a year', ['Article', 'Nombre'], ['Boulons', 2000]],
    ['years in no order of a header', ['Article', 'Avant', 'Après'], ['Boulons', 2000, 2000]],
  ])('goes on below an empty row with %s', (_, header, row) => {
    const blocks = blocksOf(header, ['Vis', 3, 4].slice(0, header.length), [], row);
    expect(headOf(blocks.at(-1))).toBe(`| ${header.join(' | ')} |`);
  });

  it('goes on below a title although one of its rows is wider', () => {
    const blocks = blocksOf(['Poste', 'T1', 'T2'], ['Gaz', 1, 2, 'estimé'], [], ['Eau'], ['Puits', 3, 4]);
    expect(headOf(blocks.at(-1))).toMatch(/^\| Poste \| T1 \| T2 \|/);
  });

  it('goes on below the title of a group of its rows', () => {
    const blocks = blocksOf(['Poste', 2022, 2023], ['Gaz', 1, 2], [], ['Eau'], ['Puits', 3, 4]);
    expect(blocks.slice(1)).toEqual([
      'Eau',
      '| Poste | 2022 | 2023 |\n| --- | --- | --- |\n| Puits | 3 | 4 |',
    ]);
  });

  it.each([
    ['years', ['Poste', 2022, 2023]],
    ['dates', ['Poste', '2022-12-31', '2023-12-31']],
    ['years after several names', ['Poste', 'Unité', 2022, 2023]],
  ])('has a header of its own with %s', (_, header) => {
    expect(headOf(blocksOf(...sites, [], header, ['Gaz', 1, 2]).at(-1))).toBe(`| ${header.join(' | ')} |`);
  });

  it.each([
    ['above it', [['Eau'], ['Mois', 1, 2], ['Dakar', 5, 6]]],
    ['that stands alone', [['Eau'], [], ['Mois', 1, 2], ['Dakar', 5, 6]]],
  ])('has a header of its own below a title %s', (_, rows) => {
    expect(blocksOf(...sites, [], ...rows).slice(1)).toEqual([
      'Eau',
      '| Mois | 1 | 2 |\n| --- | --- | --- |\n| Dakar | 5 | 6 |',
    ]);
  });
});
