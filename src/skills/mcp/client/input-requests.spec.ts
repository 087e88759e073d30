import { SkillError } from '../../skill.js';
import { elicitResultOf, requestsIn } from './input-requests.js';
import type { Elicitation } from './live-call.js';

const from = { server: 'travel', isLive: false };
const region = {
  type: 'object' as const,
  properties: { region: { type: 'string' as const, enum: ['west', 'east'] } },
};

function ask(params: object) {
  const inputRequests = { where: { method: 'elicitation/create' as const, params: params as Elicitation } };
  return requestsIn({ inputRequests, requestState: 'sealed' }, from);
}

describe('what a server wants to know first', () => {
  it('is a form, under the server’s name for it, with what it wants back', () => {
    expect(ask({ message: 'Where to?', requestedSchema: region })).toEqual([
      {
        ...from,
        name: 'where',
        state: 'sealed',
        message: 'Where to?',
        responseSchema: region,
        url: null,
      },
    ]);
  });

  it('may be nothing but that it is to go on, or a page to open', () => {
    const empty = { type: 'object', properties: {} };
    expect(ask({ message: 'Sure?', requestedSchema: empty })).toMatchObject([
      { responseSchema: null, url: null },
    ]);
    const page = { mode: 'url', message: 'Sign in', url: 'https://a.example/', elicitationId: '1' };
    expect(ask(page)).toMatchObject([
      { responseSchema: null, url: 'https://a.example/', message: 'Sign in' },
    ]);
  });

  it.each([
    ['a form within a form', { requestedSchema: { type: 'object', properties: { a: { type: 'object' } } } }],
    ['no form', {}],
    ['an address that nobody opens', { mode: 'url', url: 'javascript:alert(1)' }],
  ])('is told to the model where it is %s', (_, params) => {
    expect(() => ask({ message: 'So?', ...params })).toThrow(SkillError);
  });

  it('is told to the model where it is no question to a person, or none at all', () => {
    expect(() => requestsIn({ inputRequests: { a: { method: 'roots/list' } } }, from)).toThrow(SkillError);
    expect(() => requestsIn({ requestState: 'sealed' }, from)).toThrow(SkillError);
  });

  it('is given what the person has said, and no form where there was none', () => {
    const [form] = ask({ message: '', requestedSchema: region });
    const [page] = ask({ mode: 'url', message: '', url: 'https://a.example/' });
    expect(elicitResultOf({ request: form!, action: 'accept', content: { region: 'west' } })).toEqual({
      action: 'accept',
      content: { region: 'west' },
    });
    expect(elicitResultOf({ request: page!, action: 'accept', content: null })).toEqual({ action: 'accept' });
    expect(elicitResultOf({ request: form!, action: 'decline', content: null })).toEqual({
      action: 'decline',
    });
  });
});
