import { packRemark, packRemarkCodes } from '@palabre/skill-pack';

import { descriptionIn, nameIn, packRemarkIn } from './skill-names.js';
import { callableOf, readsOwn, type Skill, unavailabilityOf } from './skill.js';

function skill(key: string, names?: Record<string, string>): Skill {
  return {
    key,
    name: 'In English',
    ...(names && { names }),
    description: 'A skill.',
    parameters: { type: 'object' },
    idempotent: true,
    timeoutMs: 1000,
    effect: readsOwn,
    run: async () => null,
  };
}

describe('what people call a skill', () => {
  it('is in the catalogue for the skills of the product', () => {
    const recall = callableOf('FUNCTION', skill('recall'));
    expect(nameIn(recall, 'fr-CA')).toBe('Consultation de la mémoire');
    expect(nameIn(recall, 'zh-Hant')).toBe('查閱記憶');
  });

  it('comes with it for all others', () => {
    const brought = callableOf('FUNCTION', skill('audit', { fr: 'Audit', zh: '稽核' }));
    expect(['fr', 'zh-TW', 'es', 'constructor'].map((language) => nameIn(brought, language))).toEqual([
      'Audit',
      '稽核',
      'In English',
      'In English',
    ]);
    // An endpoint of a company may be called like one of the product's.
    expect(nameIn(callableOf('HTTP', skill('recall')), 'fr')).toBe('In English');
  });
});

describe('what people are told of a skill', () => {
  it('is in their language for the skills of the product', () => {
    const search = callableOf('FUNCTION', skill('retrieve_documents'));
    expect(descriptionIn(search, 'fr')).toContain('Trouve dans vos documents');
    expect(descriptionIn(search, 'en')).toContain('Finds the passages');
    expect(unavailabilityOf(null, 'es')).toContain('Ya no existe');
  });

  it('comes with it for all others, in English where their language has none, or is what models read', () => {
    const brought = { ...skill('audit'), descriptions: { fr: 'Audite.' } };
    const audit = callableOf('FUNCTION', brought);
    expect(['fr-CA', 'es'].map((language) => descriptionIn(audit, language))).toEqual([
      'Audite.',
      'A skill.',
    ]);
    const english = callableOf('FUNCTION', {
      ...skill('audit'),
      descriptions: { en: 'Audits.', fr: 'Audite.' },
    });
    expect(['fr', 'de', 'en-GB'].map((language) => descriptionIn(english, language))).toEqual([
      'Audite.',
      'Audits.',
      'Audits.',
    ]);
  });

  it('is all that is odd about a pack', () => {
    const values = {
      key: 'a',
      keys: 'a',
      name: 'a',
      folder: 'b',
      spare: 'a',
      file: 'b',
      path: 'a',
      most: '1',
      text: 'a',
    };
    for (const code of packRemarkCodes)
      expect(packRemarkIn(packRemark(code, values), 'fr')).not.toMatch(/[{}]/);
  });
});
