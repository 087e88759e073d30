import { nameMatcher } from './names-in-question.js';

describe('a name in a question', () => {
  it.each([
    ['When did Nadia resign?', 'Nadia', true],
    ['When did nadia resign?', 'Nadia Berger', true],
    ['Où Hélène va-t-elle ?', 'Helene', true],
    ['志明的房子月租多少？', '志明', true],
    ['张伟说了什么？', '張偉', true],
    ['Where is Banana Street?', 'Ana', false],
    ['Is it on or off?', 'On', false],
    ['志明的房子月租多少？', '怡君', false],
    ['Who?', '', false],
  ])('%j holds %j: %s', (question, name, isThere) => expect(nameMatcher(question)(name)).toBe(isThere));
});
