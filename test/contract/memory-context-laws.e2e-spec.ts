import fc from 'fast-check';
import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { ContextCache } from '../../src/memory/context/context-cache.service.js';
import { contextOf, type ContextView } from '../harness/memory-context-view.js';
import { forget, remember } from '../harness/memory-view.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

let app: TestApp;

beforeAll(async () => {
  app = await shareApp(() => [text('Bien.'), finish()]);
});
afterAll(() => app[Symbol.asyncDispose]());
afterEach(() => void vi.restoreAllMocks());

const people = ['awa', 'ben'] as const;
const kinds = ['PREFERENCE', 'PROJECT', 'CONTACT', 'FACT'] as const;
const subjects = ['Baobab', 'Marc Dupont', 'Café'] as const;
const messages = [
  'Où en est Baobab ?',
  'Que boit Marc Dupont ?',
  'BAOBAB, café, Marc Dupont',
  'Bonjour',
] as const;

const anyStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('remember' as const),
      who: fc.nat(1),
      kind: fc.constantFrom(...kinds),
      subject: fc.constantFrom(...subjects),
      shared: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('forget' as const), which: fc.nat(20) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('ask' as const),
      who: fc.nat(1),
      message: fc.constantFrom(...messages),
    }),
  },
);

/** What is in force, as it should be. */
interface Noted {
  id: string;
  owner: string | null;
  key: string;
  mark: string;
}

function visibleTo(noted: readonly Noted[], person: string): string[] {
  return noted.filter(({ owner }) => owner === null || owner === person).map(({ mark }) => mark);
}

/** What was noted carries a mark of its own, which says that it is told. */
function marksIn({ text: told }: ContextView): string[] {
  return told.match(/mark-\d+/g) ?? [];
}

describe('whatever is noted, corrected and forgotten', () => {
  it('a context holds only what is in force of the member and the company, and is as if made anew', async () => {
    const seen = { told: 0, cached: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 6, maxLength: 16 }), async (steps) => {
        const company = await app.company();
        const admins = await Promise.all(people.map((sub) => app.client({ company, sub, role: 'ADMIN' })));
        let noted: Noted[] = [];
        for (const [index, step] of steps.entries()) {
          if (step.does === 'remember') noted = await note(admins, noted, step, `mark-${index}`);
          else if (step.does === 'forget') noted = await forgetOne(admins, noted, step.which);
          else {
            const context = await ask(admins[step.who]!, step.message);
            const marks = marksIn(context);
            expect(visibleTo(noted, people[step.who]!)).toEqual(expect.arrayContaining(marks));
            expect(new Set(marks).size).toBe(marks.length);
            seen.told += marks.length;
            seen.cached += Number(context.cached);
          }
        }
      }),
      { numRuns: 12, endOnFailure: true },
    );
    expect(seen.told).toBeGreaterThan(0);
    expect(seen.cached).toBeGreaterThan(0);
  });
});

async function note(
  admins: readonly TestClient[],
  noted: readonly Noted[],
  { who, kind, subject, shared }: { who: number; kind: string; subject: string; shared: boolean },
  mark: string,
): Promise<Noted[]> {
  const { id } = await remember(admins[who]!, { kind, subject, content: `${subject} ${mark}`, shared });
  const owner = shared ? null : people[who]!;
  const key = JSON.stringify([owner, kind, subject]);
  return [...noted.filter((one) => one.key !== key), { id, owner, key, mark }];
}

async function forgetOne(
  admins: readonly TestClient[],
  noted: readonly Noted[],
  which: number,
): Promise<Noted[]> {
  const gone = noted[which % Math.max(1, noted.length)];
  if (!gone) return [...noted];
  const owner =
    admins[
      Math.max(
        0,
        people.findIndex((person) => person === gone.owner),
      )
    ]!;
  await forget(owner, gone.id);
  return noted.filter((one) => one !== gone);
}

/** Asks twice, and once more as if nothing were known. */
async function ask(client: TestClient, message: string): Promise<ContextView> {
  const asked = { assistantKey: 'mefali' };
  const first = await contextOf(client, message, asked);
  const again = await contextOf(client, message, asked);
  // Where nothing was ever noted, there is nothing to be kept.
  expect(again).toEqual({ ...first, cached: first.text !== '' || again.cached });
  const find = vi.spyOn(ContextCache.prototype, 'find').mockReturnValue(null);
  const fresh = await contextOf(client, message, asked);
  find.mockRestore();
  expect({ ...first, cached: false }).toEqual(fresh);
  return again;
}

describe('whatever of many notes has the same name', () => {
  it('a question with that name and words that no note has is told relevant ones, as before another is noted', async () => {
    const anyWords = fc.array(fc.constantFrom('budget', 'retard', 'maquette', 'client', 'hébergeur'), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anyWords, { minLength: 1, maxLength: 6 }), async (notes) => {
        const awa = await app.client({ company: await app.company(), sub: 'awa', role: 'MEMBER' });
        for (const [index, words] of notes.entries()) {
          await remember(awa, {
            kind: 'FACT',
            subject: `Baobab ${index}`,
            content: `Baobab : ${words.join(' ')}`,
          });
          const { items } = await contextOf(awa, 'Où en est Baobab, et que dirait aissatou diallo ?');
          expect(items.filter(({ score }) => score > 0)).not.toEqual([]);
        }
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });
});
