import fc from 'fast-check';
import { marked } from 'marked';

import { growingBlocks } from './growing-blocks.js';

const pieces = fc.array(
  fc.constantFrom(
    'word ',
    '\n',
    '\n\n',
    '- ',
    '# ',
    '```\n',
    '| a | b |\n',
    '|---|---|\n',
    '> ',
    '    ',
    '1. ',
    '**',
    '===\n',
  ),
  { maxLength: 60 },
);

function htmlOf(blocks: readonly string[]): string {
  return blocks.map((block) => marked.parse(block, { async: false })).join('');
}

it('gives the same blocks however a text has grown', () => {
  fc.assert(
    fc.property(pieces, (pieces) => {
      const grown = growingBlocks();
      let text = '';
      for (const piece of pieces) grown((text += piece));
      expect(grown(text).join('')).toBe(text);
      expect(htmlOf(grown(text))).toBe(htmlOf(growingBlocks()(text)));
    }),
    { numRuns: 300 },
  );
});

it('gives one list where its next item looked like a rule', () => {
  const grown = growingBlocks();
  grown('- One\n\n- - -');
  expect(grown('- One\n\n- - - Two')).toEqual(['- One\n\n- - - Two']);
});

it('keeps the blocks that are complete as they are', () => {
  const grown = growingBlocks();
  const [first] = grown('One.\n\nTwo');
  expect(grown('One.\n\nTwo.\n\nThree')).toEqual([first, 'Two.\n\n', 'Three']);
});

it('begins anew where the text does', () => {
  const grown = growingBlocks();
  grown('I will look that up.');
  expect(grown('It is 4.')).toEqual(['It is 4.']);
});
