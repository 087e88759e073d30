import { nearestEffort } from './chat-model.js';

describe('the nearest effort that a model knows', () => {
  it.each([
    ['high', ['low', 'medium', 'high'], 'high'],
    ['max', ['low', 'medium', 'high'], 'high'],
    ['minimal', ['none', 'low', 'high'], 'none'],
    ['none', ['low', 'high'], 'low'],
    ['medium', ['none', 'high'], 'none'],
    ['medium', [], undefined],
    ['medium', null, 'medium'],
  ] as const)('is for %s, of %j, %s', (wanted, known, nearest) => {
    expect(nearestEffort(wanted, known)).toBe(nearest);
  });
});
