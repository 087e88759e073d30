import { contentWordsOf } from './stop-words.js';

describe('the telling words of a question', () => {
  it.each([
    ['When did Nadia sign up for the pottery class?', 'nadia sign pottery class'],
    ['What is the car insurance about?', 'car insurance'],
    ['Quand l’atelier a-t-il été visité ?', 'atelier visite'],
    ['Qu’est-ce que tu sais de la voiture ?', 'voiture'],
    ['¿Cuándo abrió la panadería?', 'abrio panaderia'],
    ['怡君的貓叫什麼名字？', '怡君 貓叫 名字'],
    ['报价单谁签署？', '报价单 签署'],
    ['你们这个价格后来呢？', '价格'],
    ['', ''],
  ])('of %j are %j', (question, telling) => expect(contentWordsOf(question)).toBe(telling));

  it.each(['What was that?', '他是誰？', '?!'])(
    'are all of them where there are no others, as in %j',
    (question) => expect(contentWordsOf(question)).toBe(question),
  );
});
