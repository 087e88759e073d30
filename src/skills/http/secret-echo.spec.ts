import { echoOf, secretsOfUrl, serverEcho } from './secret-echo.js';

const echo = echoOf(['Bearer s3cr/et+key=', 'Basic dXNlcjpodW50ZXIyMg==', 'quo"ted secret', 'ab']);

it.each([
  ['as it was sent', 'Authorization: Bearer s3cr/et+key=!', 'Authorization: •••!'],
  ['without its scheme', 'token s3cr/et+key=', 'token •••'],
  ['in an address', 'https://a.example/?key=s3cr%2Fet%2Bkey%3D&a=1', 'https://a.example/?key=•••&a=1'],
  ['in JSON', '{"a":"quo\\"ted secret"}', '{"a":"•••"}'],
  ['the password of a user', 'hello hunter22', 'hello •••'],
  ['the user and the password', 'user:hunter22', '•••'],
  ['once more encoded', Buffer.from('Bearer s3cr/et+key=').toString('base64'), '•••'],
  ['not what is too short to be told apart', 'about', 'about'],
])('hides a secret %s', (_, text, expected) => {
  expect(echo.text(text)).toBe(expected);
});

it('hides secrets in values and names, at any depth', () => {
  const value = { list: ['s3cr/et+key=', { 's3cr/et+key=': 1 }], n: 5, yes: true, none: null };
  expect(echo.value(value)).toEqual({ list: ['•••', { '•••': 1 }], n: 5, yes: true, none: null });
  expect(echoOf(['12345678']).value({ pin: 12345678 })).toEqual({ pin: '•••' });
});

it('changes nothing where there are no secrets', () => {
  expect(echoOf([]).value({ a: ['b', 1] })).toEqual({ a: ['b', 1] });
});

const echoOfServer = serverEcho(['Bearer s3cr/et+key=', 'Basic dXNlcjpodW50ZXIyMg==', 'true']);

it.each([
  ['as it was sent', 'You sent Bearer s3cr/et+key=', 'You sent •••'],
  ['without its scheme', 'token s3cr/et+key=', 'token •••'],
  ['in an address', '?key=s3cr%2Fet%2Bkey%3D', '?key=•••'],
  ['the user and the password', 'as user:hunter22', 'as •••'],
  ['not what is an ordinary word', 'This is true.', 'This is true.'],
])('a server does not tell a secret %s', (_, said, told) => {
  expect(echoOfServer.text(said)).toBe(told);
  expect(echoOfServer.value({ said: [said], more: null })).toEqual({ said: [told], more: null });
});

it('secrets may be in an address', () => {
  const url = new URL('https://a.example/mcp/0123456789abcdefghij?key=secret-key');
  expect(secretsOfUrl(url)).toEqual(['secret-key', '0123456789abcdefghij']);
});
