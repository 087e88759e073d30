import fc from 'fast-check';

import { lastSentence, maxQuote, quoteIn, withPlainFigures } from './quotes.js';

const passage =
  'Le présent rapport couvre l’année 2023. Les émissions directes s’élèvent à 412 tonnes. ' +
  'La flotte de camions en représente 61 %. Les achats d’électricité ajoutent 95 tonnes. Le siège compte 40 salariés.';
const rules = '第二十條 國內出差每日膳雜費新臺幣八百元整，住宿費上限新臺幣三千元。自2025年1月1日起施行。';
const report =
  '本報告書涵蓋 2023 年度。範疇一排放量為 412 公噸二氧化碳當量。其中車隊占 61%。範疇二排放量為 95 公噸。總公司員工 40 人。';

function quoteFor(text: string, claims: string[]): string {
  const { quote, start } = quoteIn(text, claims);
  expect(text.startsWith(quote, start)).toBe(true);
  return quote;
}

describe('quoteIn', () => {
  it.each([
    [passage, 'L’électricité achetée ajoute 95 tonnes', 'Les achats d’électricité ajoutent 95 tonnes.'],
    [passage, 'Quarante personnes : 40 salariés au siège', 'Le siège compte 40 salariés.'],
    [rules, '膳雜費是八百元（2025年）', rules],
    [
      rules,
      '2025年的住宿費上限為三千元',
      '第二十條 國內出差每日膳雜費新臺幣八百元整，住宿費上限新臺幣三千元。',
    ],
    [rules, '自 2025 年 1 月 1 日起施行', '自2025年1月1日起施行。'],
    [report, '車隊占 61%', '其中車隊占 61%。'],
    [report, '範疇二共 95 公噸', '範疇二排放量為 95 公噸。'],
  ])('in %j finds what %j goes back to', (text, claim, quote) => {
    expect(quoteFor(text, [claim])).toBe(quote);
  });

  describe('of a contract', () => {
    const contract =
      '第一條　租賃期間：自中華民國１１３年４月１日起，共三年。\n第三條　租金：每月新臺幣貳拾伍萬元整，於每月五日前匯入甲方指定帳戶。\n' +
      '第四條　押租金：新臺幣伍拾萬元整。\n營業收入新臺幣12億3,456萬元。\n員工人數為1,234人。';
    it.each([
      ['租金二十五萬元', '第三條　租金：每月新臺幣貳拾伍萬元整，於每月五日前匯入甲方指定帳戶。'],
      [
        'The rent is NT$250,000 a month',
        '第三條　租金：每月新臺幣貳拾伍萬元整，於每月五日前匯入甲方指定帳戶。',
      ],
      ['自113年4月1日起', '第一條　租賃期間：自中華民國１１３年４月１日起，共三年。'],
      ['营业收入为12亿3456万元', '營業收入新臺幣12億3,456萬元。'],
      ['1 234 salariés', '員工人數為1,234人。'],
    ])('finds what %j goes back to, in whatever figures and characters', (claim, quote) => {
      expect(quoteFor(contract, [claim])).toBe(quote);
    });
  });

  it('takes sentences that stand together when the claim speaks of both', () => {
    expect(
      quoteFor(passage, ['Les émissions directes sont de 412 tonnes, dont la flotte de camions 61 %']),
    ).toBe('Les émissions directes s’élèvent à 412 tonnes. La flotte de camions en représente 61 %.');
  });

  it.each([
    ['112 年用電量為 20,000,000 度', '| 112 | 20,000,000 | 115,700 |'],
    ['民國111年的用水量是 118,050 噸', '| 111 | 19,200,000 | 118,050 |'],
    ['年度 110 – 用電量（度） 18,500,000', '| 110 | 18,500,000 | 120,300 |'],
  ])('takes the row of a table, not the names of its columns, for %j', (claim, row) => {
    const rows = [
      '| 110 | 18,500,000 | 120,300 |',
      '| 111 | 19,200,000 | 118,050 |',
      '| 112 | 20,000,000 | 115,700 |',
    ];
    const table = [
      '用電與用水如下表。',
      '',
      '| 年度 | 用電量（度） | 用水量（噸） |',
      '| --- | --- | --- |',
      ...rows,
    ];
    expect(quoteFor(table.join('\n'), [claim])).toBe(row);
  });

  describe('of claims that are all taken from the passage', () => {
    const domestic = '國內出差住宿費每晚上限 4,500 元。';
    const japan = '國外出差：日本每晚上限 6,000 元。';
    const between = '膳雜費每日 500 元。';

    it('takes what holds them all', () => {
      const text = `員工手冊\n第二章 差旅\n${domestic}${between}${japan}搭乘高鐵以標準車廂為限。`;
      expect(quoteFor(text, [japan, domestic])).toBe(`${domestic}${between}${japan}`);
    });

    it('takes the first, where that would be too long', () => {
      const text = `${domestic}${between.repeat(40)}${japan}`;
      expect(quoteFor(text, [japan, domestic])).toBe(japan);
      expect(quoteFor(text, [domestic, japan])).toBe(domestic);
    });
  });

  it('takes the claim that is closest, of several', () => {
    expect(quoteFor(passage, ['Rien de tel.', 'La flotte en représente 61 %.'])).toBe(
      'La flotte de camions en représente 61 %.',
    );
  });

  it('takes the beginning, as much as it may, when nothing is like the claim', () => {
    expect(quoteFor(passage, [])).toBe(passage);
    const long = `${passage} ${passage}`;
    const beginning = quoteFor(long, ['排放量']);
    expect(long.startsWith(beginning)).toBe(true);
    expect(beginning.length).toBeGreaterThan(200);
    expect(quoteFor(' \n ', ['x'])).toBe('');
  });

  it('takes the first words below the headings when nobody has claimed anything yet', () => {
    const consumption = 'Le site de Thiès a consommé 84 000 kWh en 2025.';
    expect(quoteFor(`# Rapport\n\n## Énergie\n\n${consumption}\n\n## Eau\n\nRien.`, [])).toBe(consumption);
    expect(quoteFor('# Rapport\n\n## Énergie', [])).toBe('# Rapport\n\n## Énergie');
  });

  it('takes words of the passage, never too many, and no half character', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '. ',
        '。',
        '\n',
        '\n\n## Titre\n\n',
        ' ',
        'mot ',
        '排放量',
        '😀',
        '412 tonnes',
        'x'.repeat(400),
        '😀'.repeat(200),
      ),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
    );
    const text = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.string({ maxLength: 50 }), { maxLength: 3 }), (any, claims) => {
        const quote = quoteFor(any, claims);
        expect(any).toContain(quote);
        expect(quote.length).toBeLessThanOrEqual(maxQuote);
        expect(quote.isWellFormed() || !any.isWellFormed()).toBe(true);
        expect(quote === '').toBe(any.trim() === '');
      }),
      { numRuns: 200 },
    );
  });
});

describe('lastSentence', () => {
  it.each([
    ['It was so. Then it was 42.', 'Then it was 42.'],
    ['It was so. Then it was 42. ', 'Then it was 42.'],
    ['- One\n- Two', '- Two'],
    ['範疇一為 412 公噸。其中車隊占 61%', '其中車隊占 61%'],
    ['', ''],
  ])('of %j is %j', (text, last) => {
    expect(lastSentence(text)).toBe(last);
  });
});

describe('figures in plain digits', () => {
  describe('figures in plain digits', () => {
    it.each([
      ['1,234 人、84 000 kWh', '1234 人、84000 kWh'],
      ['贰拾伍万元整', '250000元整'],
      ['每月25 万元', '每月250000元'],
      ['12亿3,456万元', '1234560000元'],
      ['2,000 万度', '20000000度'],
      ['62万、3.5万', '620000、35000'],
      ['三千元、八千五百元、十四日', '3000元、8500元、14日'],
      ['一般规定三日', '一般规定三日'],
      ['2023 412 tonnes, 1.5 %', '2023 412 tonnes, 1.5 %'],
      ['五万', '50000'],
    ])('%j is %j', (text, plain) => {
      expect(withPlainFigures(text)).toBe(plain);
    });
  });
});
