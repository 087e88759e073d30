import { type Palabre, PalabreError } from '@palabre/client';

import { attachmentProblem } from './attachment-problem.js';

const files = new Map([
  ['a', { id: 'a', name: 'bilan.pdf', error: 'Le document est endommagé.' }],
  ['b', { id: 'b', name: 'note.txt', error: null }],
]);

const palabre = {
  request: (_document: unknown, { id }: { id: string }) =>
    Promise.resolve({ attachment: files.get(id) ?? null }),
} as unknown as Pick<Palabre, 'request'>;

function refusal(argument: string): PalabreError {
  return new PalabreError('BAD_USER_INPUT', 'In English.', { extensions: { argument } });
}

it('says which file cannot be attached, and why', async () => {
  expect(await attachmentProblem(palabre, refusal('input.attachmentIds'), ['a', 'b', 'c'])).toBe(
    'bilan.pdf: Le document est endommagé.',
  );
});

it.each([
  ['another argument', refusal('input.message'), ['a']],
  ['another error', new Error('away'), ['a']],
  ['files that nothing is wrong with', refusal('input.attachmentIds'), ['b']],
])('says nothing of %s', async (_, error, ids) => {
  expect(await attachmentProblem(palabre, error, ids)).toBeNull();
});

it('says nothing where it cannot be found out', async () => {
  const away = { request: () => Promise.reject(new Error('away')) } as unknown as Pick<Palabre, 'request'>;
  expect(await attachmentProblem(away, refusal('input.attachmentIds'), ['a'])).toBeNull();
});
