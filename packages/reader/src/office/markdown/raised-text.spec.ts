import fc from 'fast-check';

import { atHeight } from './raised-text.js';

describe('words above or below their line', () => {
  it.each([
    ['6', '⁶'],
    ['-12', '⁻¹²'],
    ['\u22123', '⁻³'],
    ['(n+1)', '⁽ⁿ⁺¹⁾'],
    [' 2 ', ' ² '],
    ['x', '^x'],
    ['ab', '^(ab)'],
    ['1,2', '^(1,2)'],
    ['2/3', '^(2/3)'],
    ['$&', '$&'],
    ['th', 'th'],
    ['ème', 'ème'],
    ['TM', 'TM'],
    ['*', '*'],
    ['[4]', '[4]'],
    ['[^4]', '[^4]'],
    ['a whole sentence that is set small', 'a whole sentence that is set small'],
    ['', ''],
    [' ', ' '],
  ])('%j raised is %j', (text, shown) => {
    expect(atHeight(text, 'raised')).toBe(shown);
    expect(atHeight(text, null)).toBe(text);
  });

  it.each([
    ['2', '₂'],
    ['10', '₁₀'],
    ['eq', 'eq'],
    ['t-1', 't-1'],
  ])('%j lowered is %j', (text, shown) => {
    expect(atHeight(text, 'lowered')).toBe(shown);
  });

  it('are the same words in compatible forms', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[0-9+=()in]{1,30}$/),
        fc.constantFrom('raised', 'lowered'),
        (text, height) => {
          expect(atHeight(text, height).normalize('NFKC')).toBe(text);
        },
      ),
    );
  });
});
