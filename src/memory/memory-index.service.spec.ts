import { textOf } from './memory-index.service.js';

describe('the indexed text of a memory', () => {
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
