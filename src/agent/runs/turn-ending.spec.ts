import { describe, expect, it } from '@jest/globals';

import { DomainError } from '../../common/errors/domain-error.js';
import { ModelError } from '../../llm/chat-model.js';
import { QuotaSpent } from '../../usage/spent-quota.js';
import { endingOf, TurnStopped } from './turn-ending.js';

describe('how a turn ends whose loop rejected', () => {
  it.each(['CANCELLED', 'SUPERSEDED'] as const)('stopped as %s, with or without text', (finishReason) => {
    const stopped = new TurnStopped({ type: 'stop', finishReason });
    const ending = { status: 'CANCELLED', finishReason, error: null, citations: [] };
    expect(endingOf(stopped, '')).toEqual(ending);
    expect(endingOf(stopped, 'So far')).toEqual(ending);
  });

  it('out of time with text: that is the answer', () => {
    expect(endingOf(new TurnStopped({ type: 'deadline' }), 'So far')).toEqual({
      status: 'COMPLETED',
      finishReason: 'MAX_SECONDS',
      error: null,
      citations: [],
    });
  });

  it.each(['', ' \n'])('out of time with nothing said (%j): it failed and can be tried again', (text) => {
    expect(endingOf(new TurnStopped({ type: 'deadline' }), text)).toMatchObject({
      status: 'FAILED',
      finishReason: 'MAX_SECONDS',
      error: { code: 'MODEL_UNAVAILABLE', retryable: true },
    });
  });

  it('abandoned: not at all', () => {
    expect(endingOf(new TurnStopped({ type: 'abandon' }), 'So far')).toBeNull();
  });

  it.each([
    ['because the process stops', new TurnStopped({ type: 'hand-over' })],
    ['because the database went away', new DomainError('UNAVAILABLE', 'Please try again.')],
  ])('%s: another run goes on with it', (_, error) => {
    expect(endingOf(error, 'So far')).toBe('hand-over');
  });

  it('by any other refusal of ours: it failed', () => {
    expect(endingOf(new DomainError('CONFLICT', 'There is one.'), '')).toMatchObject({ status: 'FAILED' });
  });

  it('by the model: with its code and words, but not the provider’s', () => {
    const error = new ModelError('MODEL_REFUSED', 'It was refused.', false, 'sk-secret is wrong');
    expect(endingOf(error, 'So far')).toEqual({
      status: 'FAILED',
      finishReason: 'ERROR',
      error: { code: 'MODEL_REFUSED', message: 'It was refused.', retryable: false },
      citations: [],
    });
  });

  it('by a quota that is used up: asking again does not help', () => {
    const spent = new QuotaSpent({ message: 'You have used it up.', resetsAt: new Date(0) });
    expect(endingOf(spent, 'So far')).toMatchObject({
      status: 'FAILED',
      error: { code: 'RATE_LIMITED', message: 'You have used it up.', retryable: false },
    });
  });

  it.each([new TypeError('x is not a function of table turn'), 'a string', undefined])(
    'by %p: nothing of what is inside gets out',
    (error) => {
      const ending = endingOf(error, '');
      expect(ending).toMatchObject({ status: 'FAILED', error: { code: 'INTERNAL', retryable: true } });
      expect(JSON.stringify(ending)).not.toMatch(/function|table|string/);
    },
  );
});
