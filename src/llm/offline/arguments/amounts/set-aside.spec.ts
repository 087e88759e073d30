import { describe, expect, it } from '@jest/globals';
import { read } from '../../reading/read.js';
import { measuresIn } from './measures.js';
import { setAsideIn } from './set-aside.js';

const counted = (text: string): number[] => {
  const reading = read(text);
  const setAside = setAsideIn(reading);
  return measuresIn(reading)
    .filter((quantity) => !setAside.has(quantity))
    .map(({ value }) => value);
};

describe('setAsideIn', () => {
  it.each<[string, number[]]>([
    // taken back
    ['Nous n’avons pas consommé 3000 kWh mais 300 kWh au Bénin', [300]],
    ['300 kWh et non 3000 kWh au Bénin', [300]],
    ['300 kWh, pas 3000 kWh', [300]],
    ['10 000 kWh au lieu de 12 000 kWh au Mali', [10_000]],
    ['10 000 kWh au lieu des 12 000 kWh de l’an dernier', [10_000]],
    ['2000 L de diesel plutôt que 3000 L', [2000]],
    ['Compte plutôt 300 kWh que 3000 kWh', [300]],
    ['Nous n’avons pas consommé 3 000 kWh, nous en avons consommé 300 kWh au Bénin', [300]],
    ['10 000 kWh contre 12 000 kWh l’an dernier', [10_000]],
    ['We did not use 3,000 kWh but 300 kWh in Benin', [300]],
    ['We didn’t use 3,000 kWh but 300 kWh', [300]],
    ['300 kWh instead of 3,000 kWh', [300]],
    ['No consumimos 3000 kWh sino 300 kWh', [300]],
    ['300 kWh en lugar de 3000 kWh', [300]],
    ['300 kWh, no 3000 kWh en Benín', [300]],
    ['用電不是3000度，而是300度', [300]],
    ['用電300度，而不是3000度', [300]],
    ['Nous n’avons pas consommé 3 000 kWh, nous en avons consommé 300 au Bénin', [300]],
    ['pas 3000 kWh mais 300 au Bénin', [300]],
    ['300 et non 3000 kWh au Bénin', [300]],
    ['300 instead of 3,000 kWh', [300]],
    ['no 3000 kWh sino 300', [300]],
    // put right
    ['3000 kWh au Bénin, pardon 300', [300]],
    ['3 000 L de gazole. Ah non, 300.', [300]],
    ['3000 kWh au Bénin, pardon 300 kWh', [300]],
    ['5000 kWh au Togo. Ah non, je me suis trompé : 500 kWh.', [500]],
    ['5000 kWh au Togo. Non, 500 kWh.', [500]],
    ['5000 kWh, enfin plutôt 500 kWh', [500]],
    ['2 tonnes d’acier et 3 tonnes d’aluminium, pardon 5 tonnes d’acier', [3, 5]],
    ['3,000 kWh in Benin, sorry, I mean 300 kWh', [300]],
    ['3000 kWh, perdón, 300 kWh', [300]],
    ['用電3000度，抱歉，應該是300度', [300]],
    // left out
    ['10 000 kWh au Mali, hors 500 litres de gazole', [10_000]],
    ['10 000 kWh au Mali sans compter les 500 litres de gazole', [10_000]],
    ['10 000 kWh au Mali, ne compte pas les 500 litres de gazole', [10_000]],
    ['10 000 kWh au Mali, on n’utilise plus nos 500 litres de gazole', [10_000]],
    ['10 000 kWh, 500 litres de gazole non compris', [10_000]],
    ['10 000 kWh, hors 500 litres de gazole et 200 litres d’essence', [10_000]],
    ['10,000 kWh excluding 500 litres of diesel', [10_000]],
    ['10,000 kWh, not counting the 500 litres of diesel', [10_000]],
    ['10 000 kWh sin contar los 500 litros de gasóleo', [10_000]],
    ['用電10000度，不含500公升柴油', [10_000]],
    // contained in another
    ['15 000 kWh dont 5 000 kWh pour l’atelier au Mali', [15_000]],
    ['15 000 kWh dont 5 000 kWh pour l’atelier et 3 000 kWh pour le bureau', [15_000]],
    ['15 MWh, dont 5 000 kWh pour l’atelier', [15]],
    ['15,000 kWh, of which 5,000 kWh for the workshop', [15_000]],
    ['15.000 kWh, de los cuales 5.000 kWh son del taller', [15_000]],
    ['用電15000度，其中5000度是工廠', [15_000]],
    // made by oneself
    ['Nous produisons 5 000 kWh solaires et achetons 10 000 kWh', [10_000]],
    ['Nos panneaux produisent 5 000 kWh, le réseau donne 10 000 kWh', [10_000]],
    ['10 000 kWh du réseau et 5 000 kWh de nos panneaux', [10_000]],
    ['We generate 5,000 kWh and buy 10,000 kWh', [10_000]],
    ['Producimos 5000 kWh y compramos 10.000 kWh', [10_000]],
    ['太陽能發電5000度，購電10000度', [10_000]],
    // sold
    ['10 000 litres de gazole, dont 4 000 litres revendus', [10_000]],
  ])('counts what stays: «%s»', (text, expected) => {
    expect(counted(text)).toEqual(expected);
  });

  it.each<[string, number[]]>([
    ['12 000 kWh et pas moins de 500 litres de gazole', [12_000, 500]],
    ['pas seulement 12 000 kWh mais aussi 500 litres de gazole', [12_000, 500]],
    ['Nous ne consommons pas que 500 litres de gazole', [500]],
    ['Nous n’avons pas de groupe et consommons 10 000 kWh', [10_000]],
    ['Nous n’avons pas de groupe, 10 000 kWh', [10_000]],
    ['Super sans plomb 500 litres, gazole 200 litres', [500, 200]],
    ['12 000 kWh, plus 500 litres de gazole', [12_000, 500]],
    ['10 000 kWh, y compris 500 litres de gazole', [10_000, 500]],
    ['15 000 kWh dont 5 000 kWh pour l’atelier, et 8 000 kWh au Niger', [15_000, 8000]],
    ['12 000 kWh. Pardon de vous déranger. Et merci', [12_000]],
    ['Pardon, 300 kWh au Bénin', [300]],
    ['pas 3000 kWh mais 300 camions', []],
    ['3000 kWh pour 45 salariés', [3000]],
    ['Non, 300 kWh au Bénin', [300]],
    ['12 000 kWh et, pardon de l’oubli, 500 litres de gazole', [12_000, 500]],
    ['Pour produire nos briques nous consommons 10 000 kWh', [10_000]],
    ['Not only 12,000 kWh but also 500 litres of diesel', [12_000, 500]],
    ['No solo 12 000 kWh sino también 500 litros de gasóleo', [12_000, 500]],
    ['用電不只12000度', [12_000]],
  ])('leaves what is only like it: «%s»', (text, expected) => {
    expect(counted(text)).toEqual(expected);
  });

  it.each(['pas ', 'dont 5 kWh ', "n'pas 5 kWh pardon ", '5 kWh, ', 'produit ', 'l’', '不是 5度 '])(
    'goes through a text once: it is done in time with a very long one of «%s»',
    (piece) => {
      const reading = read(piece.repeat(Math.ceil(400_000 / piece.length)));
      expect(setAsideIn(reading)).toBeDefined();
    },
  );
});
