import { saidPauseMs } from './said-pause.js';

describe('the pause that an error asks for in its words', () => {
  it.each([
    ['Rate limit reached. Please try again in 4.35s. Need more tokens?', 4350],
    ['Please try again in 6ms.', 6],
    ['Please try again in 1m2.5s.', 62_500],
    ['Please try again in 2h3m', 7_380_000],
    ['Please retry in 20.339s.', 20_339],
    ['Please retry after 10 seconds.', 10_000],
    ['Try again in 5 minutes', 300_000],
    ['{"retryDelay":"22s"}', 22_000],
    [JSON.stringify({ raw: JSON.stringify({ retryDelay: '1.5s' }) }), 1500],
  ])('is read from %j: %s', (words, pauseMs) => {
    expect(saidPauseMs(words)).toBe(pauseMs);
  });

  it.each(['Please try again later.', 'Try again in a while', 'Retry in 3 semesters', 'in 4s', ''])(
    'is not read from %j',
    (words) => {
      expect(saidPauseMs(words)).toBeUndefined();
    },
  );
});
