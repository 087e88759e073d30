import { describe, expect, it } from '@jest/globals';

import { textOf } from './memory-text.js';

describe('what a memory is found by', () => {
  it('is its subject, its content and what its attributes say', () => {
    expect(
      textOf({
        subject: 'Marc',
        content: 'Our accountant.',
        attributes: { email: 'marc@diop.example', aliases: ['M. Diop', 'MD'], since: 2019, vip: true },
      }).split('\n'),
    ).toEqual(['Marc', 'Our accountant.', 'marc@diop.example', 'M. Diop', 'MD', '2019']);
  });
});
