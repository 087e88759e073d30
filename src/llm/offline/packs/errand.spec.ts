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
