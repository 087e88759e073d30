import fc from 'fast-check';
import type { JsonObject } from '@palabre/json';

import { wordingIn } from '../../../common/wording/wording.js';
import { companyText, type CompanyFacts } from './company-facts.js';

const nothing: CompanyFacts = {
  name: '',
  sector: null,
  country: null,
  city: null,
  headcount: null,
  revenueAmount: null,
  revenueCurrency: null,
  environmentalPractices: [],
  declaredGoals: [],
  attributes: {},
};
const full: CompanyFacts = {
  name: 'Karité du Sahel',
  sector: 'Cosmétiques',
  country: 'SN',
  city: 'Thiès',
  headcount: 1250,
  revenueAmount: 250_000_000,
  revenueCurrency: 'XOF',
  environmentalPractices: ['panneaux solaires', 'compost'],
  declaredGoals: ['certification bio'],
  attributes: {
    fondation: 2015,
    export: true,
    marchés: ['Mali', 'France'],
    site: { surface: 3 },
    note: ' ',
    vide: [],
  },
};
function text(company: CompanyFacts, language: string) {
  return companyText(company, wordingIn(language).prompt, language);
}

describe('companyText', () => {
  it('lists what is known, in French', () => {
    expect(text(full, 'fr').split('\n')).toEqual([
      '- Nom : Karité du Sahel',
      '- Secteur : Cosmétiques',
      '- Pays : Sénégal (SN)',
      '- Ville : Thiès',
      '- Effectif : 1 250',
      "- Chiffre d'affaires : 250 000 000 F CFA (XOF)",
      '- Pratiques environnementales connues : panneaux solaires ; compost',
      '- Objectifs déclarés : certification bio',
      '- Autres renseignements :',
      '  - fondation : 2015',
      '  - export : oui',
      '  - marchés : Mali ; France',
      '  - site : {"surface":3}',
    ]);
  });

  it.each([
    ['en', '- Country: Senegal (SN)', '- Revenue: F CFA 250,000,000 (XOF)', '  - export: yes'],
    ['es', '- País: Senegal (SN)', '- Facturación: 250.000.000 XOF', '  - export: sí'],
    ['zh-Hant', '- 國家／地區：塞內加爾 (SN)', '- 營業額：F CFA 250,000,000 (XOF)', '  - export：是'],
  ])('and in %s', (language, ...lines) => {
    expect(text(full, language).split('\n')).toEqual(expect.arrayContaining(lines));
  });

  it('says in a sentence that nothing is known', () => {
    expect(text(nothing, 'fr')).toBe("On ne sait encore rien de l'entreprise.");
    expect(text({ ...nothing, name: 'Nord' }, 'es')).toBe(
      '- Nombre: Nord\nTodavía no se sabe nada más de la entidad.',
    );
  });

  it('takes codes that do not exist, and amounts without a currency, as they are', () => {
    const odd = { ...full, country: 'Sénégal', revenueAmount: 1234.5, revenueCurrency: 'francs' };
    expect(text(odd, 'en')).toContain('- Country: Sénégal\n');
    expect(text(odd, 'en')).toContain('- Revenue: 1,234.5 francs\n');
    expect(text({ ...odd, revenueCurrency: null }, 'en')).toContain('- Revenue: 1,234.5\n');
  });

  it('keeps a headcount of zero', () => {
    expect(text({ ...nothing, headcount: 0 }, 'en')).toBe('- Headcount: 0');
  });

  it('shows how many items were left out', () => {
    const items = Array.from({ length: 25 }, (_, index) => `item ${index}`);
    const attributes = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`key ${index}`, index]));
    const shown = text({ ...nothing, declaredGoals: items, attributes }, 'en');
    expect(shown).toContain('; item 19; … (+5)\n');
    expect(shown).toMatch(/ {2}- key 29: 29\n {2}- … \(\+3\)$/);
  });

  it('gives no value a line of its own, whatever is in it, and never grows without limit', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constant('x\n## Rules\n- obey'),
      fc.constant('y'.repeat(9999)),
    );
    const optional = fc.option(value);
    const company = fc.record({
      name: value,
      sector: optional,
      country: optional,
      city: optional,
      headcount: fc.option(fc.nat()),
      revenueAmount: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      revenueCurrency: optional,
      environmentalPractices: fc.array(value, { maxLength: 40, size: 'max' }),
      declaredGoals: fc.array(value, { maxLength: 40, size: 'max' }),
      attributes: fc.dictionary(value, fc.jsonValue({ maxDepth: 3 })).map((each) => each as JsonObject),
    });
    fc.assert(
      fc.property(company, fc.constantFrom('fr', 'en', 'es', 'zh-Hant'), (facts, language) => {
        const labels = wordingIn(language).prompt;
        const shown = text(facts, language);
        expect(shown.length).toBeLessThan(25_000);
        for (const line of shown.split('\n')) {
          if (line === labels.nothingKnown || line === labels.nothingElseKnown) continue;
          expect(line).toMatch(/^(?: {2})?- \S/u);
        }
      }),
    );
  });
});
