import { hasAny, hasMost, wordsOf } from './named-words.js';

function has(text: string, query: string): boolean {
  return hasAny(text, wordsOf(query));
}

describe('a text has the words of a query', () => {
  it.each([
    ['Les pénalités de retard', 'penalite'],
    ['Les pénalités de retard', 'PENALTIÉS'],
    ['Drivers must be 23', 'driver'],
    ['Drivers must be 23', 'older than 23'],
    ['The fire alarm', 'fire'],
    ['企業最高可貸三千萬元', '可貸多少'],
    ['a b c', 'c'],
    ['報價單由業務經理簽署', '报价单'],
    ['台北分公司的电话', '臺北'],
    ['EUR 1,234.50', '1234'],
    ['EUR 1,234.50', '1 234,50'],
    ['NT$1,234,567', '1234567'],
    ['the sum of 1234567', '1’234’567'],
    ['certified by ISO 14001:2015', 'ISO14001'],
    ['the form ab-1234', 'AB1234'],
    ['the form AB1234', 'ab 1234'],
  ])('%j those of %j', (text, query) => expect(has(text, query)).toBe(true));
});

describe('a text does not have the words of a query', () => {
  it.each([
    ['The telephone on the celebrated sign', 'xylophone zebra quasar'],
    ['The depot opens at seven.', 'penguins'],
    ['It was 2023.', '23'],
    ['企業最高可貸三千萬元', '珍珠奶茶'],
    ['NT$1,234,567', '7654321'],
    ['1,2345', '12345'],
    ['報價單', '电话'],
    ['', 'depot'],
    ['The depot', ''],
  ])('%j those of %j', (text, query) => expect(has(text, query)).toBe(false));
});

it.each([
  ['第17號店的租金：每月新臺幣47萬元', '十七號店租金', true],
  ['The rent of this store is 47', 'seventeenth store rent', true],
  ['本公司之規定', '公司午餐', false],
  ['本公司之規定', '公司的股票代號', false],
  ['The rent', 'rent', false],
])('%j has most of %j: %j', (text, query, expected) => expect(hasMost(text, wordsOf(query))).toBe(expected));
