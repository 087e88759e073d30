import { questionQuery } from './retrieval-skills.js';

function query(question: string, ...before: string[]): string {
  return questionQuery({
    question,
    history: before.flatMap((text) => [
      { role: 'user' as const, text },
      { role: 'assistant' as const, text: 'Réponse.' },
    ]),
  });
}

describe('what is searched for when the model does not say', () => {
  it.each([
    ['Quelles étaient nos émissions directes en 2022 ?', 'Et pour 2023 ?'],
    ['How much did the flights of 2022 cost us?', 'And in Madrid?'],
    ['¿Cuánto gastamos en electricidad en 2022?', '¿Y en 2023?'],
    ['第一年的溫室氣體排放量是多少公噸？', '那第二年呢？'],
  ])('is %j as well when %j goes on from it', (before, now) => {
    expect(query(now, before)).toBe(`${before} ${now}`);
  });

  it('goes back to the last question that stands by itself', () => {
    const first = 'Quelles étaient nos émissions directes en 2022 ?';
    expect(query('Et en 2024 ?', first, 'Et pour 2023 ?')).toBe(`${first} Et en 2024 ?`);
  });

  it('goes back over short questions that name nothing', () => {
    expect(query('那押金呢？', '五號店租金多少？', '為什麼？')).toBe('五號店租金多少？ 那押金呢？');
    expect(query('And the deposit?', 'Rent of store five?', 'Why?')).toBe(
      'Rent of store five? And the deposit?',
    );
  });

  it.each([
    'Quel est le délai de remboursement des notes de frais ?',
    'What does the travel policy say about trains?',
    '國內出差可以搭乘飛機嗎？需要附上什麼說明？',
  ])('is %j alone when it stands by itself', (question) => {
    expect(query(question, 'Quelles étaient nos émissions directes en 2022 ?')).toBe(question);
    expect(query(question)).toBe(question);
  });

  it('is one line of at most 1,000 characters', () => {
    const before = `${'Quelles émissions\n'.repeat(200)}?`;
    expect(query('Et\n2023 ?', before)).toMatch(/^Quelles émissions .{300,}… Et 2023 \?$/u);
    expect(query('mot '.repeat(1_000)).length).toBeLessThanOrEqual(1_000);
  });
});
