import { describe, expect, it } from '@jest/globals';

import { Subject } from '../reading/words/likeness.js';
import { bestSentences, ended } from './best-sentences.js';

const best = (question: string, text: string): string[] =>
  bestSentences(new Subject(question), question, { title: 'a.md', text }, 1).map((each) => each.text);

const table = `| 年度 | 用電量（度） | 用水量（噸） |
| --- | --- | --- |
| 111 | 19,200,000 | 118,050 |
| 112 | 20,000,000 | 115,700 |`;
const french = `| Site | Électricité (kWh) | Eau (m³) |
|---|---:|---:|
| Dakar | 84 000 | 1 200 |
| Thiès | 51 000 | 900 |`;

describe('what a text says to a question', () => {
  it.each([
    ['111 年用水量是多少？', table, '年度 111 – 用電量（度） 19,200,000 – 用水量（噸） 118,050'],
    ['2023年用電量多少度？', table, '年度 112 – 用電量（度） 20,000,000 – 用水量（噸） 115,700'],
    [
      'Quelle est la consommation d’électricité de Thiès ?',
      french,
      'Site Thiès – Électricité (kWh) 51 000 – Eau (m³) 900',
    ],
  ])('is the row of a table, with the names of its columns: %j', (question, text, expected) => {
    expect(best(question, text)).toEqual([expected]);
  });

  it.each([
    [
      '範疇三排放量是多少？',
      '範疇一排放量為4,120公噸，範疇二排放量為9,876公噸。範疇三尚未盤查。',
      '範疇三尚未盤查。',
    ],
    [
      'What are the scope 3 emissions?',
      'Scope 1 emissions are 412 tonnes and scope 2 emissions 95 tonnes. Scope 3 emissions were not assessed.',
      'Scope 3 emissions were not assessed.',
    ],
  ])('is about the number that is asked for: %j', (question, text, expected) => {
    expect(best(question, text)).toEqual([expected]);
  });

  it('ends with the full stop of its language', () => {
    expect(['分機 120', '住宿費（每晚）', 'Extension 120'].map(ended)).toEqual([
      '分機 120。',
      '住宿費（每晚）。',
      'Extension 120.',
    ]);
  });
});
