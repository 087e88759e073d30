import { otherSpellingsOf } from './han-spellings.js';

describe('the other spellings of a term', () => {
  it.each([
    ['会议', ['會議']],
    ['會議', ['会议']],
    ['头发', ['頭發', '頭髮']],
    ['臺北', ['台北']],
    ['台北', ['臺北', '檯北', '颱北', '枱北']],
    ['面包', ['麵包', '麪包']],
    ['裡', ['里', '裏']],
    ['山水', []],
    ['bila', []],
    ['=bilan', []],
    ['탄소', []],
    ['データ', []],
  ])('%s are %j', (term, spellings) =>
    expect(otherSpellingsOf(term).toSorted()).toEqual(spellings.toSorted()),
  );
});
