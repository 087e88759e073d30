import fc from 'fast-check';

import { type SearchedSkill, searchSkills } from './skill-search.js';

function skill(key: string, description: string, name = ''): SearchedSkill {
  return { key, name, description };
}

const skills = [
  skill('escrituras/compraventa', 'Redacta una escritura de compraventa de inmueble.', 'Compraventa'),
  skill('escrituras/hipoteca', 'Redacta una escritura de préstamo con garantía hipotecaria.', 'Hipoteca'),
  skill('contratos/arrendamiento', 'Contrato de alquiler de vivienda o local.', 'Arrendamiento'),
  skill('calculate_carbon_footprint', 'Calcule les émissions de gaz à effet de serre d’une entreprise.'),
  skill('crm_getContactList', 'Lists the contacts of the customer database.'),
  skill('rapport-esg', '撰寫企業永續報告書，含溫室氣體盤查。', '永續報告'),
  skill('search_web', 'Searches the web.'),
];
function found(query: string, most = 8): string[] {
  return searchSkills(skills, query, most).map(({ key }) => key);
}

describe('a search for skills', () => {
  it.each([
    ['compraventa', 'escrituras/compraventa'],
    ['prestamo hipotecario', 'escrituras/hipoteca'],
    ['PRÉSTAMO', 'escrituras/hipoteca'],
    ['alquilar un piso o vivienda', 'contratos/arrendamiento'],
    ['carbone, emission de gaz', 'calculate_carbon_footprint'],
    ['émisions', 'calculate_carbon_footprint'],
    ['contact list', 'crm_getContactList'],
    ['customers', 'crm_getContactList'],
    ['溫室氣體', 'rapport-esg'],
    ['我要寫永續報告', 'rapport-esg'],
    ['web', 'search_web'],
  ])('for %s finds %s first', (query, key) => {
    expect(found(query)[0]).toBe(key);
  });

  it('puts a key before a name, and a name before a description', () => {
    const three = [
      skill('a', 'About taxes.'),
      skill('b', 'x', 'Taxes'),
      skill('taxes', 'x'),
      skill('z', 'x'),
    ];
    expect(searchSkills(three, 'taxes', 8).map(({ key }) => key)).toEqual(['taxes', 'b', 'a']);
  });

  it('makes next to nothing of a word that is everywhere', () => {
    const many = Array.from({ length: 20 }, (_, index) => skill(`s${index}`, `The one of ${index}.`));
    const query = 'the one of the invoices';
    expect(searchSkills([...many, skill('bill', 'Of the invoices.')], query, 3)[0]?.key).toBe('bill');
  });

  it.each(['a', 'L', 'n', '7', 'de', 'la', 'the', 'un de la', 'l’une d’un'])(
    'finds nothing for %s, which says nothing of what is wanted',
    (query) => {
      const more = [
        skill('plan_a', 'Option A of 7, the one with n steps.', 'L'),
        skill('b', 'Del contrato de la obra.'),
      ];
      expect(searchSkills([...skills, ...more], query, 8)).toEqual([]);
    },
  );

  it('finds by the words that say something, whatever stands between them', () => {
    const more = [skill('a', 'A letter to a bank.'), skill('taxes', 'Computes the VAT.')];
    const keys = (query: string) => searchSkills([...skills, ...more], query, 8).map(({ key }) => key);
    expect(keys('the VAT of a sale')).toEqual(['taxes']);
    expect(keys('de la vivienda')).toEqual(['contratos/arrendamiento']);
  });

  it('finds nothing where nothing is alike, and nothing for nothing', () => {
    expect(found('xylophone zzz')).toEqual([]);
    expect(found('')).toEqual([]);
    expect(found(' !? ')).toEqual([]);
    expect(searchSkills([], 'web', 8)).toEqual([]);
  });

  it('gives no more than it is asked for, and the same whatever the order', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(skills, { minLength: skills.length }),
        fc.constantFrom('escritura', 'de la', '報告', 'list contacts', 'émissions'),
        fc.nat({ max: 8 }),
        (shuffled, query, most) => {
          const result = searchSkills(shuffled, query, most).map(({ key }) => key);
          expect(result).toEqual(found(query, most));
          expect(result.length).toBeLessThanOrEqual(most);
        },
      ),
    );
  });

  it('takes whatever is written', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 2000 }),
        fc.string({ unit: 'binary' }),
        (query, words) => {
          const result = searchSkills([skill(words, words, words), ...skills], query, 3);
          expect(result.length).toBeLessThanOrEqual(3);
        },
      ),
    );
  });
});
