import { describe, expect, it } from '@jest/globals';

import { completionRequest } from '../server/protocol.js';
import { think } from '../think.js';

const tool = (name: string, description: string) => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties: {} } },
});
const profile = tool('get_company_profile', "Returns the company's profile.");
const remember = tool('remember', 'Keeps something in mind for later conversations.');

const said = (content: string, tools: readonly object[]): string => {
  const messages = [{ role: 'user', content }];
  const reply = think(completionRequest.parse({ model: 'm', stream: true, messages, tools }));
  return 'text' in reply ? reply.text : 'a call';
};

describe('what is said to somebody who only tells of themselves', () => {
  it.each([
    [
      "J'ai rendez-vous avec Paul Mbaye demain à 15 h.",
      "C'est entendu. Pour que je m'en souvienne, dites « retiens que … ».",
    ],
    ['I am meeting Paul at three tomorrow.', 'Understood. To have me remember it, say “remember that …”.'],
  ])('is that it was heard, and how to have it kept: %s', (content, answer) => {
    expect(said(content, [profile, remember])).toContain(answer);
  });

  it('is what can be done, where nothing can be kept', () => {
    expect(said("J'ai rendez-vous avec Paul Mbaye demain.", [profile])).toContain('Je ne sais pas répondre');
  });

  it('is no answer to a question', () => {
    const asked = said('Le mont Fuji est-il un volcan ?', [profile, remember]);
    expect(asked).toContain('Je ne sais pas répondre');
  });
});
