import { ModelError } from '@palabre/llm-client';

import { ModelRetries } from './model-retries.js';

function busy(retryAfterMs: number, wasNotAsked = false): ModelError {
  return new ModelError('MODEL_UNAVAILABLE', 'It is busy.', true, '', retryAfterMs, { wasNotAsked });
}

/** The outcome of each failure: the next model, and the pause. */
function course(...failures: ModelError[]): [model: string, pauseMs: number][] {
  const tries = new ModelRetries(['first', 'second']);
  return failures.map((failure) => {
    const next = tries.after(failure, 60_000);
    return [tries.model, next?.type === 'again' ? next.pauseMs : -1];
  });
}

describe('a model that asks for next to no time', () => {
  it('is asked again after longer pauses, four times in all, before another one is', () => {
    const [first, second, third, last] = course(busy(0), busy(5), busy(0), busy(0));
    expect(first?.[1]).toBeGreaterThanOrEqual(250);
    expect(second?.[1]).toBeGreaterThanOrEqual(500);
    expect(third?.[0]).toBe('first');
    expect(last).toEqual(['second', 0]);
  });
});

describe('a model that asks for a while, where there is another one', () => {
  it('is waited for up to five seconds', () => {
    expect(course(busy(5_000))).toEqual([['first', 5_000]]);
    expect(course(busy(5_001))).toEqual([['second', 0]]);
  });

  it('is waited for five seconds in all', () => {
    expect(course(busy(3_000), busy(3_000))).toEqual([
      ['first', 3_000],
      ['second', 0],
    ]);
  });

  it('is not waited for where it was not even asked', () => {
    expect(course(busy(1_000, true))).toEqual([['second', 0]]);
  });
});
