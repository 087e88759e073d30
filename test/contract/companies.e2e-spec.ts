import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { JsonObject } from '@palabre/json';

import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const UPDATE = /* GraphQL */ `
  mutation ($input: UpdateCompanyInput!) {
    updateCompany(input: $input) {
      name
      sector
      country
      city
      headcount
      revenue {
        amount
        currency
      }
      language
      profile {
        environmentalPractices
        declaredGoals
        attributes
      }
    }
  }
`;

const known = {
  name: 'Savonnerie du Sahel',
  sector: 'Cosmétiques',
  country: 'SN',
  city: 'Dakar',
  headcount: 42,
  revenue: { amount: 1_250_000.5, currency: 'XOF' },
  environmentalPractices: ['Panneaux solaires'],
  declaredGoals: ['−20 % en 2030'],
  attributes: { certified: true, sites: [{ name: 'Thiès', m2: 1200 }], note: null },
  language: 'fr',
};

/** What the API shows of a company that was given `input`. */
function shown({ environmentalPractices, declaredGoals, attributes, ...rest }: typeof known): object {
  return {
    ...rest,
    profile: { environmentalPractices, declaredGoals, attributes },
  };
}

/** `depth` objects inside each other. */
function nested(depth: number): JsonObject {
  return depth === 1 ? {} : { a: nested(depth - 1) };
}

let app: TestApp;
let admin: TestClient;

beforeAll(async () => {
  app = await shareApp(() => [text('Bonjour.'), finish()]);
});
afterAll(() => app[Symbol.asyncDispose]());

beforeEach(async () => {
  admin = await app.client({ company: await app.company() });
  await admin.get(UPDATE, { input: known });
});

async function update(input: object): Promise<unknown> {
  return (await admin.get<{ updateCompany: unknown }>(UPDATE, { input })).updateCompany;
}

async function auditOf(client: TestClient): Promise<object[]> {
  const { viewer } = await client.get<{ viewer: { id: string; company: { id: string } } }>(
    '{ viewer { id company { id } } }',
  );
  const entries = await app.database.transaction(viewer.company.id, (tx) =>
    tx.query<{ memberId: string; subject: string }>(
      `SELECT member_id AS "memberId", action, subject, details FROM audit_entry ORDER BY id`,
    ),
  );
  // Who and what are checked here, so that the tests can tell the rest.
  return entries.map(({ memberId, subject, ...entry }) => ({
    ...entry,
    byViewer: memberId === viewer.id,
    ofCompany: subject === viewer.company.id,
  }));
}

describe('updateCompany', () => {
  it('stores everything, and company shows it', async () => {
    const { company } = await admin.get<{ company: object }>(
      `{ company { name sector country city headcount revenue { amount currency } language
           profile { environmentalPractices declaredGoals attributes } } }`,
    );
    expect(company).toEqual(shown(known));
  });

  it.each<[string, object]>([
    ['name', { name: 'Autre nom' }],
    ['sector', { sector: 'Agriculture' }],
    ['country', { country: 'CI' }],
    ['city', { city: 'Abidjan' }],
    ['headcount', { headcount: 0 }],
    ['revenue', { revenue: { amount: 0, currency: 'EUR' } }],
    ['environmentalPractices', { environmentalPractices: [] }],
    ['declaredGoals', { declaredGoals: ['a', 'b'] }],
    ['attributes', { attributes: { only: 'this' } }],
    ['language', { language: 'zh-Hant' }],
    ['nothing', {}],
  ])('changes %s and leaves the rest', async (_field, input) => {
    expect(await update(input)).toEqual(shown({ ...known, ...input }));
  });

  it.each(['sector', 'country', 'city', 'headcount', 'revenue'])('clears %s by null', async (field) => {
    expect(await update({ [field]: null })).toEqual({ ...shown(known), [field]: null });
  });

  it('writes values the way that everybody expects them', async () => {
    const input = {
      name: '  Savonnerie  ',
      country: 'ci',
      language: 'FR-sn',
      revenue: { amount: 1, currency: 'eur' },
    };
    expect(await update(input)).toMatchObject({
      name: 'Savonnerie',
      country: 'CI',
      language: 'fr-SN',
      revenue: { currency: 'EUR' },
    });
  });

  it('takes out what people do not see, and the lines of what is one line', async () => {
    const hidden = 'Savon\u200bnerie\n\u202eSahel\u2069';
    const input = { name: hidden, sector: hidden, city: hidden, declaredGoals: [hidden] };
    expect(await update(input)).toMatchObject({
      name: 'Savonnerie Sahel',
      sector: 'Savonnerie Sahel',
      city: 'Savonnerie Sahel',
      profile: { declaredGoals: ['Savonnerie\nSahel'] },
    });
  });

  it('leaves an entry in the audit, with what was changed and what it was before', async () => {
    const revenue = { amount: 7, currency: 'EUR' };
    await update({ revenue, city: 'Thiès', headcount: 43, name: known.name });
    await update({});
    await update({ revenue, city: 'Thiès' });
    await admin.codes(UPDATE, { input: { headcount: -1 } });
    const entry = { action: 'company.updated', byViewer: true, ofCompany: true };
    const [first, ...rest] = await auditOf(admin);
    expect(first).toMatchObject(entry);
    const before = { revenue: known.revenue, city: known.city, headcount: known.headcount };
    expect(rest).toEqual([{ ...entry, details: { revenue, city: 'Thiès', headcount: 43, before } }]);
  });

  it('is open to every text of every script, with lines and tabs', async () => {
    const name = 'Ñandú & Søn 株式会社 🌍 <b>"\'\\';
    const goal = 'Première ligne\n\tSeconde ligne';
    expect(await update({ name, declaredGoals: [goal], attributes: { [name]: goal } })).toMatchObject({
      name,
      profile: { declaredGoals: [goal], attributes: { [name]: goal } },
    });
  });

  it('keeps attributes that have the names of what every object has', async () => {
    const attributes = { constructor: 'x', prototype: {}, toString: 1, hasOwnProperty: null };
    expect(await update({ attributes })).toMatchObject({ profile: { attributes } });
  });

  it('takes attributes in the operation itself, with variables among them', async () => {
    const { updateCompany } = await admin.get<{ updateCompany: object }>(
      `mutation ($sector: String!) {
        updateCompany(input: { attributes: { sector: $sector, sites: [{ m2: 12 }, $sector, null] } }) {
          profile { attributes }
        }
      }`,
      { sector: 'AGRI' },
    );
    expect(updateCompany).toEqual({
      profile: { attributes: { sector: 'AGRI', sites: [{ m2: 12 }, 'AGRI', null] } },
    });
  });

  it('takes what is just within bounds', async () => {
    const input = {
      name: 'x'.repeat(200),
      headcount: 2_000_000_000,
      revenue: { amount: 1e18, currency: 'XOF' },
      environmentalPractices: Array<string>(100).fill('x'.repeat(500)),
      attributes: nested(20),
    };
    expect(await update(input)).toEqual(shown({ ...known, ...input } as typeof known));
    const attributes = { a: 'x'.repeat(20_000 - JSON.stringify({ a: '' }).length) };
    expect(await update({ attributes })).toMatchObject({ profile: { attributes } });
  });
});

describe('updateCompany refuses', () => {
  const bad: [path: string, value: unknown][] = [
    ['name', null],
    ['name', ''],
    ['name', '   '],
    ['name', '\u200b'],
    ['name', 'x'.repeat(201)],
    ['name', 'a\0b'],
    ['name', 'a\u0007b'],
    ['sector', ''],
    ['sector', '\u2060\u200b'],
    ['sector', 'x'.repeat(201)],
    ['country', ''],
    ['country', 'Sénégal'],
    ['country', 'SEN'],
    ['country', 'ZZ'],
    ['country', 'UK'],
    ['country', 'EU'],
    ['city', 'x'.repeat(201)],
    ['city', 'a\ud800b'],
    ['headcount', -1],
    ['headcount', 2_000_000_001],
    ['revenue.amount', -0.01],
    ['revenue.amount', 1.1e18],
    ['revenue.currency', 'FCFA'],
    ['revenue.currency', 'ZZZ'],
    ['revenue.currency', ''],
    ['environmentalPractices', null],
    ['environmentalPractices', Array(101).fill('x')],
    ['environmentalPractices.1', ['x', '']],
    ['declaredGoals', null],
    ['declaredGoals.0', ['x'.repeat(501)]],
    ['declaredGoals.0', ['a\0']],
    ['declaredGoals.0', ['\u200b\n']],
    ['attributes', null],
    ['attributes', []],
    ['attributes', 'text'],
    ['attributes', 1],
    ['attributes', { a: 'x'.repeat(20_000) }],
    ['attributes', { a: 'b\0' }],
    ['attributes', { 'a\0': 'b' }],
    ['attributes', { a: [{ b: 'c\ud800' }] }],
    ['attributes', nested(21)],
    ['language', null],
    ['language', ''],
    ['language', 'french'],
    ['language', 'fr_FR'],
    ['language', `fr-${'x'.repeat(40)}`],
  ];

  it.each(bad)('%s = %j', async (path, value) => {
    const [field = '', part] = path.split('.');
    const money = part && field === 'revenue' ? { amount: 1, currency: 'XOF', [part]: value } : value;
    const { errors, data } = await admin.send(UPDATE, { input: { city: 'Thiès', [field]: money } });
    expect({ data, errors }).toEqual({
      data: null,
      errors: [
        {
          message: expect.stringMatching(/^(This|These|No) [^{}<>]+\.$/),
          path: ['updateCompany'],
          locations: expect.any(Array),
          extensions: {
            code: 'BAD_USER_INPUT',
            path: ['input', ...path.split('.')],
            argument: `input.${path}`,
          },
        },
      ],
    });
    // Nothing of a request is stored of which a part is refused.
    expect(await admin.get('{ company { city } }')).toEqual({ company: { city: 'Dakar' } });
  });

  it.each([
    ['headcount', 1.5],
    ['headcount', '42'],
    ['headcount', 2 ** 31],
    ['name', 1],
    ['revenue', { amount: 1 }],
    ['revenue', { amount: '1', currency: 'XOF' }],
    ['declaredGoals', [null]],
    ['slug', 'other'],
    ['id', '00000000-0000-0000-0000-000000000000'],
  ])('what is of another type: %s = %j', async (field, value) => {
    expect(await admin.codes(UPDATE, { input: { [field]: value } })).toEqual(['BAD_USER_INPUT']);
  });

  it('an attribute that would be a prototype, nested however deep', async () => {
    const literals = ['{ __proto__: { admin: true } }', '{ a: [{ b: { __proto__: 1 } }] }'];
    for (const literal of literals) {
      const { errors } = await admin.send(
        `mutation { updateCompany(input: { attributes: ${literal} }) { id } }`,
      );
      expect(errors).toMatchObject([
        { message: 'No key may be __proto__.', extensions: { argument: 'input.attributes' } },
      ]);
    }
  });

  it.each([
    [
      'a word without quotes',
      '{ sector: AGRI }',
      'input.attributes.sector',
      'The word AGRI is no JSON: text needs quotes, as in "AGRI".',
    ],
    [
      'one in a list',
      '{ sectors: ["a", AGRI] }',
      'input.attributes.sectors.1',
      'The word AGRI is no JSON: text needs quotes, as in "AGRI".',
    ],
    [
      'a number beyond all',
      '{ headcount: 1e999 }',
      'input.attributes',
      'This holds a number that is too large.',
    ],
  ])('attributes that hold %s, and keeps those that there are', async (_what, literal, argument, message) => {
    const { errors } = await admin.send(
      `mutation { updateCompany(input: { attributes: ${literal} }) { id } }`,
    );
    const path = argument.split('.');
    expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT', path, argument } }]);
    const { company } = await admin.get<{ company: { profile: object } }>(
      '{ company { profile { attributes } } }',
    );
    expect(company.profile).toEqual({ attributes: known.attributes });
  });

  it.each([
    [80, 'This must be at most 20 levels deep.'],
    // It might end the process to look into them.
    [40_000, 'In a request, lists and objects are nested at most 100 deep.'],
  ])('attributes nested %i deep', async (depth, message) => {
    const body =
      `{"query":${JSON.stringify(UPDATE)},"variables":{"input":{"attributes":` +
      `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}}}`;
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${admin.token}` },
      body,
    });
    expect(await response.json()).toMatchObject({
      errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }],
    });
  });
});
