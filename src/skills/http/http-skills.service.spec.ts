import type { OutboundHttp } from '@palabre/outbound';
import type { JsonObject } from '@palabre/json';

import type { Viewer } from '../../companies/auth/viewer.js';
import type { AuditService } from '../../companies/audit/audit.service.js';
import type { Database } from '../../platform/database/database.js';
import type { OwnSkill, SkillDefinitions } from '../skill-definitions.service.js';
import type { SkillRepository } from '../skill.repository.js';
import { checkedHttpSkill, HttpSkillInput } from './http-skill-input.js';
import { HttpSkills } from './http-skills.service.js';
import type { SkillMakers } from '../skill-sources.service.js';

const admin = { id: 'ada', companyId: 'c', role: 'ADMIN' } as Viewer;

/** A database that records its statements. */
function watched() {
  const stored: string[] = [];
  let transactions = 0;
  const database = {
    transaction: (_: string, work: (tx: unknown) => Promise<unknown>) => {
      transactions += 1;
      return work({});
    },
  };
  const definitions = { put: async (_: unknown, { key }: OwnSkill) => void stored.push(key) };
  const skills = new HttpSkills(
    database as unknown as Database,
    definitions as unknown as SkillDefinitions,
    {} as SkillRepository,
    {} as OutboundHttp,
    { record: () => Promise.resolve() } as unknown as AuditService,
    { register: () => undefined } as unknown as SkillMakers,
  );
  return { skills, stored, transactions: () => transactions };
}

function inputOf(over: JsonObject = {}): JsonObject {
  return {
    key: 'get_item',
    name: 'Item',
    description: 'Gets an item.',
    method: 'GET',
    url: 'https://api.example.com/items',
    parameters: { type: 'object' },
    ...over,
  };
}

const fields = Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`f${index}`, { type: 'null' }]));

it.each<[string, JsonObject]>([
  ['is none', { properties: { a: { type: 'text' } } }],
  ['has too many parts', { properties: fields }],
])('a schema that %s is refused before there is a transaction', async (_, parameters) => {
  const { skills, transactions } = watched();
  const input = inputOf({ parameters });
  await expect(skills.register(admin, input)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  // Imports use the same check before `registerAll`.
  const check = () => checkedHttpSkill(HttpSkillInput.parse(input));
  expect(check).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }));
  expect(transactions()).toBe(0);
});

it('several are stored in the order of their keys, whatever order they come in', async () => {
  const { skills, stored, transactions } = watched();
  const inputs = ['list_b', 'list_c', 'list_a'].map((key) =>
    checkedHttpSkill(HttpSkillInput.parse(inputOf({ key }))),
  );
  await skills.registerAll(admin, inputs);
  expect(stored).toEqual(['list_a', 'list_b', 'list_c']);
  expect(transactions()).toBe(1);
});
