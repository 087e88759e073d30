import { mayAskFor, lackedBy, readScope, widerChallenge } from './scopes.js';

const signIn = {
  challenge: { resourceMetadataUrl: 'https://a.example/metadata', scope: 'read' },
  parties: null,
  tokens: { accessToken: 'a', refreshToken: null, expiresAtMs: 0, scope: 'read offline_access' },
};

it.each([
  ['files:write', 'files:write'],
  [' a  b a ', 'a b'],
  ['', null],
  ['a "b"', null],
  ['a \u0000', null],
  ['é', null],
  ['s'.repeat(2_000), 's'.repeat(2_000)],
  ['s'.repeat(2_001), null],
])('the scope %j is read as %j', (text, scope) => {
  expect(readScope(text)).toBe(scope);
});

it('what is asked for has all scopes from before', () => {
  expect(widerChallenge(signIn)).toEqual(signIn.challenge);
  expect(widerChallenge({ ...signIn, lacking: 'write read' })).toEqual({
    ...signIn.challenge,
    scope: 'read offline_access write',
  });
});

it('without a challenge, what the server speaks of was asked for', () => {
  const discovery = {
    authorizationServerUrl: 'https://a.example',
    resourceMetadata: { resource: 'https://a.example/mcp', scopes_supported: ['read', 'list'] },
  };
  const parties = { discovery, client: { client_id: 'c' } };
  const unchallenged = { challenge: {}, parties, tokens: null, lacking: 'write' };
  expect(widerChallenge(unchallenged)).toEqual({ scope: 'read list write' });
});

it('a scope that was asked for, or that calls have lacked already, is not new', () => {
  expect(mayAskFor('read', signIn)).toBe(false);
  expect(mayAskFor('read write', signIn)).toBe(true);
  expect(mayAskFor('read write', { ...signIn, lacking: 'write' })).toBe(false);
});

it('what calls have lacked does not grow without end', () => {
  const much = 'm'.repeat(1_990);
  expect(lackedBy(signIn, 'write')).toBe('write');
  expect(lackedBy({ ...signIn, lacking: much }, 'write')).toBe(`${much} write`);
  expect(lackedBy({ ...signIn, lacking: much }, 'write-more-than-that')).toBe(much);
});
