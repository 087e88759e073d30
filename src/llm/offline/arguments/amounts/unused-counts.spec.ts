import { describe, expect, it } from '@jest/globals';
import { read } from '../../reading/read.js';
import { unusedCounts } from './unused-counts.js';

describe('unusedCounts', () => {
  it.each<[string, string[]]>([
    ['la moitié de 10 000 kWh au Mali', ['la moitié']],
    ['10 000 kWh, dont les trois quarts pour l’atelier', ['les trois quarts']],
    ['half of 10,000 kWh', ['half of']],
    ['la mitad de 10.000 kWh', ['la mitad']],
    ['10000度的一半', ['一半']],
    ['un vol de 5 300 km pour 3 personnes', ['3 personnes']],
    ['a flight of 5,300 km for 3 people', ['3 people']],
    ['3 allers-retours en avion de 5 300 km', ['allers-retours']],
    ['Chaque camion consomme 2 000 L de gazole et nous en avons 3', ['3']],
    ['Nos 3 gros camions : 2 000 L de gazole pour chaque camion', []],
    ['Nos 3 camions, que nous louons à Bamako : chaque camion consomme 2 000 L de gazole', ['3 camions']],
    ['3 camions consomment 2 000 L de gazole chacun', []],
    ['Nous sommes 45 personnes et consommons 12 000 kWh', []],
    ['3 camions. 12 000 kWh', []],
    ['la moitié de nos femmes', []],
    ['1 200 kWh et 2 bouteilles de gaz B12 par mois', ['2 bouteilles de gaz B12']],
    ['1 200 kWh. Et 40 sacs de charbon', ['40 sacs de charbon']],
    ['1 200 kWh et 10 bouteilles de gaz de cuisine de 12,5 kg', []],
    ['1 200 kWh pour embouteiller 300 bouteilles de jus', []],
    ['5 litres de gasoil par heure, 4 heures par jour', ['4 heures']],
    ['une demi-tonne, half a ton', []],
  ])('of «%s»', (text, expected) => {
    expect(unusedCounts(read(text))).toEqual(expected);
  });

  it('goes through a text once: it is done in time with a very long one', () => {
    expect(unusedCounts(read('3 camions 5 km chaque la moitie '.repeat(13_000)))).not.toEqual([]);
  });
});
