import { type ClaimNames, ourClaims, readClaims } from './token-claims.js';

const said = { sub: 'awa', company: 'demo', exp: 2_000_000_000 };
const keycloak: ClaimNames = {
  company: 'organization',
  role: 'realm_access.roles',
  roles: new Map([
    ['palabre-admin', 'ADMIN'],
    ['palabre-user', 'MEMBER'],
  ]),
};
function fromKeycloak(roles: unknown, more: object = {}) {
  return {
    sub: 'awa',
    organization: ['acme'],
    realm_access: { roles },
    exp: said.exp,
    ...more,
  };
}

describe('readClaims', () => {
  it('finds company and role where the installation says that they are', () => {
    expect(
      readClaims(fromKeycloak(['offline_access', 'palabre-user', 'palabre-admin']), keycloak),
    ).toMatchObject({
      companySlug: 'acme',
      role: 'ADMIN',
    });
    const names = { company: 'https://palabre.example/company', role: 'groups.0', roles: null };
    const payload = { ...said, 'https://palabre.example/company': 'acme', groups: ['ADMIN'] };
    expect(readClaims(payload, names)).toMatchObject({ companySlug: 'acme', role: 'ADMIN' });
  });

  it.each([
    ['roles that are none of ours', ['offline_access']],
    ['no roles', []],
    ['nothing', undefined],
    ['our own name for one', ['ADMIN']],
    ['what every object has', 'constructor'],
  ])('lets nobody in whose provider names %s, unless * says as what', (_, roles) => {
    expect(readClaims(fromKeycloak(roles), keycloak)).toEqual(['realm_access.roles']);
    const open = { ...keycloak, roles: new Map([...(keycloak.roles ?? []), ['*', 'MEMBER'] as const]) };
    expect(readClaims(fromKeycloak(roles), open)).toMatchObject({ role: 'MEMBER' });
  });

  it('calls nobody by what cannot be seen, whatever their name is taken from', () => {
    const hidden = '\u202eawa\u200b';
    const named = (claims: object) => readClaims({ ...said, ...claims }, ourClaims);
    expect(named({ sub: hidden })).toMatchObject({ subject: hidden, name: 'awa' });
    expect(named({ email: hidden })).toMatchObject({ name: 'awa', email: 'awa' });
  });

  it('takes a name that its provider has cut in the middle of a character', () => {
    expect(readClaims({ ...said, name: 'Awa \ud83d' }, ourClaims)).toMatchObject({ name: 'Awa \ufffd' });
  });

  it('names the company claim as the installation calls it', () => {
    expect(readClaims(fromKeycloak(['palabre-user'], { organization: ['a', 'b'] }), keycloak)).toEqual([
      'organization',
    ]);
    expect(readClaims(said, { ...ourClaims, company: 'toString' })).toEqual(['toString']);
  });

  it.each(['api-key 0190e1c5-3f1a-7bcd-8ef0-123456789abc', 'erased x', ' Revoked\u00a0x'])(
    'takes no subject that looks like one of ours: %s',
    (sub) => expect(readClaims({ ...said, sub }, ourClaims)).toEqual(['sub']),
  );
});
