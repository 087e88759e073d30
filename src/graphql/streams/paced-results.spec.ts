import type { ExecutionResult } from 'graphql';

import { PacedResults } from './paced-results.js';

/** Results 1, 2, 3 … as fast as they are asked for; after `last` it fails. */
class Source implements AsyncIterator<ExecutionResult> {
  asked = 0;
  returned = 0;

  constructor(private readonly last = Infinity) {}

  next(): Promise<IteratorResult<ExecutionResult>> {
    this.asked += 1;
    if (this.asked > this.last) return Promise.reject(new Error('It broke.'));
    return Promise.resolve({ done: false, value: { data: { number: this.asked } } });
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.returned += 1;
    return Promise.resolve({ done: true, value: undefined });
  }
}

const over = { done: true, value: undefined };
function numbered(number: number): object {
  return { done: false, value: { data: { number } } };
}

describe('PacedResults', () => {
  it('gives a result for each time that one was taken', async () => {
    const source = new Source();
    const results = new PacedResults(source);
    expect(await results.next()).toEqual(numbered(1));
    const second = results.next();
    expect(source.asked).toBe(1);
    results.taken();
    expect(await second).toEqual(numbered(2));
    results.taken();
    expect(await results.next()).toEqual(numbered(3));
  });

  it('owes no more than one, however much else was taken meanwhile', async () => {
    const source = new Source();
    const results = new PacedResults(source);
    for (let comment = 0; comment < 3; comment += 1) results.taken();
    expect(await results.next()).toEqual(numbered(1));
    const waiting = results.next();
    expect(source.asked).toBe(1);
    await results.return();
    expect(await waiting).toEqual(over);
  });

  it('tells a failure of the source as its last result, with its cause', async () => {
    const results = new PacedResults(new Source(0));
    const { value } = await results.next();
    expect(value?.errors).toEqual([
      expect.objectContaining({ name: 'GraphQLError', originalError: new Error('It broke.') }),
    ]);
    results.taken();
    expect(await results.next()).toEqual(over);
  });

  it('ends when it is told to, and tells the source', async () => {
    const source = new Source();
    const results = new PacedResults(source);
    await results.next();
    const waiting = results.next();
    expect(await results.return()).toEqual(over);
    expect(await waiting).toEqual(over);
    expect(await results.next()).toEqual(over);
    expect(source).toMatchObject({ asked: 1, returned: 1 });
    await expect(results.throw(new Error('Enough.'))).rejects.toThrow('Enough.');
  });
});
