import { underError } from './error-body.js';

describe('the body of an error', () => {
  it.each([
    [{ message: 'no', code: 400 }],
    [{ detail: [{ msg: 'no' }] }],
    [[{ error: { code: 429 } }]],
    ['no'],
    [{ error: null, message: 'no' }],
  ])('%j is put where the SDK looks', (body) => {
    expect(JSON.parse(underError(JSON.stringify(body)))).toEqual({ error: body });
  });

  it.each(['{"error":{"message":"no"}}', '{"error":"no"}', '<html></html>', 'busy', '', 'null'])(
    '%j stays as it is',
    (text) => {
      expect(underError(text)).toBe(text);
    },
  );
});
