import { reencryptSecrets } from '../../src/app/cli/reencrypt-secrets.js';
import type { Database } from '../../src/platform/database/database.js';
import { Secrets } from '../../src/platform/secrets.js';
import { SECRET } from '../harness/start-app.js';
import { tablesHolding } from '../harness/stored-anywhere.js';
import { ownSkill, TwoCompanies } from '../harness/two-companies.js';

const NEW = 'the new secret for tests that is long enough';

it('leaves nothing that an old key is needed for, also when it is broken off and begun again', async () => {
  await using companies = await TwoCompanies.start({ isLasting: true });
  const { app, people } = companies;
  const before = new Secrets(SECRET);
  const after = new Secrets(NEW, [SECRET]);
  for (const admin of [people.ada, people.bob]) {
    await admin.get(
      `mutation ($skill: RegisterHttpSkillInput!) { registerHttpSkill(input: $skill) { id } }`,
      {
        skill: {
          ...ownSkill('get_secretly'),
          secrets: [{ in: 'HEADER', name: 'authorization', value: 'Bearer 1234567890' }],
        },
      },
    );
  }
  // Whatever column holds what is encrypted is found by the name of its key.
  const held = await tablesHolding(app.database, before.prefix);
  expect(held.length).toBeGreaterThanOrEqual(2);
  expect(held).toContain('webhook');
  await expect(reencryptSecrets(breakingOff(app.database), after)).rejects.toThrow('broken off');
  const rest = await reencryptSecrets(app.database, after);
  expect(rest.unreadable).toBe(0);
  expect(rest.done).toBeGreaterThan(0);
  expect(await tablesHolding(app.database, before.prefix)).toEqual([]);
  expect(await tablesHolding(app.database, after.prefix)).toEqual(held);
  expect(await reencryptSecrets(app.database, after)).toEqual({ done: 0, unreadable: 0 });
  expect((await reencryptSecrets(app.database, before)).unreadable).toBeGreaterThan(rest.done);
  await app.restart({ ENCRYPTION_KEY: NEW });
  const admin = await app.client({ company: await slugOf(companies) });
  const { webhooks } = await admin.get<{ webhooks: { id: string }[] }>('{ webhooks { id } }');
  const { testWebhook } = await admin.get<{ testWebhook: { failure: string } }>(
    'mutation ($id: ID!) { testWebhook(id: $id) { failure } }',
    { id: webhooks[0]?.id },
  );
  // It gets as far as looking for the host.
  expect(testWebhook.failure).toBe('There is no server of this name.');
});

async function slugOf({ app, ours }: TwoCompanies): Promise<string> {
  const rows = await app.database.transaction(ours, (tx) =>
    tx.query<{ slug: string }>('SELECT slug FROM company WHERE id = $1', [ours]),
  );
  return rows[0]?.slug ?? '';
}

/** The database, until a batch of a company's own has been carried out. */
function breakingOff(database: Database): Database {
  let isOver = false;
  return {
    systemTransaction: database.systemTransaction.bind(database),
    transaction: async (...work: Parameters<Database['transaction']>) => {
      if (isOver) throw new Error('broken off');
      const last = await database.transaction(...work);
      isOver = last !== null;
      return last;
    },
  } as unknown as Database;
}
