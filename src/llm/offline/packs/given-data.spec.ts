import { describe, expect, it } from '@jest/globals';
import { givenFor } from './given-data.js';

const price = 'Precio total, y si incluye garaje, trastero o muebles.';
const parties = 'Vendedor y comprador: nombre y apellidos.';
const estate = 'Inmueble: clase, dirección y datos registrales.';
const status = 'Estado civil y régimen económico matrimonial de cada parte.';
const home = 'Si es la vivienda habitual de quien vende o de su cónyuge.';
const occupied = 'Si está arrendado u ocupado.';

describe('what a user has given of what is asked for', () => {
  it.each([
    [price, 'Necesito una escritura de compraventa, precio 200.000 euros', 'precio 200.000 euros'],
    [price, 'Será por un precio de 200.000 euros.', 'precio de 200.000 euros'],
    [price, 'The price is 200,000 euros', 'price is 200,000 euros'],
    [price, 'Ana vende a Luis un piso por 250.000 €', 'por 250.000 €'],
    [estate, 'inmueble: calle Mayor 3; sin cargas', 'inmueble: calle Mayor 3'],
    [home, 'no es su vivienda habitual', 'no es su vivienda habitual'],
    [occupied, 'está arrendado a Luis Gil', 'está arrendado a Luis Gil'],
  ])('%s %s', (item, said, told) => {
    expect(givenFor(item, [said])).toEqual({ told: [told], isWhole: true });
  });

  it('is there where the value is said without its name', () => {
    const said = 'la vendedora está casada en gananciales y el comprador soltero';
    const asked = 'Estado civil y régimen económico matrimonial de cada parte.';
    expect(givenFor(asked, [`Necesito una escritura, ${said}`])).toEqual({
      told: [said, said],
      isWhole: true,
    });
  });

  it('is whole only when every part of it is there', () => {
    const seller = 'vendedora: Ana Ruiz';
    expect(givenFor(parties, [seller])).toEqual({ told: [seller], isWhole: false });
    expect(givenFor(parties, [seller, 'comprador Luis Gil']).isWhole).toBe(true);
    expect(givenFor(parties, ['Escritura: vendedora Ana Ruiz, comprador Luis Gil']).told).toEqual([
      'vendedora Ana Ruiz',
      'comprador Luis Gil',
    ]);
  });

  it('asks for every part of a list, and for no detail', () => {
    const loan = 'Capital, moneda y plazo del préstamo.';
    expect(givenFor(loan, ['capital 150.000 euros, plazo 20 años'])).toEqual({
      told: ['capital 150.000 euros', 'plazo 20 años'],
      isWhole: false,
    });
    expect(givenFor(price, ['precio 90.000 euros']).isWhole).toBe(true);
  });

  it('is the latest where it was given twice', () => {
    expect(givenFor(price, ['precio 100.000 euros', 'precio 90.000 euros']).told).toEqual([
      'precio 90.000 euros',
    ]);
  });

  it.each([
    [estate, 'Necesito una escritura de compraventa de un inmueble'],
    [price, '¿Qué precio se pone?'],
    [price, 'redacta el borrador'],
    ['Renta del contrato anterior y zona.', 'Ahora un contrato de alquiler de un local'],
    [price, ''],
    [price, 'No sé el precio todavía'],
    [price, 'El precio aún no está decidido; se fijará más adelante'],
    [status, 'Vende Juan Pérez a María López, y el notario es Mario Casado'],
    [home, 'Es una vivienda en Sevilla'],
    ['Si el prestatario o el garante actúa como consumidor.', 'prestatario: Luis Gil'],
  ])('is nothing where it is only spoken of: %s %s', (item, said) => {
    expect(givenFor(item, [said])).toEqual({ told: [], isWhole: false });
  });
});
