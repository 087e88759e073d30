import { nameIn } from './skill-names.js';
import { callableOf, readsOwn, type Skill } from './skill.js';

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
