import fc from 'fast-check';

import { checkInput } from '../../../common/check-input.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { MAX_MESSAGE_CHARACTERS, payloadHash, StartTurn } from './start-turn.js';

function read(input: object): StartTurn {
  return checkInput(StartTurn, { message: 'Bonjour', ...input });
}

function refusedField(input: object): unknown {
  try {
    return read(input);
  } catch (error) {
    return error instanceof DomainError && error.code === 'BAD_USER_INPUT'
      ? error.extensions.argument
      : error;
  }
}

describe('what startTurn is asked', () => {
  it('has defaults, for null as for what is left out', () => {
    const defaults = {
      conversationId: null,
      assistantKey: null,
      message: 'Bonjour',
      documentIds: [],
      whenBusy: 'ENQUEUE',
      idempotencyKey: null,
    };
    expect(read({})).toEqual(defaults);
    const nulls = { conversationId: null, assistantKey: null, documentIds: null, whenBusy: null };
    expect(read({ ...nulls, idempotencyKey: null })).toEqual(defaults);
  });

  it.each<[string, object]>([
    ['input.message', { message: '' }],
    ['input.message', { message: ' \n\t\u3000' }],
    ['input.message', { message: '\0' }],
    ['input.message', { message: '\u200b\u200b' }],
    ['input.message', { message: '\u2060\u200d\u00ad \ufe0f' }],
    ['input.message', { message: 'a'.repeat(MAX_MESSAGE_CHARACTERS + 1) }],
    ['input.idempotencyKey', { idempotencyKey: '' }],
    ['input.idempotencyKey', { idempotencyKey: 'k'.repeat(201) }],
    ['input.idempotencyKey', { idempotencyKey: 'a\0b' }],
    ['input.idempotencyKey', { idempotencyKey: '\ud800' }],
    ['input.assistantKey', { assistantKey: 'k'.repeat(101) }],
    ['input.documentIds', { documentIds: Array.from({ length: 101 }, () => 'd') }],
    ['input.whenBusy', { whenBusy: 'LATER' }],
  ])('is refused by its %s', (field, input) => expect(refusedField(input)).toBe(field));

  it('may be of exactly the greatest length', () => {
    expect(read({ message: 'a'.repeat(MAX_MESSAGE_CHARACTERS) }).message).toHaveLength(
      MAX_MESSAGE_CHARACTERS,
    );
  });

  it('is text that a database can store', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\0', '\ud83d', '\ude00', ' ') }), (tail) => {
        const { message } = read({ message: `x${tail}` });
        expect(message.isWellFormed()).toBe(true);
        expect(message).not.toContain('\0');
      }),
    );
  });
});

describe('the payload of an idempotency key', () => {
  const hash = (input: object): string => payloadHash(read({ assistantKey: 'mefali', ...input }));

  it('is the same for what means the same', () => {
    const base = hash({ idempotencyKey: 'one' });
    expect(hash({ idempotencyKey: 'two' })).toBe(base);
    expect(hash({ whenBusy: 'ENQUEUE', documentIds: [], conversationId: null })).toBe(base);
  });

  it('is the same as it was stored before', () => {
    const id = '0198a5c2-7d3e-7abc-8def-0123456789ab';
    const asked = { conversationId: id, assistantKey: null, documentIds: [id], whenBusy: 'ENQUEUE' };
    expect(hash(asked)).toBe('7a5dbbb1a54c0c61b1b5a8f91aa0b6091574d8f08048ef5aced5a7b83d1dadc2');
  });

  it.each([
    { message: 'Bonsoir' },
    { assistantKey: 'solven' },
    { whenBusy: 'REJECT' },
    { conversationId: 'c' },
  ])('is another one with %j', (change) => expect(hash(change)).not.toBe(hash({})));
});
