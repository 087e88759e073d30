import { hasAny, wordsOf } from './named-words.js';

const has = (text: string, query: string): boolean => hasAny(text, wordsOf(query));

describe('a text has the words of a query', () => {
  it.each([
    ['Les pénalités de retard', 'penalite'],
    ['Les pénalités de retard', 'PENALTIÉS'],
    ['Drivers must be 23', 'driver'],
    ['Drivers must be 23', 'older than 23'],
    ['The fire alarm', 'fire'],
    ['企業最高可貸三千萬元', '可貸多少'],
    ['a b c', 'c'],
  ])('%j those of %j', (text, query) => expect(has(text, query)).toBe(true));
});

describe('a text does not have the words of a query', () => {
  it.each([
    ['The telephone on the celebrated sign', 'xylophone zebra quasar'],
    ['The depot opens at seven.', 'penguins'],
    ['It was 2023.', '23'],
    ['企業最高可貸三千萬元', '珍珠奶茶'],
    ['', 'depot'],
    ['The depot', ''],
  ])('%j those of %j', (text, query) => expect(has(text, query)).toBe(false));
});
