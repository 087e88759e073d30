import { elementOf } from '../xml/xml-reader.js';
import { chartBlocks } from './chart.js';

function points(values: readonly string[]): string {
  return values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('');
}
function numbers(format: string, values: readonly string[]): string {
  return `<c:numRef><c:numCache><c:formatCode>${format}</c:formatCode>${points(values)}</c:numCache></c:numRef>`;
}

/** The table of a chart with one series of two values. */
function tableOf(categories: string, values: string, more = ''): string {
  const xml =
    `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart">${more}<c:chart><c:plotArea><c:barChart>` +
    `<c:ser><c:cat>${categories}</c:cat><c:val>${values}</c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`;
  return chartBlocks(elementOf(Buffer.from(xml))!)
    .map(({ markdown }) => markdown)
    .join('\n\n')
    .split('\n')
    .slice(2)
    .join('\n');
}

describe('chartBlocks', () => {
  it.each([
    ['yyyy', ['44927', '45658'], '0.0%', ['0.125', '0.5'], '', '| 2023 | 12.5% |\n| 2025 | 50.0% |'],
    ['mmm-yy', ['43466', '43497'], '0 "t"', ['3', '-4'], '', '| 2019-01 | 3 t |\n| 2019-02 | -4 t |'],
    [
      'yyyy',
      ['43465', '43831'],
      'General',
      ['0.30000000000000004', '#N/A'],
      '<c:date1904 val="1"/>',
      '| 2023 | 0.3 |\n| 2024 | #N/A |',
    ],
  ])('shows numbers as the chart does: %s', (categoryFormat, categories, format, values, more, table) => {
    expect(tableOf(numbers(categoryFormat, categories), numbers(format, values), more)).toBe(table);
  });

  it('leaves words that look like numbers as they are', () => {
    const words = `<c:strRef><c:strCache>${points(['2022', 'T1'])}</c:strCache></c:strRef>`;
    expect(tableOf(words, numbers('0', ['1', '2']))).toBe('| 2022 | 1 |\n| T1 | 2 |');
  });
});
