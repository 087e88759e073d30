import { cleanText } from './clean-text.js';

it.each([
  ['\ufe97\ufed8\ufeae\ufef3\ufeae', 'تقرير'],
  ['\ufefb', 'لا'],
  ['\u2f42', '文'],
  ['a\u0001\ufeff', 'a\ufffd'],
])('gives %j as people write it', (text, written) => {
  expect(cleanText(text)).toBe(written);
});
