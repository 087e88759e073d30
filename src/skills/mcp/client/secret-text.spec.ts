import { secretsOfUrl, serverEcho } from './secret-text.js';

const echo = serverEcho(['Bearer s3cr/et+key=', 'Basic dXNlcjpodW50ZXIyMg==', 'true']);

it.each([
  ['as it was sent', 'You sent Bearer s3cr/et+key=', 'You sent •••'],
  ['without its scheme', 'token s3cr/et+key=', 'token •••'],
  ['in an address', '?key=s3cr%2Fet%2Bkey%3D', '?key=•••'],
  ['the user and the password', 'as user:hunter22', 'as •••'],
  ['not what is an ordinary word', 'This is true.', 'This is true.'],
])('a server does not tell a secret %s', (_, said, told) => {
  expect(echo.text(said)).toBe(told);
  expect(echo.value({ said: [said], more: null })).toEqual({ said: [told], more: null });
});

it('secrets may be in an address', () => {
  const url = new URL('https://a.example/mcp/0123456789abcdefghij?key=secret-key');
  expect(secretsOfUrl(url)).toEqual(['secret-key', '0123456789abcdefghij']);
});
