import { describe, expect, it } from '@jest/globals';
import { detectLanguage, plainLanguage } from './text-language.js';

describe('detectLanguage', () => {
  it.each([
    ['Quelle est notre empreinte ?', 'fr'],
    ['What is our footprint?', 'en'],
    ['¿Cuál es nuestra huella?', 'es'],
    ['我們的碳足跡是多少？', 'zh-Hant'],
    ['12345', null],
    ['Empreinte de 12 kWh à Nairobi et à Dakar', 'fr'],
  ])('%s', (text, language) => {
    expect(detectLanguage(text)).toBe(language);
  });
});

describe('plainLanguage', () => {
  it.each([
    ['Quelle est notre empreinte ?', 'fr'],
    ['What is our footprint?', 'en'],
    ['我們的碳足跡是多少？', 'zh-Hant'],
    ['Bonjour', null],
    ['le la el los', null],
    ['', null],
  ])('%s', (text, language) => {
    expect(plainLanguage(text)).toBe(language);
  });
});
