import { receiveEvent } from './received-event.js';

const base = { turnId: 't', sequence: 1, at: '2026-01-02T03:04:05.000Z' };

describe('receiveEvent', () => {
  it('understands an event of the contract', () => {
    const raw = { __typename: 'TextDelta', ...base, text: 'Bonjour' };
    expect(receiveEvent(raw)).toEqual({ sequence: 1, raw, event: raw });
  });

  it('takes an event of an unknown kind as it is', () => {
    const raw = { __typename: 'MoodChanged', ...base, mood: 'calm' };
    expect(receiveEvent(raw)).toEqual({ sequence: 1, raw, event: null });
  });

  it.each([
    ['nothing', null],
    ['no kind', base],
    ['no sequence', { __typename: 'TextDelta', turnId: 't', at: base.at, text: 'x' }],
    ['a sequence before the first', { __typename: 'TextDelta', ...base, sequence: 0, text: 'x' }],
    ['a known kind without its fields', { __typename: 'TextDelta', ...base }],
  ])('refuses %s', (_what, value) => expect(() => receiveEvent(value)).toThrow('expected'));
});
