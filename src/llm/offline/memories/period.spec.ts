import { describe, expect, it } from '@jest/globals';
import { fold } from '../reading/words/fold.js';
import { periodIn, todayIn } from './period.js';

describe('the day that a prompt says it is', () => {
  it.each([
    'Tu assistes Awa. Date : jeudi 7 mai 2026.',
    'Tu parles avec Awa. Nous sommes le jeudi 7 mai 2026.',
    'Atiendes a Ana. Fecha: jueves, 7 de mayo de 2026.',
    'Today is Thursday, May 7, 2026.',
    '對象：小明。今天是 2026年5月7日 星期四。',
  ])('«%s»', (prompt) => {
    expect(todayIn(prompt)).toBe('2026-05-07');
  });

  it('is not known of a prompt that does not say it', () => {
    expect(todayIn('Le contrat date de mai. Signé le 3 mai 2026.')).toBeNull();
  });
});

describe('the time that a question asks about, on a Thursday', () => {
  it.each([
    ["Qu'avons-nous décidé mardi ?", '2026-05-05', '2026-05-05'],
    ['What did we decide on Thursday?', '2026-04-30', '2026-04-30'],
    ['¿Qué dijimos ayer?', '2026-05-06', '2026-05-06'],
    ['前天我們決定了什麼？', '2026-05-05', '2026-05-05'],
    ['Et la semaine dernière ?', '2026-04-27', '2026-05-03'],
    ['上星期我說了什麼？', '2026-04-27', '2026-05-03'],
    ['What did I say last month?', '2026-04-01', '2026-04-30'],
    ["Qu'ai-je dit le 3 avril 2026 ?", '2026-04-03', '2026-04-03'],
  ])('«%s»', (question, from, to) => {
    expect(periodIn(fold(question), '2026-05-07')).toEqual({ from, to });
  });

  it('is none without a word for it, nor when it is not known which day it is', () => {
    expect(periodIn(fold('Où habite Marc ?'), '2026-05-07')).toBeNull();
    expect(periodIn(fold("Qu'avons-nous décidé mardi ?"), null)).toBeNull();
  });
});
