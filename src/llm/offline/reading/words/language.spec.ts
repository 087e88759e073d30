import { describe, expect, it } from '@jest/globals';
import { assistantLanguage } from './language.js';

describe('assistantLanguage', () => {
  it.each([
    ['You help. Language: fr', 'fr'],
    ['Langue : es\nVous aidez une entreprise.', 'es'],
    ['Vous aidez une entreprise. Langue de réponse : `en`', 'en'],
    ['語言：zh-Hant', 'zh-Hant'],
    ['You are a helper. Answer in French.', 'fr'],
    ['Tu es une assistante. Réponds en français.', 'fr'],
    ['Tu es une assistante. Réponds toujours en anglais, avec soin.', 'en'],
    ['You are a helper and reply in the language "es" only', 'es'],
    ['請用繁體中文回答。', 'zh-Hant'],
    ['Tu es la conseillère de nos entreprises et tu réponds avec des chiffres.', 'fr'],
    ['You are the adviser of our company and you answer with figures.', 'en'],
    ['Eres la asistente de las empresas y respondes con cifras para que se entiendan.', 'es'],
    ['你是圖書館的助理。', 'zh-Hant'],
    ['', null],
    ['xyz', null],
  ])('%s', (prompt, language) => {
    expect(assistantLanguage(prompt)).toBe(language);
  });
});
