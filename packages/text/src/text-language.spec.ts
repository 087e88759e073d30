import { detectLanguage } from './text-language.js';

describe('detectLanguage', () => {
  it.each([
    ['Quelle est notre empreinte ?', 'fr'],
    ['What is our footprint?', 'en'],
    ['¿Cuál es nuestra huella?', 'es'],
    ['我們的碳足跡是多少？', 'zh-Hant'],
    ['12345', null],
    ['Empreinte de 12 kWh à Nairobi et à Dakar', 'fr'],
    ["On n'a pas de panneaux solaires", 'fr'],
    ["Non, on n'en a pas", 'fr'],
    ['On ferme a 18 h', null],
    ['Voy a Madrid el lunes', 'es'],
    ['We are on a farm', 'en'],
    ['I have no panels on site', 'en'],
    ['on a', null],
  ])('%s', (text, language) => {
    expect(detectLanguage(text)).toBe(language);
  });
});
