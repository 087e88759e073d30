import { describe, expect, it } from '@jest/globals';
import { fittingPacks } from './pack-fit.js';

const packs = [
  {
    key: 'contratos/arrendamiento',
    category: 'contratos',
    description:
      'Prepara el borrador de un contrato de arrendamiento de inmueble, de vivienda o de local. Úsala cuando pidan un contrato de alquiler. No sirve para compraventa, hipoteca ni arrendamiento de vehículos.',
  },
  {
    key: 'escrituras/compraventa',
    category: 'escrituras',
    description:
      'Prepara el borrador de una escritura de compraventa de un inmueble. Úsala cuando pidan una venta de vivienda ante notario. No sirve para arras, préstamos hipotecarios ni arrendamientos.',
  },
  {
    key: 'escrituras/hipoteca',
    category: 'escrituras',
    description:
      'Prepara el borrador de una escritura de préstamo con garantía hipotecaria. Úsala cuando pidan un préstamo hipotecario. No sirve para la compraventa en sí.',
  },
  {
    key: 'actas/junta',
    category: 'actas',
    description:
      'Redacta el acta de una junta de socios. Úsala cuando pidan un acta o un certificado de acuerdos.',
  },
];
const keysFor = (text: string): string[] => fittingPacks(packs, text).map(({ key }) => key);

describe('which instructions a text asks for', () => {
  it.each([
    ['Necesito una escritura de compraventa', ['escrituras/compraventa']],
    ['Quiero vender mi piso ante notario', ['escrituras/compraventa']],
    ['I need a deed of sale', ['escrituras/compraventa']],
    ["J'ai besoin d'un prêt hypothécaire", ['escrituras/hipoteca']],
    ['我需要租賃合約', ['contratos/arrendamiento']],
    ['Un contrato de alquiler de un local', ['contratos/arrendamiento']],
    ['Una escritura de compraventa; hubo arras de 5.000 euros', ['escrituras/compraventa']],
    ['Certificado de acuerdos de la junta', ['actas/junta']],
  ])('%s', (text, keys) => {
    expect(keysFor(text)).toEqual(keys);
  });

  it('are several where several are asked for, in their order', () => {
    expect(keysFor('Un contrato de alquiler y una escritura de compraventa')).toEqual([
      'contratos/arrendamiento',
      'escrituras/compraventa',
    ]);
    expect(keysFor("J'ai besoin d'un acte de vente et d'un prêt hypothécaire")).toEqual([
      'escrituras/compraventa',
      'escrituras/hipoteca',
    ]);
    expect(keysFor('Una compraventa con hipoteca')).toHaveLength(1);
  });

  it.each([
    'Necesito un poder notarial',
    '¿Cuál es la capital de Francia?',
    'Calcula mi huella de carbono',
    'Quiero alquilar mi coche',
    'Un contrato de arras para una vivienda',
    '',
  ])('are none for «%s»', (text) => {
    expect(keysFor(text)).toEqual([]);
  });

  it('are known by their keys where nothing else is told of them', () => {
    const bare = packs.map((pack) => ({ ...pack, description: '' }));
    expect(fittingPacks(bare, 'una escritura de compraventa').map(({ key }) => key)).toEqual([
      'escrituras/compraventa',
    ]);
  });
});
