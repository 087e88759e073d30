import type { JsonObject } from '@palabre/json';

import { forgottenTexts } from './forgotten-memories.service.js';

function memory(
  subject: string,
  content: string,
  attributes: JsonObject = {},
): { subject: string; content: string; attributes: JsonObject } {
  return { subject, content, attributes };
}

describe('forgottenTexts', () => {
  it('is its content everywhere, and its subject where memories stand', () => {
    expect(forgottenTexts([memory('Tea', 'prefers green tea')])).toEqual({
      texts: ['prefers green tea'],
      shortTexts: ['Tea'],
    });
  });

  it('is a content that anybody may say only where memories stand', () => {
    expect(forgottenTexts([memory('Language', 'French')])).toEqual({
      texts: [],
      shortTexts: ['Language', 'French'],
    });
  });

  it('is what its attributes say: sentences and e-mail addresses everywhere, phrases where memories stand', () => {
    const attributes = {
      email: 'a@x.org',
      notes: 'only to be called in the morning',
      company: 'Nord',
      aliases: ['Jo'],
      phone: 5550123,
      floor: 3,
      vip: true,
      gone: null,
    };
    expect(forgottenTexts([memory('Joan', 'the accountant', attributes)])).toEqual({
      texts: ['only to be called in the morning', 'the accountant', 'a@x.org'],
      shortTexts: ['5550123', 'Joan', 'Nord', 'Jo'],
    });
  });

  it('is that of all versions, what holds others before them', () => {
    const { texts } = forgottenTexts([memory('Tea', 'green tea'), memory('Tea', 'green tea with milk')]);
    expect(texts).toEqual(['green tea with milk', 'green tea']);
  });
});
