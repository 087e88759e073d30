import fc from 'fast-check';

import { Speech } from '../wording.js';
import { type KnownFigure, unbackedFigures } from './written-figures.js';

const known: KnownFigure[] = [
  { kind: 'emissions', value: 15_862.1 },
  { kind: 'emissions', value: 122.4 },
  { kind: 'score', value: 61.3 },
  { kind: 'money', value: 24_000_000 },
  { kind: 'money', value: 412_500_000 },
];

it.each([
  'L’atelier émet 15,86 tCO2e par an, soit 15 862 kg de CO2e.',
  'environ 16 tonnes de CO2, dont 122 kgCO2e de trajets',
  'It emits 15.9 t CO2e and scores 61.3/100, some 61 out of 100.',
  'Un budget de 24 000 000 XOF, 24 millions de FCFA, pour 412,5 millions FCFA de ventes',
  '預算為 2400萬 XOF，排放 15.86 公噸 CO2e',
  'En 2027, 3 emplois et 40 kWc de panneaux',
])('lets figures stand that are known: %s', (text) => {
  expect(unbackedFigures(text, 'XOF', known)).toEqual([]);
});

it.each([
  ['L’atelier émet 18 tCO2e par an.', '18 tCO2'],
  ['Une économie de 1,5 tonne de CO2 est attendue.', '1,5 tonne de CO2'],
  ['A score of 75/100.', '75/100'],
  ['Un budget de 30 millions de FCFA.', '30 millions de FCFA'],
  ['Presupuesto de 25.000.000 XOF', '25.000.000 XOF'],
])('finds one that is not: %s', (text, figure) => {
  expect(unbackedFigures(text, 'XOF', known)).toEqual([figure]);
});

it('knows every figure as reports write it', () => {
  const kilograms = fc.double({ min: 1, max: 1e8, noNaN: true });
  fc.assert(
    fc.property(kilograms, fc.constantFrom('fr', 'en', 'es', 'zh-Hant' as const), (value, language) => {
      const speech = new Speech(language as 'fr');
      const figures: KnownFigure[] = [{ kind: 'emissions', value }];
      expect(unbackedFigures(`≈ ${speech.emissions(value)}.`, 'XOF', figures)).toEqual([]);
    }),
  );
});
