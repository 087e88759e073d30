import { ReadingLimit } from './reading-limit.js';

it('leaves out what no database takes, and keeps words apart', () => {
  const page = { number: 1, markdown: 'a\0b\vc\fd\x1fe\ud800' };
  expect(new ReadingLimit().take(page)).toEqual({ number: 1, markdown: 'ab c de\ufffd' });
});
