import { expect, it } from '@jest/globals';

import { toolsText } from './tools-text.js';

it('is the JSON of the tools', () => {
  const parameters = { type: 'object', properties: { 'a "b"': { type: 'string' } } };
  const tools = [
    { name: 'one', description: 'Says "hello".\n', parameters },
    { name: 'two', description: '', parameters },
  ];
  expect(JSON.parse(toolsText(tools))).toEqual(tools);
  expect(JSON.parse(toolsText([]))).toEqual([]);
});
