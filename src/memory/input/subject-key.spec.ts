import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { subjectKeyOf } from './subject-key.js';

describe('the key of a subject', () => {
  it.each([
    ['Élodie Côté', 'elodie  COTE'],
    ['Réunion', 'Re\u0301union'],
    ['Łódź Øst', 'lodz ost'],
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'Strasse'],
    ['Işık', 'IŞIK'],
    ['İstanbul', 'istanbul'],
    ['ΟΔΟΣ', 'οδος'],
    ['Ｐａｌａｂｒｅ', 'palabre'],
    ['L’équipe', "l'equipe"],
    ['王\u3000小明', '王 小明'],
    [' a\n\tb ', 'a b'],
    ['αΣ\ufeffb', 'ας b'],
  ])('is the same for %j and %j', (one, other) => {
    expect(subjectKeyOf(one)).toBe(subjectKeyOf(other));
  });

  it.each([
    ['Marc', 'Marc D.'],
    ['Marc D', 'Marc-D'],
    ['कि', 'की'],
    ['か', 'が'],
    ['ni', 'nij'],
    ['☕', '🍵'],
  ])('is another one for %j and %j', (one, other) => {
    expect(subjectKeyOf(one)).not.toBe(subjectKeyOf(other));
  });

  it('of a key is itself, so that it can be stored', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (subject) => {
        const key = subjectKeyOf(subject);
        expect(subjectKeyOf(key)).toBe(key);
      }),
      { examples: [['αΣ\ufeffb']] },
    );
  });
});
