import { parseDuration } from './duration.js';

describe('parseDuration', () => {
  it.each([
    ['30s', 30],
    ['15m', 900],
    ['1h', 3600],
    ['7d', 604_800],
    ['365d', 31_536_000],
    ['8760h', 31_536_000],
  ])('reads %s', (text, seconds) => expect(parseDuration(text)).toBe(seconds));

  it.each([
    '',
    '0s',
    '1',
    'h',
    '1w',
    '-1h',
    '1.5h',
    '1h30m',
    ' 1h',
    '1 h',
    '1H',
    '366d',
    '8761h',
    '999999999d',
    '١h',
  ])('refuses «%s»', (text) => expect(parseDuration(text)).toBeNull());
});
