import { describe, expect, it } from '@jest/globals';
import { countryCodes, findCountries } from './countries.js';
import { fold, tidy } from './words/fold.js';

const codes = (given: string): string[] => {
  const text = tidy(given);
  return findCountries(text, fold(text)).map(({ code }) => code);
};

describe('findCountries', () => {
  it('knows the 249 assigned codes', () => {
    expect(countryCodes).toHaveLength(249);
  });

  it.each(['fr', 'en', 'es', 'zh-Hant'])('finds every country by its name in %s', (language) => {
    const names = new Intl.DisplayNames(language, { type: 'region' });
    expect(countryCodes.filter((code) => codes(`(${names.of(code)})`)[0] !== code)).toEqual([]);
  });

  it.each<[string, string[]]>([
    ['au Sénégal', ['SN']],
    ['au senegal', ['SN']],
    ['en Côte d’Ivoire', ['CI']],
    ["COTE D'IVOIRE", ['CI']],
    ['Ivory Coast and Costa de Marfil', ['CI', 'CI']],
    ['la République démocratique du Congo', ['CD']],
    ['la RDC et le Congo', ['CD', 'CG']],
    ['Guinée équatoriale, Guinée-Bissau, Guinée', ['GQ', 'GW', 'GN']],
    ['le Niger, pas le Nigeria', ['NE', 'NG']],
    ['aux États-Unis et au Royaume-Uni', ['US', 'GB']],
    ['在塞內加爾和象牙海岸', ['SN', 'CI']],
    ['臺灣', ['TW']],
    ['a turkey sandwich in Turkey', ['TR']],
    ['pays : SN', ['SN']],
    ['le CA de la RH et IT', []],
  ])('%s', (text, expected) => {
    expect(codes(text)).toEqual(expected);
  });
});
