import { readConfig } from './read-config.js';
import { ConfigError, type Environment } from './environment.js';

function problemsOf(env: Environment): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

it('lets people sign in by a provider, whose claims may be called otherwise', () => {
  const provider = { AUTH_OIDC_ISSUER: 'https://id.example.org/acme/', AUTH_OIDC_CLIENT_ID: 'palabre' };
  expect(readConfig({ ...provider, AUTH_ROLE_CLAIM: 'groups' }).oidc).toEqual({
    issuer: provider.AUTH_OIDC_ISSUER,
    clientId: 'palabre',
    clientSecret: null,
    scope: 'openid profile email',
    organisation: 'id.example.org',
  });
  expect(problemsOf({ AUTH_OIDC_ISSUER: 'id.example.org', AUTH_OIDC_SCOPE: 'profile' })).toEqual([
    'AUTH_OIDC_ISSUER must be an address that begins with http:// or https://.',
    'AUTH_OIDC_SCOPE must be names with blanks between them, the first of which is openid.',
    'AUTH_OIDC_CLIENT_ID must be what the provider calls Palabre, as AUTH_OIDC_ISSUER is set.',
  ]);
  expect(problemsOf({ AUTH_OIDC_NAME: 'Acme' })).toEqual([
    'AUTH_OIDC_ISSUER must be set, as AUTH_OIDC_NAME is set.',
  ]);
});

it('takes the tokens of a provider as it makes them', () => {
  const provider = {
    AUTH_JWKS_URL: 'https://id.example.org/jwks',
    AUTH_ISSUER: '*',
    AUTH_AUDIENCE: 'palabre',
  };
  expect(readConfig(provider).auth).toMatchObject({
    issuer: null,
    audience: 'palabre',
    maxTokenSeconds: 86_400,
    claims: { company: 'company', role: 'role', roles: null },
  });
  const keycloak = {
    AUTH_COMPANY_CLAIM: 'organization',
    AUTH_ROLE_CLAIM: 'realm_access.roles',
    AUTH_ROLE_MAP: 'palabre-admin=ADMIN, cn=staff=MEMBER,*=MEMBER',
    AUTH_MAX_TOKEN_HOURS: '0.5',
  };
  expect(readConfig({ ...provider, ...keycloak }).auth).toMatchObject({
    maxTokenSeconds: 1800,
    claims: {
      company: 'organization',
      role: 'realm_access.roles',
      roles: new Map([
        ['palabre-admin', 'ADMIN'],
        ['cn=staff', 'MEMBER'],
        ['*', 'MEMBER'],
      ]),
    },
  });
  expect(problemsOf({ AUTH_JWKS_URL: provider.AUTH_JWKS_URL })).toEqual([
    expect.stringMatching(/^AUTH_ISSUER must be .*; or \* to take any\.$/),
    expect.stringMatching(/^AUTH_AUDIENCE must be .*; or \* to take any\.$/),
  ]);
  expect(problemsOf({ AUTH_ROLE_CLAIM: 'roles' })).toEqual([
    'AUTH_JWKS_URL must be set, as AUTH_ROLE_CLAIM is set: it is about the tokens of a provider.',
  ]);
});
