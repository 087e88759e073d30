import { describe, expect, it } from '@jest/globals';

import type { NearMessage } from './recall.repository.js';
import { runsOf } from './runs.js';

const near = (foundId: string, ids: string, conversationId = 'c'): NearMessage[] =>
  [...ids].map((id) => ({ foundId, id, conversationId, createdAt: new Date(0), speaker: 'Awa' }));

const shown = (runs: NearMessage[][]): string[] => runs.map((run) => run.map(({ id }) => id).join(''));

describe('messages that follow each other', () => {
  it('are one run where what is near two of them overlaps, or touches', () => {
    expect(shown(runsOf([...near('c', 'abcde'), ...near('d', 'bcdef')]))).toEqual(['abcdef']);
    expect(shown(runsOf([...near('b', 'ab'), ...near('c', 'bc')]))).toEqual(['abc']);
  });

  it('are two where nobody knows what is between them', () => {
    expect(shown(runsOf([...near('b', 'abc'), ...near('e', 'def')]))).toEqual(['abc', 'def']);
  });

  it('are never of two conversations', () => {
    expect(shown(runsOf([...near('b', 'abc', 'x'), ...near('e', 'def', 'y')]))).toEqual(['abc', 'def']);
  });

  it('are none where nothing was found', () => expect(runsOf([])).toEqual([]));
});
