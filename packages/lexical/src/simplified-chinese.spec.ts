import { asSimplified, simplifiedPairs, traditionalFormsOf } from './simplified-chinese.js';

describe('Chinese as it is written simplified', () => {
  it.each([
    ['臺北與台北的會議', '台北与台北的会议'],
    ['頭髮發裏裡麵乾後', '头发发里里面干后'],
    ['對帳單、账户、帐户、賬戶', '对账单、账户、账户、账户'],
    ['看著，答覆', '看着，答复'],
    ['Bilan 2024 カナ', 'Bilan 2024 カナ'],
  ])('%j is %j', (text, simplified) => expect(asSimplified(text)).toBe(simplified));

  it('is the same the second time', () => {
    for (const [traditional, simplified] of simplifiedPairs) {
      const once = asSimplified(`${traditional}${simplified}`);
      expect(asSimplified(once)).toBe(once);
    }
  });
});

describe('the traditional forms of a character', () => {
  it.each([
    ['发', '發髮'],
    ['后', '後后'],
    ['里', '里裡裏'],
    ['台', '台臺檯颱枱'],
    ['干', '干幹乾榦'],
    ['面', '面麵麪'],
    ['裡', '裡裏'],
    ['帐', '帳帐賬'],
    ['山', '山'],
    ['x', 'x'],
  ])('of %s are %s', (character, forms) =>
    expect(traditionalFormsOf(character).toSorted()).toEqual([...forms].toSorted()),
  );
});

it('every common character that was simplified has its pair once', () => {
  expect(simplifiedPairs.length).toBeGreaterThan(2_000);
  expect(new Set(simplifiedPairs.map(([, simplified]) => simplified)).size).toBe(simplifiedPairs.length);
  // These are as common in traditional texts, and say nothing about the script.
  for (const character of '台里面干只系') {
    expect(simplifiedPairs.map(([, simplified]) => simplified)).not.toContain(character);
  }
});
