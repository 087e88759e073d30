import { toolsBytes, toolsText } from './tools-text.js';

it('is the JSON of the tools', () => {
  const parameters = { type: 'object', properties: { 'a "b"': { type: 'string' } } };
  const tools = [
    { name: 'one', description: 'Says "hello".\n', parameters },
    { name: 'two', description: '', parameters },
  ];
  expect(JSON.parse(toolsText(tools))).toEqual(tools);
  expect(JSON.parse(toolsText([]))).toEqual([]);
});

it.each([0, 1, 2, 3])('knows how long that is: %d tools', (count) => {
  const tools = ['émission', '碳', 'one'].map((name) => ({ name, description: 'é', parameters: {} }));
  const some = tools.slice(0, count);
  expect(toolsBytes(some)).toBe(Buffer.byteLength(toolsText(some)));
});
