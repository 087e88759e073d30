import fc from 'fast-check';

import { garbledShare } from './garbled.js';

it.each([
  ['Les émissions ont été réduites — à l’énergie solaire.', 0],
  ['公司今年的碳排放量比去年下降了百分之十二。', 0],
  ['A\u00b0 B\u00a9 « c » ÂGE Ã', 0],
  ['', 0],
  [' \n', 0],
  ['\ufffd\ufffd', 1],
  ['\ue001\ue002', 1],
  ['\u0003\u0004ab', 0.5],
])('of %j is %d', (text, share) => {
  expect(garbledShare(text)).toBe(share);
});

it('is noted where a text was saved in the wrong encoding', () => {
  const wrong = Buffer.from('Les émissions ont été réduites à l’énergie').toString('latin1');
  expect(garbledShare(wrong)).toBeGreaterThan(0.2);
});

it('is a share of any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const share = garbledShare(text);
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(1);
    }),
  );
});
