import { describe, expect, it } from '@jest/globals';

import type { Exchange } from '../conversation.js';
import { Message, Question } from '../message.js';
import { errandOf } from './errand.js';

const pack = {
  key: 'actas/junta',
  category: 'actas',
  description: 'Redacta el acta de una junta de socios. Úsala cuando pidan un acta.',
};

/** What a message wants after one that asked for instructions. */
const keysAfter = (before: Pick<Exchange, 'unanswered'>, text: string): string[] => {
  const earlier = [{ question: 'Necesito el acta de la junta de socios', answer: '', ...before }];
  const conversation = { earlier } as unknown as Parameters<typeof errandOf>[1];
  return errandOf([pack], conversation, new Question(new Message(text)), false).packs.map(({ key }) => key);
};

describe('what goes on from instructions that were asked for', () => {
  const statement = 'La reunión fue en Madrid.';

  it('is a statement, also where something went wrong', () => {
    expect(keysAfter({}, statement)).toEqual([pack.key]);
    expect(keysAfter({ unanswered: 'FAILED' }, statement)).toEqual([pack.key]);
  });

  it('is a question about the matter, and no other document', () => {
    expect(keysAfter({}, '¿Qué mayoría corresponde?')).toEqual([pack.key]);
    expect(keysAfter({}, 'Redacta un contrato de arras')).toEqual([]);
  });

  it('is nothing once they were not wanted any more', () => {
    expect(keysAfter({ unanswered: 'WITHDRAWN' }, statement)).toEqual([]);
  });
});

describe('an answer that names other instructions', () => {
  const sale = {
    key: 'escrituras/compraventa',
    category: 'escrituras',
    description: 'Prepara una escritura de compraventa de un inmueble. No sirve para arrendamientos.',
  };
  const mortgage = {
    key: 'escrituras/hipoteca',
    category: 'escrituras',
    description: 'Prepara una escritura de préstamo con garantía hipotecaria.',
  };
  const lease = {
    key: 'contratos/arrendamiento',
    category: 'contratos',
    description: 'Prepara un contrato de arrendamiento de vivienda. Úsala cuando pidan un alquiler.',
  };
  const asked =
    'Para redactar me falta:\n- Cargas: hipoteca que se cancela o se mantiene.\n- Si está arrendado u ocupado.';

  const errandAfter = (answers: readonly string[], text: string, answer = asked) => {
    const earlier = ['Necesito una escritura de compraventa', ...answers].map((question, at) => ({
      question,
      answer: at === 0 ? answer : 'Queda anotado.',
    }));
    const conversation = { earlier } as unknown as Parameters<typeof errandOf>[1];
    const question = new Question(new Message(text));
    const { packs, said } = errandOf([sale, mortgage, lease, pack], conversation, question, false);
    return { keys: packs.map(({ key }) => key), said };
  };

  it.each([
    'El piso tiene una hipoteca con CaixaBank que se cancela en el acto.',
    'Hipoteca con CaixaBank, se cancela.',
    'No está arrendado.',
    'Sí, está arrendado.',
    'Precio 200.000 euros, libre de cargas y no arrendado. No es vivienda habitual.',
  ])('stays with those that asked for it: «%s»', (text) => {
    expect(errandAfter([], text)).toEqual({
      keys: [sale.key],
      said: ['Necesito una escritura de compraventa', text],
    });
  });

  it('is still theirs when the draft is asked for', () => {
    const answers = ['Vende Ana Gil.', 'Tiene una hipoteca que se cancela.', 'No está arrendado.'];
    expect(errandAfter(answers, 'Muéstrame el borrador')).toEqual({
      keys: [sale.key],
      said: ['Necesito una escritura de compraventa', ...answers, 'Muéstrame el borrador'],
    });
  });

  it.each([
    ['Necesito una hipoteca', mortgage.key],
    ['Ahora la hipoteca.', mortgage.key],
    ['Hipoteca', mortgage.key],
    ['La hipoteca también, por favor.', mortgage.key],
    ['Redacta la hipoteca', mortgage.key],
    ['Contrato de arrendamiento de un local', lease.key],
    ['¿Y un contrato de alquiler?', lease.key],
  ])('is none where it asks for them: «%s»', (text, key) => {
    expect(errandAfter([], text).keys).toEqual([key]);
  });

  it('is none of what nobody asked for', () => {
    expect(errandAfter([], 'Se firmó el acta de la junta.').keys).toEqual([pack.key]);
    expect(errandAfter([], 'No está arrendado.', '').keys).toEqual([lease.key]);
  });
});
