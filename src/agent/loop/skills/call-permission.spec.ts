import { type CallCircumstances, permissionFor } from './call-permission.js';

const circumstances = {
  effect: { changes: 'NOTHING' },
  required: null,
  callsUnknownAddress: false,
  hasForeignText: false,
  policy: 'ASK',
} as const satisfies CallCircumstances;

const here = { effect: { changes: 'HERE' } } as const;
const elsewhere = { effect: { changes: 'ELSEWHERE' } } as const;
const unknown = { callsUnknownAddress: true } as const;
const [run, ask, refuse] = [{ policy: 'RUN' }, { policy: 'ASK' }, { policy: 'REFUSE' }] as const;
const foreign = { hasForeignText: true } as const;

describe('a skill call', () => {
  it.each<[CallCircumstances | object, string]>([
    // A turn that has read nothing of strangers.
    [{}, 'RUN'],
    [here, 'RUN'],
    [unknown, 'RUN'],
    [elsewhere, 'ASK'],
    [{ ...here, ...refuse }, 'RUN'],
    [{ ...elsewhere, ...run }, 'ASK'],
    [{ ...elsewhere, ...refuse }, 'ASK'],
    // One that has.
    [foreign, 'RUN'],
    [{ ...foreign, ...refuse }, 'RUN'],
    ...[here, unknown].flatMap((risk): [object, string][] => [
      [{ ...foreign, ...risk, ...run }, 'RUN'],
      [{ ...foreign, ...risk, ...ask }, 'ASK'],
      [{ ...foreign, ...risk, ...refuse }, 'REFUSE'],
    ]),
    [{ ...foreign, ...elsewhere, ...run }, 'ASK'],
    [{ ...foreign, ...elsewhere, ...ask }, 'ASK'],
    [{ ...foreign, ...elsewhere, ...refuse }, 'REFUSE'],
    // What an admin has decided.
    ...[{}, here, elsewhere, unknown].flatMap((risk) =>
      [{}, foreign].flatMap((read) =>
        [run, ask, refuse].flatMap((policy): [object, string][] => [
          [{ ...risk, ...read, ...policy, required: true }, 'ASK'],
          [{ ...risk, ...read, ...policy, required: false }, 'RUN'],
        ]),
      ),
    ),
  ])('of %o: %s', (changes, permission) => {
    expect(permissionFor({ ...circumstances, ...changes })).toBe(permission);
  });
});
