import type { JsonObject } from '@palabre/json';

import { ReasoningDetails } from './echo.js';

/** Each argument is the list of one chunk. */
function join(...chunks: JsonObject[][]): JsonObject[] {
  const details = new ReasoningDetails();
  for (const chunk of chunks) details.add(chunk);
  return details.whole;
}

function text(words: string, more: JsonObject = {}): JsonObject {
  return {
    type: 'reasoning.text',
    text: words,
    format: 'anthropic-claude-v1',
    ...more,
  };
}

describe('ReasoningDetails', () => {
  it('joins the pieces of a text by index, with the signature that comes last and alone', () => {
    const signature = { type: 'reasoning.text', signature: 'Et8B', format: 'anthropic-claude-v1', index: 0 };
    expect(join([text('Let', { index: 0 })], [text(' me', { index: 0 })], [signature])).toEqual([
      text('Let me', { index: 0, signature: 'Et8B' }),
    ]);
  });

  it('keeps two texts apart, also where their pieces come mixed', () => {
    expect(
      join(
        [text('a', { index: 0 }), text('x', { index: 1 })],
        [text('b', { index: 0 })],
        [text('y', { index: 1 })],
      ),
    ).toEqual([text('ab', { index: 0 }), text('xy', { index: 1 })]);
  });

  it('joins summaries, and never what is encrypted or has another id', () => {
    const summary = (words: string): JsonObject => ({ type: 'reasoning.summary', summary: words, index: 0 });
    const sealed = (data: string): JsonObject => ({ type: 'reasoning.encrypted', data, index: 0 });
    expect(join([summary('Look')], [summary('ing')], [sealed('A')], [sealed('B')])).toEqual([
      summary('Looking'),
      sealed('A'),
      sealed('B'),
    ]);
    expect(join([text('a', { id: '1', index: 0 })], [text('b', { id: '2', index: 0 })])).toHaveLength(2);
  });

  it('without an index takes a piece for the next of the last one, unless both came at once', () => {
    expect(join([text('a')], [text('b')])).toEqual([text('ab')]);
    expect(join([text('a'), text('b')])).toEqual([text('a'), text('b')]);
    expect(join([text('a', { index: 0 })], [text('b')])).toHaveLength(2);
  });

  it('leaves what it was given as it was', () => {
    const first = text('a', { index: 0 });
    join([first], [text('b', { index: 0 })]);
    expect(first).toEqual(text('a', { index: 0 }));
  });
});
