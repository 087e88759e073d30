import fc from 'fast-check';

import { newId } from '../common/ids.js';
import { addressOfApiKey, newApiKey } from './api-key.js';

it('is found by its company and its digest, which tells nothing of it', () => {
  const companyId = newId();
  const key = newApiKey(companyId);
  const address = addressOfApiKey(key);
  expect(address).toEqual({ companyId, digest: expect.stringMatching(/^[\w-]{43}$/) });
  expect(key).not.toContain(address?.digest);
  expect(addressOfApiKey(newApiKey(companyId))?.digest).not.toBe(address?.digest);
});

it('is another one when anything of it is changed', () => {
  const key = newApiKey(newId());
  fc.assert(
    fc.property(fc.nat(key.length - 1), fc.constantFrom(...'aZ9-_ é'), (at, character) => {
      fc.pre(key[at] !== character);
      const changed = key.slice(0, at) + character + key.slice(at + 1);
      expect(addressOfApiKey(changed)?.digest).not.toBe(addressOfApiKey(key)?.digest);
    }),
  );
});

it.each(['', 'plb_', `plb_${'A'.repeat(65)}=`, `plb_${'A'.repeat(66)}`])(
  'is none of another form: %s',
  (text) => {
    expect(addressOfApiKey(text)).toBeNull();
  },
);
