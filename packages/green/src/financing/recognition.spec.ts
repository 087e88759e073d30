import { francsPerEuro, inCurrency } from './money.js';
import { purposes, sectors } from './financing-data.js';
import { countsAs, purposesIn, sectorsIn } from './recognition.js';

describe('a sector in words', () => {
  it.each([
    ['agroalimentaire', ['agro-industry']],
    ['Transformation de mangues séchées', ['agro-industry']],
    ['Élevage et maraîchage', ['agriculture']],
    ['Hôtellerie', ['hotels']],
    ['construcción', ['construction']],
    ['BTP', ['construction']],
    ['Énergie solaire', ['energy']],
    ['Fintech', ['financial-services']],
    ['food processing', ['agro-industry']],
    ['太陽能', ['energy']],
    ['農產加工', ['agro-industry', 'agriculture']],
    ['real estate', ['real-estate']],
    ['xyz', []],
    ['', []],
  ])('«%s»', (text, expected) => {
    expect(sectorsIn(text).toSorted()).toEqual([...expected].toSorted());
  });

  it.each(sectors)('%s is read from its own name', (sector) => {
    expect(sectorsIn(sector)).toEqual([sector]);
  });

  it('counts as the whole that it is part of, and not the reverse', () => {
    expect(countsAs('agro-industry', 'industry')).toBe(true);
    expect(countsAs('industry', 'agro-industry')).toBe(false);
  });
});

describe('a need in words', () => {
  it.each([
    ['Panneaux solaires sur le toit de l’usine', ['renewable-energy']],
    ['éclairage LED', ['energy-efficiency']],
    ['solar irrigation pumps', ['renewable-energy', 'water', 'climate-adaptation']],
    ['tratar residuos', ['waste-circular']],
    ['節能設備', ['energy-efficiency']],
    ['reboisement', ['forestry']],
    ['fonds de roulement', ['sme-finance']],
    ['projet porté par des femmes', ['gender']],
    ['un nouveau logo', []],
  ])('«%s»', (text, expected) => {
    expect(purposesIn(text).toSorted()).toEqual([...expected].toSorted());
  });

  it.each(purposes)('%s is read from its own name', (purpose) => {
    expect(purposesIn(purpose)).toEqual([purpose]);
  });
});

describe('money', () => {
  it.each([
    [655_957, 'XOF', 'EUR', 1000],
    [1000, 'EUR', 'XAF', 655_957],
    [500, 'XOF', 'XAF', 500],
    [7, 'USD', 'USD', 7],
  ])('%d %s in %s is %d', (value, currency, wanted, expected) => {
    expect(inCurrency({ value, currency }, wanted)).toBeCloseTo(expected, 9);
  });

  it.each([
    ['USD', 'EUR'],
    ['XOF', 'USD'],
    ['MAD', 'EUR'],
    ['constructor', 'EUR'],
  ])('%s is not turned into %s', (currency, wanted) => {
    expect(inCurrency({ value: 1, currency }, wanted)).toBeNull();
  });

  it('has the parity of the law', () => {
    expect(francsPerEuro).toBe(655.957);
  });
});
