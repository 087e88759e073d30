import fc from 'fast-check';

import { datesIn } from './dates-in-question.js';

/** A Thursday. */
const NOW = new Date('2024-05-16T15:00:00Z');

function shown(question: string, now = NOW): string[] {
  return datesIn(question, now).map(({ from, to }) => {
    const last = new Date(to.getTime() - 1);
    const [first, end] = [from, last].map((day) => day.toISOString().slice(0, 10));
    return first === end ? `${first}` : `${first}..${end}`;
  });
}

describe('the days that a question names', () => {
  it.each<[string, string[]]>([
    // Days.
    ['What happened on 2023-05-08?', ['2023-05-08']],
    ['What happened on 8 May 2023?', ['2023-05-08']],
    ['What happened on May 8th, 2023?', ['2023-05-08']],
    ['What did we say on the 3rd of March?', ['2024-03-03']],
    ['What did we say on December 24?', ['2023-12-24']],
    ['Que s’est-il passé le 8 mai 2023 ?', ['2023-05-08']],
    ['Et le 1er août ?', ['2023-08-01']],
    ['¿Qué pasó el 8 de mayo de 2023?', ['2023-05-08']],
    ['2023年5月8日發生了什麼事？', ['2023-05-08']],
    ['五月八日我們說了什麼？', ['2024-05-08']],
    ['Et le 03/04/2024 ?', ['2024-04-03', '2024-03-04']],
    // Days of the week.
    ['What did we decide on Tuesday?', ['2024-05-14']],
    ['What did we decide on Thursday?', ['2024-05-09', '2024-05-16']],
    ['Qu’avons-nous décidé mardi dernier ?', ['2024-05-14', '2024-05-07']],
    ['¿Qué dijimos el miércoles pasado?', ['2024-05-15', '2024-05-08']],
    ['上週二我們決定了什麼？', ['2024-05-07']],
    ['星期二我們決定了什麼？', ['2024-05-14']],
    // Days, weeks, months and years ago.
    ['What did I tell you yesterday?', ['2024-05-15']],
    ['Hier, tu disais quoi ?', ['2024-05-15']],
    ['Et avant-hier ?', ['2024-05-14']],
    ['¿Qué hablamos ayer?', ['2024-05-15']],
    ['昨天我說了什麼？', ['2024-05-15']],
    ['What was it three days ago?', ['2024-05-13']],
    ['C’était quoi, il y a deux semaines ?', ['2024-04-29..2024-05-05']],
    ['¿Qué pasó hace dos meses?', ['2024-03-01..2024-03-31']],
    ['兩年前我在做什麼？', ['2022-01-01..2022-12-31']],
    ['十二天前呢？', ['2024-05-03..2024-05-05']],
    ['And last week?', ['2024-05-06..2024-05-12']],
    ['La semaine dernière ?', ['2024-05-06..2024-05-12']],
    ['上個星期說了什麼？', ['2024-05-06..2024-05-12']],
    ['¿Y el mes pasado?', ['2024-04-01..2024-04-30']],
    ['上個月呢？', ['2024-04-01..2024-04-30']],
    ['L’année dernière ?', ['2023-01-01..2023-12-31']],
    ['去年呢？', ['2023-01-01..2023-12-31']],
    // Months and years.
    ['What did Nadia do in May 2023?', ['2023-05-01..2023-05-31']],
    ['What did Nadia do in September?', ['2023-09-01..2023-09-30']],
    ['Qu’a-t-elle fait en février ?', ['2024-02-01..2024-02-29']],
    ['¿Qué hizo en mayo de 2023?', ['2023-05-01..2023-05-31']],
    ['2023年9月怎麼了？', ['2023-09-01..2023-09-30']],
    ['What did she read in 2022?', ['2022-01-01..2022-12-31']],
    ['Que lisait-elle en 2022 ?', ['2022-01-01..2022-12-31']],
  ])('%s', (question, ranges) => expect(shown(question)).toEqual(ranges));

  it.each([
    'Who may march with us?',
    'Combien coûtent 2000 vis ?',
    'On 31 February',
    'What is the price of the lamp?',
    '¿Cuánto cuesta la lámpara?',
    '燈多少錢？',
  ])('are none in %j', (question) => expect(shown(question)).toEqual([]));

  it('are the last month’s, in a month that is shorter', () => {
    expect(shown('last month', new Date('2024-03-31T10:00:00Z'))).toEqual(['2024-02-01..2024-02-29']);
  });

  it('are whole days in their order, whatever is asked', () => {
    const parts = fc.constantFrom(
      ...'last,il y a,hace,上,週,三,月,8,31,2023,May,mardi,week,前,/, '.split(','),
    );
    const questions = fc.oneof(
      fc.array(parts, { maxLength: 12 }).map((all) => all.join(' ')),
      fc.string({ unit: 'binary', maxLength: 200 }),
    );
    fc.assert(
      fc.property(questions, (question) => {
        for (const { from, to } of datesIn(question, NOW)) {
          expect(from.getTime() % 86_400_000).toBe(0);
          expect(to.getTime()).toBeGreaterThan(from.getTime());
        }
      }),
    );
  });
});
