import { type JsonObject, SkillError } from '@palabre/plugin';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

import { ScriptedPlatform } from '../scripted-platform.double.js';
import { instruments, loadFinancingData, purposes } from './financing-data.js';
import { FinancingMatchesDetails, type FinancingMatches } from './financing-matches.js';
import { membersOf, regions } from './places.js';
import { FindGreenFinancingSkill } from './find-green-financing.skill.js';
import { sampleContext } from '../report/fixtures.double.js';

type Profile = { country: string | null; sector: string | null };
const nobody: Profile = { country: null, sector: null };
const languages = ['en', 'fr', 'es', 'zh-Hant'] as const;

function skillFor(profile: Profile): FindGreenFinancingSkill {
  return new FindGreenFinancingSkill(new ScriptedPlatform(profile));
}

interface Told {
  result: JsonObject;
  details: FinancingMatches;
}

async function run(
  input: JsonObject,
  profile: Profile = nobody,
  language = 'en',
  signal = new AbortController().signal,
): Promise<Told> {
  const answer = await skillFor(profile).run(input, sampleContext({ language, signal }));
  return { result: answer.result as JsonObject, details: FinancingMatchesDetails.parse(answer.details) };
}

function everyProgramme({ matches, near, others }: FinancingMatches) {
  return [...matches, ...near, ...others];
}
function plain(text: string): string {
  return text.replaceAll(/[\u00A0\u202F]/g, ' ');
}

const data = loadFinancingData();
const bakery: Profile = { country: 'SN', sector: 'agroalimentaire' };
const solar: JsonObject = { need: 'panneaux solaires', amount: { value: 50_000_000, currency: 'XOF' } };

/** The longest notes beside the programmes. */
const unreadNeeds: [JsonObject, (typeof languages)[number]][] = languages.map((language) => [
  {
    country: 'AO',
    need: 'un nouveau logo, brodé sur les tabliers de tout l’atelier',
    sector: 'zzz qqq',
    amount: { value: 1, currency: 'EUR' },
    instrument: 'loan',
  },
  language,
]);

const anyInput: fc.Arbitrary<JsonObject> = fc.record(
  {
    country: fc.constantFrom(...membersOf('africa'), 'FR', 'CO'),
    region: fc.constantFrom(...regions),
    sector: fc.constantFrom('agroalimentaire', 'hôtellerie', 'BTP', 'energy', 'pesca', 'x'),
    need: fc.constantFrom(...purposes, 'pompes solaires', 'fonds de roulement', 'un logo'),
    amount: fc.record({
      value: fc.integer({ min: 1, max: 10 ** 10 }),
      currency: fc.constantFrom('EUR', 'USD', 'XOF', 'MAD', 'KES'),
    }),
    instrument: fc.constantFrom(...instruments),
  },
  { requiredKeys: [] },
);

describe('the parameters', () => {
  const skill = skillFor(nobody);
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile(skill.parameters);

  it('compile strictly, and take nothing as well as everything', () => {
    expect(validate({})).toBe(true);
    expect(validate({ ...solar, country: 'SN', sector: 'x', instrument: 'loan' })).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(skill.parameters))).toBeLessThan(2_500);
  });

  it.each<[string, JsonObject]>([
    ['a country of one letter', { country: 'S' }],
    ['a region that is none', { region: 'atlantis' }],
    ['an amount of no currency', { amount: { value: 5 } }],
    ['an amount of nothing', { amount: { value: 0, currency: 'EUR' } }],
    ['an instrument that is none', { instrument: 'lottery' }],
    ['another field', { rate: 5 }],
    ['a novel', { need: 'x'.repeat(301) }],
  ])('refuse %s', async (_, input) => {
    expect(validate(input)).toBe(false);
    await expect(run(input)).rejects.toThrow(SkillError);
  });
});

it('takes a country by its name and an amount as people write it, and says of neither what it guessed', async () => {
  const loose = await run({ country: 'Sénégal', amount: { value: '20 000 000', currency: 'XOF' } });
  const exact = await run({ country: 'SN', amount: { value: 20_000_000, currency: 'XOF' } });
  expect(loose).toEqual(exact);
  await expect(run({ country: 'Sénégalia' })).rejects.toThrow('nearest: SN (Senegal)');
});

describe('the answer', () => {
  it('takes country and sector from the profile, and says so', async () => {
    const { details } = await run(solar, bakery, 'fr');
    expect(details.query).toMatchObject({
      country: { code: 'SN', label: 'Sénégal', from: 'profile' },
      sector: { text: 'agroalimentaire', from: 'profile', recognised: [{ code: 'agro-industry' }] },
      need: { recognised: [{ code: 'renewable-energy', label: 'énergies renouvelables' }] },
    });
    // Direct programmes come first, then those through a bank.
    const accesses = details.matches.map(({ access }) => access.code);
    expect(accesses.lastIndexOf('direct')).toBeLessThan(accesses.indexOf('via_bank'));
    expect(details.summary).toContain(
      `dont ${accesses.filter((code) => code === 'direct').length} à demander directement`,
    );
    expect(details.notes).toContain(
      'Franc CFA et euro sont comparés à la parité fixée par les textes : 1 EUR = 655,957 XOF ou XAF.',
    );
  });

  it('goes by what is stated before the profile', async () => {
    const { details } = await run({ country: 'KE', sector: 'hotel' }, bakery);
    expect(details.query.country).toMatchObject({ code: 'KE', from: 'stated' });
    expect(details.query.sector).toMatchObject({ from: 'stated', recognised: [{ code: 'hotels' }] });
    const regional = await run({ region: 'cemac' }, bakery);
    expect(regional.details.query).toMatchObject({ country: null, region: { code: 'cemac' } });
  });

  it('compares francs with euros at the parity, and nothing else', async () => {
    const { details } = await run({ country: 'BF', amount: { value: 1_311_914_000, currency: 'XOF' } });
    const reasonOf = (id: string) =>
      plain(
        everyProgramme(details)
          .find((one) => one.id === id)
          ?.verdicts.find(({ criterion }) => criterion === 'amount')?.reason ?? '',
      );
    expect(reasonOf('bgfa')).toBe(
      'EUR 1,000,000 to EUR 5,000,000 (results contract), your amount being EUR 2,000,000 at the fixed parity',
    );
    expect(reasonOf('youthadapt')).toBe('stated in USD, not comparable without an exchange rate');
    expect(reasonOf('gcf')).toBe('not stated, ask');
  });

  it('says what stands in the way of what nearly fits', async () => {
    const { result } = await run({ country: 'SN', need: 'solar panels', instrument: 'grant' });
    expect(result.near).toContainEqual({
      name: expect.any(String),
      inTheWay: expect.stringMatching(/^kind of finance: only offers /),
    });
  });

  it('says why there is nothing, and what to leave out', async () => {
    const { details, result } = await run(
      { country: 'DZ', need: 'reboisement', instrument: 'investment_bonus' },
      nobody,
      'fr',
    );
    expect(details.matches).toEqual([]);
    expect(details.summary).toContain('Aucun programme des données ne convient (Algérie, forêts');
    expect(details.widen[0]).toMatch(/^Sans le critère « type de financement » : \d+\.$/);
    expect(result.widen).toEqual(details.widen);
  });

  it('says what was not understood', async () => {
    const { details } = await run({ country: 'ES', need: 'un logo', sector: 'qwerty' }, nobody, 'es');
    expect(details.notes).toHaveLength(3);
    expect(details.notes[0]).toContain('España');
    expect(details.notes[1]).toContain('«un logo» no se ha reconocido');
    expect(details.notes[2]).toContain('«qwerty»');
  });

  it.each(languages)('is in %s, with nothing left out of its words', async (language) => {
    const { details, result } = await run({ ...solar, instrument: 'loan' }, bakery, language);
    expect(details.language).toBe(language);
    expect(details.reminder).toBe(result.reminder);
    const told = JSON.stringify(result) + JSON.stringify(details);
    expect(told).not.toMatch(/undefined|NaN|\[object/);
    expect(details.summary.length).toBeLessThanOrEqual(300);
  });

  it('does not share a sentence between languages', async () => {
    const all = await Promise.all(languages.map((language) => run(solar, bakery, language)));
    for (const pick of ['summary', 'ranking', 'reminder'] as const)
      expect(new Set(all.map(({ details }) => details[pick])).size).toBe(languages.length);
  });

  it('does not run for a turn that is over', async () => {
    await expect(run({}, nobody, 'en', AbortSignal.abort())).rejects.toThrow(/abort/i);
  });
});

describe('laws', () => {
  it('is whole: every programme once, with a reason for every verdict, and the source of each', async () => {
    await fc.assert(
      fc.asyncProperty(anyInput, fc.constantFrom(...languages), async (input, language) => {
        const all = everyProgramme((await run(input, bakery, language)).details);
        expect(all.map(({ id }) => id).toSorted()).toEqual(data.programmes.map(({ id }) => id).toSorted());
        expect(all.flatMap(({ verdicts }) => verdicts).every(({ reason }) => reason.trim() !== '')).toBe(
          true,
        );
        expect(all.every(({ sources }) => sources.every(({ type }) => type.label !== ''))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('has no amount that the data has not', async () => {
    await fc.assert(
      fc.asyncProperty(anyInput, fc.constantFrom(...languages), async (input, language) => {
        for (const { id, amount } of everyProgramme((await run(input, bakery, language)).details)) {
          const programme = data.programmes.find((one) => one.id === id);
          expect([amount.min, amount.max]).toEqual([programme?.ticketMin, programme?.ticketMax]);
          const stated = [amount.min, amount.max].filter((value) => value !== null);
          const told = [...amount.text.matchAll(/\d[\d.,\u00A0\u202F]*\d/g)].map(([figure]) =>
            Number(figure.replaceAll(/\D/g, '')),
          );
          expect(told).toEqual(stated);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('is short for the model', async () => {
    await fc.assert(
      fc.asyncProperty(anyInput, fc.constantFrom(...languages), async (input, language) => {
        const { result } = await run(input, bakery, language);
        expect(countTokens(JSON.stringify(result))).toBeLessThan(1_500);
      }),
      { numRuns: 30, examples: unreadNeeds },
    );
  });
});
