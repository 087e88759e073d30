import fc from 'fast-check';
import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import {
  memoriesOf,
  type MemoryView,
  tryToForget,
  tryToRemember,
  tryToUpdate,
} from '../harness/memory-view.js';
import { identityOf } from '../harness/notification-view.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { GraphQLAnswer, TestClient } from '../harness/test-client.js';

const SHARED = 'everybody';
const people = ['awa', 'ben', 'ada'] as const;
type Person = (typeof people)[number];

const kinds = ['FACT', 'CONTACT'] as const;
/** The first two are one subject. */
const subjects = ['Marc', 'MÀRC', 'Léa'];
const contents = ['Boit du thé.', 'Boit du café.', 'Boit de l’eau.'];

type Step = { who: Person } & (
  | { do: 'remember'; kind: string; subject: string; content: string; shared: boolean }
  | { do: 'update'; target: number; content: string }
  | { do: 'forget'; target: number }
);

/** Shared memories have histories too: an admin is there as often as both members. */
const who = fc.constantFrom(...people, 'ada' as const);
const content = fc.constantFrom(...contents);
/** Which of all the versions that there ever were, counted from the newest. */
const target = fc.nat(3);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('remember' as const),
      who,
      kind: fc.constantFrom(...kinds),
      subject: fc.constantFrom(...subjects),
      content,
      shared: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('update' as const), who, target, content }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('forget' as const), who, target }) },
);

interface Version {
  id: string;
  subject: string;
  content: string;
}

/** What should be remembered: of each subject its versions, the newest first. */
class Memories {
  private readonly lineages: { owner: string; key: string; kind: string; versions: Version[] }[] = [];
  private readonly everyId: string[] = [];

  /** What the step should be answered with: a code, or nothing; `stored` is the id that it was really answered with. */
  codeOf(step: Step): string | null {
    if (step.do === 'remember') return step.shared && step.who !== 'ada' ? 'FORBIDDEN' : null;
    const lineage = this.lineageOf(step);
    if (!lineage) return 'NOT_FOUND';
    if (lineage.owner === SHARED && step.who !== 'ada') return 'FORBIDDEN';
    return step.do === 'update' && lineage.versions[0]?.id !== this.idOf(step) ? 'CONFLICT' : null;
  }

  apply(step: Step, id: string): void {
    if (step.do === 'forget') return this.forget(step);
    const lineage = step.do === 'update' ? this.lineageOf(step) : this.sameSubject(step);
    const newest = lineage?.versions[0];
    const subject = step.do === 'remember' ? step.subject : newest!.subject;
    const version = { id, subject, content: step.content };
    if (newest?.content === step.content && newest.subject === subject) {
      if (id !== newest.id) throw new Error('The same said again is not the version there was.');
      return;
    }
    if (this.everyId.includes(id)) throw new Error('Something new is a version that there was.');
    this.everyId.unshift(id);
    if (lineage) lineage.versions.unshift(version);
    else if (step.do === 'remember') {
      const owner = step.shared ? SHARED : step.who;
      this.lineages.push({ owner, kind: step.kind, key: keyOf(step.subject), versions: [version] });
    }
  }

  idOf({ target }: { target: number }): string {
    return this.everyId[target] ?? '00000000-0000-7000-8000-000000000000';
  }

  /** What a person should see, in whatever order. */
  seenBy(person: Person, active: boolean): Version[] {
    return this.lineages
      .filter(({ owner }) => owner === person || owner === SHARED)
      .flatMap(({ versions }) => (active ? versions.slice(0, 1) : versions.slice(1)));
  }

  /** All that is in force, with whose it is. */
  inForce(): { owner: string; kind: string; id: string }[] {
    return this.lineages.flatMap(({ owner, kind, versions }) =>
      versions.slice(0, 1).map(({ id }) => ({ owner, kind, id })),
    );
  }

  private forget(step: Step & { do: 'forget' }): void {
    const lineage = this.lineageOf(step)!;
    const index = lineage.versions.findIndex(({ id }) => id === this.idOf(step));
    lineage.versions.splice(index);
  }

  /** That of the step's target, if whoever does it may see it. */
  private lineageOf(step: Step & { target: number }) {
    const id = this.idOf(step);
    return this.lineages.find(
      ({ owner, versions }) =>
        (owner === step.who || owner === SHARED) && versions.some((version) => version.id === id),
    );
  }

  private sameSubject({ who, kind, subject, shared }: Step & { do: 'remember' }) {
    const of = shared ? SHARED : who;
    return this.lineages.find(
      (lineage) =>
        lineage.owner === of &&
        lineage.kind === kind &&
        lineage.key === keyOf(subject) &&
        lineage.versions.length > 0,
    );
  }
}

function keyOf(subject: string): string {
  return subject === 'Léa' ? 'lea' : 'marc';
}

async function carryOut(client: TestClient, step: Step, id: string): Promise<GraphQLAnswer<Data>> {
  if (step.do === 'forget') return tryToForget(client, id);
  if (step.do === 'update') return tryToUpdate(client, id, { content: step.content });
  const { kind, subject, content, shared } = step;
  return tryToRemember(client, { kind, subject, content, shared });
}

interface Data {
  remember?: MemoryView;
  updateMemory?: MemoryView;
  forget?: string;
}

let app: TestApp;

beforeAll(async () => {
  app = await startApp(() => [text('Bonjour.'), finish()], { MAX_OPERATIONS_PER_MINUTE: '1000000' });
});
afterAll(() => app[Symbol.asyncDispose]());

async function clientsOf(): Promise<Record<Person, TestClient>> {
  const company = await app.company();
  const [awa, ben, ada] = await Promise.all([
    app.client({ company, sub: 'awa', role: 'MEMBER' }),
    app.client({ company, sub: 'ben', role: 'MEMBER' }),
    app.client({ company, sub: 'ada', role: 'ADMIN' }),
  ]);
  return { awa, ben, ada };
}

function inOrder(versions: readonly Version[]): Version[] {
  return versions
    .map(({ id, subject, content }) => ({ id, subject, content }))
    .toSorted((one, other) => (one.id < other.id ? 1 : -1));
}

/** What is searched, what names are looked up in and what is counted must be what is in force, and nothing else. */
async function checkWhatFindsThem(client: TestClient, expected: Memories): Promise<void> {
  const { companyId } = await identityOf(client);
  const read = <Row>(sql: string): Promise<Row[]> =>
    app.database.read(companyId, (tx) => tx.query<Row>(sql, [companyId]));
  const idsIn = async (sql: string): Promise<string[]> =>
    (await read<{ id: string }>(sql)).map(({ id }) => id);
  const inForce = expected.inForce().toSorted((one, other) => (one.id < other.id ? -1 : 1));
  expect(await idsIn('SELECT item_id AS id FROM search_item WHERE company_id = $1 ORDER BY 1')).toEqual(
    inForce.map(({ id }) => id),
  );
  expect(
    await idsIn('SELECT DISTINCT memory_id AS id FROM memory_name WHERE company_id = $1 ORDER BY 1'),
  ).toEqual(inForce.filter(({ kind }) => kind === 'CONTACT').map(({ id }) => id));
  const counts = await read<{ name: string; count: number }>(
    `SELECT coalesce(member.name, '${SHARED}') AS name, in_force AS count FROM memory_owner
     LEFT JOIN member ON member.company_id = $1 AND member.id = owner_id
     WHERE memory_owner.company_id = $1 AND in_force <> 0`,
  );
  const counted = Object.entries(Object.groupBy(inForce, ({ owner }) => owner));
  expect(Object.fromEntries(counts.map(({ name, count }) => [name, count]))).toEqual(
    Object.fromEntries(counted.map(([owner, memories = []]) => [owner, memories.length])),
  );
}

it('each sees what was remembered for them and not forgotten, whatever was done and in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }), async (steps) => {
      const clients = await clientsOf();
      const expected = new Memories();
      for (const step of steps) {
        const id = step.do === 'remember' ? '' : expected.idOf(step);
        const code = expected.codeOf(step);
        const { data, errors } = await carryOut(clients[step.who], step, id);
        expect([step, errors?.[0]?.extensions.code ?? null]).toEqual([step, code]);
        if (code === null) expected.apply(step, (data?.remember ?? data?.updateMemory)?.id ?? id);
      }
      for (const person of people) {
        for (const active of [true, false]) {
          const seen = await memoriesOf(clients[person], { active });
          expect([person, seen.map(({ id, subject, content }) => ({ id, subject, content }))]).toEqual([
            person,
            inOrder(expected.seenBy(person, active)),
          ]);
        }
      }
      await checkWhatFindsThem(clients.ada, expected);
    }),
    { numRuns: 20, endOnFailure: true },
  );
}, 180_000);
