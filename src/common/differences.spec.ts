import { differences } from './differences.js';

interface Changes {
  name?: string | undefined;
  city?: string | null | undefined;
  goals?: string[] | undefined;
  attributes?: object | undefined;
}

const before = { id: '1', name: 'Teranga', city: null, goals: ['water'], attributes: { a: 1, b: [2] } };

it.each<[given: Changes, differing: Changes]>([
  [{}, {}],
  [{ name: 'Teranga', city: null }, {}],
  [
    { name: 'Baobab', city: 'Dakar' },
    { name: 'Baobab', city: 'Dakar' },
  ],
  [{ name: undefined, city: undefined }, {}],
  [{ goals: ['water'], attributes: { b: [2], a: 1 } }, {}],
  [
    { goals: [], attributes: { a: 1 } },
    { goals: [], attributes: { a: 1 } },
  ],
])('of %j are %j', (given, differing) => {
  expect(differences(before, given)).toStrictEqual(differing);
});
