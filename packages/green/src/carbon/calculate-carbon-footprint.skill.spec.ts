import { type JsonObject, SkillAnswer, type SkillContext, SkillError } from '@palabre/plugin';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

import { CarbonFootprintDetails, type CarbonFootprint, footprints } from './footprint-details.js';
import { loadEmissionData } from './emission-data.js';
import { ArgumentReader } from './footprint-arguments.js';
import { CalculateCarbonFootprintSkill } from './calculate-carbon-footprint.skill.js';
import { ScriptedPlatform } from '../scripted-platform.double.js';

/** A company whose language is the asker's, unless it has one. */
function skillOf(language: string | null = null, country: string | null = null) {
  return new CalculateCarbonFootprintSkill(
    new ScriptedPlatform({ country, ...(language !== null && { language }) }),
  );
}
const skill = skillOf();
const ids = {
  companyId: 'c',
  memberId: 'm',
  role: 'ADMIN' as const,
  conversationId: 'v',
  turnId: 't',
  questionId: 'q',
  documentIds: [],
  callId: '1',
};

function answer(input: JsonObject, context: Partial<SkillContext> = {}): Promise<SkillAnswer> {
  return skillOf().run(input, {
    ...ids,
    language: 'en',
    assistantKey: 'mefali',
    signal: new AbortController().signal,
    progress: () => undefined,
    ...context,
  });
}
async function run(input: JsonObject, context: Partial<SkillContext> = {}): Promise<JsonObject> {
  const { result } = await answer(input, context);
  if (result === null || typeof result !== 'object' || Array.isArray(result))
    throw new TypeError('no object');
  return result;
}
async function details(input: JsonObject, language = 'en'): Promise<CarbonFootprint> {
  return CarbonFootprintDetails.parse((await answer(input, { language })).details);
}
async function summary(input: JsonObject, language: string) {
  return String((await run(input, { language })).summary).replaceAll(/[\u00a0\u202f]/g, ' ');
}

const sample: JsonObject = {
  country: 'SN',
  period: '2025',
  items: [
    { activity: 'electricity', quantity: 12_000, unit: 'kWh' },
    { activity: 'diesel', quantity: 3_500, unit: 'litre' },
  ],
};
const withRefusals: JsonObject = {
  items: [
    { activity: 'electricity', quantity: 1, unit: 'MWh', country: 'CF' },
    { activity: 'charcoal', quantity: 1, unit: 'tonne' },
    { activity: 'petrol', quantity: 100, unit: 'litre' },
  ],
};

describe('the parameters', () => {
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile(skill.parameters);

  it('compile strictly and take the sample', () => {
    expect(validate(sample)).toBe(true);
    expect(validate(withRefusals)).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ['no items', { items: [] }],
    [
      'too many items',
      { items: Array.from({ length: 101 }, () => ({ activity: 'diesel', quantity: 1, unit: 'kg' })) },
    ],
    ['no activity', { items: [{ quantity: 1, unit: 'kg' }] }],
    ['a quantity that is none', { items: [{ activity: 'diesel', quantity: true, unit: 'kg' }] }],
    ['another field', { ...sample, company: 'x' }],
  ])('refuse %s', (_, input) => {
    expect(validate(input)).toBe(false);
  });

  it('stay small enough to be sent with every call', () => {
    expect(countTokens(JSON.stringify(skill.parameters))).toBeLessThan(400);
  });
});

describe('arguments', () => {
  it('may be words in any language, and numbers as people write them', async () => {
    const loose: JsonObject = {
      ...sample,
      country: 'Sénégal',
      items: [
        { activity: 'Électricité', quantity: '12 000 kWh' },
        { activity: 'gasoil', quantity: '3,500.0', unit: 'L' },
      ],
    };
    expect(await run(loose)).toEqual(await run(sample));
  });

  it('that are not understood are all answered at once, with the nearest that are', async () => {
    const items: JsonObject[] = [
      { activity: 'gaz naturelle', quantity: 1, unit: 'm3' },
      { activity: 'diesel', quantity: '3 500' },
      { activity: 'diesel', quantity: '1,200', unit: 'litre' },
    ];
    const refused = run({ items });
    await expect(refused).rejects.toBeInstanceOf(SkillError);
    await expect(refused).rejects.toThrow(
      /No activity is called “gaz naturelle”\. Nearest: natural gas.*\nThe quantity of “diesel” needs its unit\.\n“1,200” may be/s,
    );
    await expect(run({ ...sample, country: 'Sénégall' })).rejects.toThrow('nearest: SN (Senegal)');
  });

  it('that are not understood are answered in the words of whoever reads it', async () => {
    const french = (input: JsonObject): Promise<JsonObject> => run(input, { language: 'fr' });
    const items = [{ activity: 'gas oil', quantity: 1, unit: 'litre' }];
    await expect(french({ items })).rejects.toThrow(/Les plus proches : .*gaz naturel/);
    await expect(french({ ...sample, country: 'Chinne' })).rejects.toThrow('CN (Chine)');
  });

  it('name every activity by its key, and by its name in each language', async () => {
    const data = loadEmissionData();
    const reader = new ArgumentReader(data);
    for (const { key, labels } of data.activities.values())
      for (const activity of [key, ...Object.values(labels)]) {
        const [item] = reader.read({ items: [{ activity, quantity: 1, unit: 'kg' }] }).items;
        expect(item?.activity).toBe(key);
      }
  });
});

describe('the result', () => {
  it('gives the hand-computed figures of the sample, with sources, caveats and version', async () => {
    const result = await run(sample);
    expect(result).toMatchObject({
      period: '2025',
      totalTonnesCO2e: 15.74,
      scopes: { unit: 'tCO2e', scope1: 9.315, scope2: 6.425, scope3: 0 },
      categories: { electricity: 6.425, fuel: 9.315 },
      refused: [],
      dataVersion: '1.0.0+2026-11-21',
      sources: [
        { id: 'ember-co2js', year: 2025 },
        { id: 'desnz-2024-v1.1', year: 2024 },
      ],
      lines: [
        {
          text: expect.stringMatching(/^.*= 6,425 kgCO2e \(scope 2, .*2023\)$/),
          source: 'ember-co2js',
          geography: 'SN',
        },
        {
          text: expect.stringMatching(/^.*= 9,315 kgCO2e \(scope 1, .*2024\)$/),
          source: 'desnz-2024-v1.1',
          geography: 'GB',
        },
      ],
    });
    expect(result.caveats).toContainEqual({
      code: 'proxy_geography',
      text: expect.stringContaining('United Kingdom'),
    });
  });

  it('survives JSON unchanged', async () => {
    const result = await run(withRefusals);
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  });

  it.each([
    [
      'en',
      ['15.74 tCO2e', '9.32 tCO2e', '3,500 litres', '59%', 'Ember 2025', 'DESNZ 2024', 'United Kingdom'],
    ],
    ['fr-SN', ['15,74 tCO2e', 'gazole (3 500 litres)', '59 %', 'données 2023', 'Royaume-Uni']],
    ['es', ['15,74 tCO2e', 'gasóleo (3500 litros)', 'datos de 2023', 'Reino Unido']],
    ['zh-Hant', ['15.74 tCO2e', '柴油（3,500 公升）', '範疇一', '英國']],
    ['de', ['Carbon footprint (2025): 15.74 tCO2e']],
    ['not a language', ['Carbon footprint']],
  ])('is summed up in %s', async (language, expected) => {
    const text = await summary(sample, language);
    for (const part of expected) expect(text).toContain(part);
    expect([...text.matchAll(/[.。](?= |$|[\u4e00-\u9fff])/g)].length).toBeLessThanOrEqual(4);
  });

  it('says a small footprint in kilograms', async () => {
    expect(
      await summary({ items: [{ activity: 'taxi', quantity: 20, unit: 'passenger_km' }] }, 'fr'),
    ).toContain('2,97 kgCO2e');
  });

  const topUp = { activity: 'refrigerant_r22', quantity: 10, unit: 'kg' };
  const fuel = { activity: 'diesel', quantity: 3_500, unit: 'litre' };

  it('gives gases of the Montreal Protocol apart from the total', async () => {
    expect(await run({ items: [topUp, fuel] })).toMatchObject({
      totalTonnesCO2e: 9.315,
      scopes: { scope1: 9.315 },
      categories: { unit: 'tCO2e', fuel: 9.315 },
      outsideKyotoKgCO2e: 17_600,
      caveats: expect.arrayContaining([
        { code: 'montreal_gas', text: expect.stringContaining('outside the scopes and the total') },
      ]),
      lines: [{ text: expect.stringContaining('17,600') }, { text: expect.stringContaining('9,315') }],
    });
    expect(await run({ items: [fuel] })).not.toHaveProperty('outsideKyotoKgCO2e');
  });

  it.each([
    ['en', '9.32 tCO2e', 'not in the total: 17.6 tCO2e (refrigerant R22)', '(outside the scopes)'],
    ['fr', '9,32 tCO2e', 'hors total : 17,6 tCO2e (fluide frigorigène R22)', '(hors scopes)'],
    ['es', '9,32 tCO2e', 'fuera del total: 17,6 tCO2e (refrigerante R22)', '(fuera de los alcances)'],
    ['zh-Hant', '9.32 tCO2e', '不計入總量：17.6 tCO2e（冷媒 R22）', '（範疇外）'],
  ])('says them, and why they are apart, in %s', async (language, total, apart, outside) => {
    const text = await summary({ items: [topUp, fuel] }, language);
    expect(text).toContain(total);
    expect(text).toContain(apart);
    expect(text).toMatch(/Montr[eé]al|蒙特婁/);
    const { lines } = await details({ items: [topUp, fuel] }, language);
    expect(lines[0]?.text).toContain(outside);
  });

  it.each([
    ['en', 'nothing to count in scopes 1, 2 and 3.'],
    ['fr', 'rien à compter en scopes 1, 2 et 3.'],
    ['es', 'nada que contar en los alcances 1, 2 y 3.'],
    ['zh-Hant', '範疇一、二、三均無可計入的項目。'],
  ])('does not call them a footprint of 0 where they are all there is, in %s', async (language, nothing) => {
    const text = await summary({ items: [topUp] }, language);
    expect(text).toContain(nothing);
    expect(text).not.toMatch(/undefined|NaN|\b0 kgCO2e/);
  });

  it('counts what it can and says first what it refused', async () => {
    const result = await run(withRefusals, { language: 'fr' });
    expect(result.totalTonnesCO2e).toBeCloseTo(0.2354, 6);
    expect(result.refused).toMatchObject([
      { activity: 'electricity', reason: expect.stringContaining('manque de données') },
      { activity: 'charcoal', label: 'charbon de bois', reason: expect.stringContaining('aucune source') },
    ]);
    expect(result.summary).toContain('hors calcul, électricité du réseau, République centrafricaine (');
  });

  it.each(['en', 'fr', 'es', 'zh-Hant'])(
    'is an error with every reason when nothing can be counted, in %s',
    async (language) => {
      const input: JsonObject = {
        items: [
          { activity: 'electricity', quantity: 1, unit: 'kWh', country: 'FR' },
          { activity: 'cement', quantity: 1, unit: 'tonne' },
          { activity: 'coal', quantity: 1, unit: 'litre' },
        ],
      };
      const failure = await run(input, { language }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(SkillError);
      expect(String(failure).split(' · ')).toHaveLength(3);
    },
  );

  it('does not run for a turn that is over', async () => {
    await expect(run(sample, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  });

  it('refuses arguments that do not fit as an error the model can repair', async () => {
    await expect(run({ items: [{ activity: 'diesel', quantity: 'plenty', unit: 'litre' }] })).rejects.toThrow(
      SkillError,
    );
  });
});

describe('the details', () => {
  it('have every figure of the sample, adding up', async () => {
    const told = await details({ ...sample, upstream: true });
    expect(told).toMatchObject({
      kind: 'carbon_footprint',
      language: 'en',
      period: '2025',
      country: { code: 'SN', label: 'Senegal' },
      warmingPotentials: 'IPCC AR5',
      // 15,740.225 and 3,500 × 0.62409 = 2,184.315
      totalKgCO2e: 17_924.54,
      totalTonnesCO2e: 17.92454,
      biogenicKgCO2: 0,
      scopes: [
        { scope: 1, kgCO2e: 9_315.425 },
        { scope: 2, kgCO2e: 6_424.8 },
        { scope: 3, kgCO2e: 2_184.315 },
      ],
      categories: [{ code: 'fuel' }, { code: 'electricity' }, { code: 'fuel_upstream' }],
      refused: [],
    });
    for (const parts of [told.scopes, told.categories, told.lines])
      expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
  });

  it('of before gases were declared apart can still be read', async () => {
    const { outsideKyotoKgCO2e: _, lines, ...told } = await details(sample);
    const before = { ...told, lines: lines.map(({ outsideKyotoKgCO2e: __, ...line }) => line) };
    expect(CarbonFootprintDetails.parse(before)).toMatchObject({
      outsideKyotoKgCO2e: 0,
      lines: [{ outsideKyotoKgCO2e: null }, { outsideKyotoKgCO2e: null }],
    });
  });

  it.each([
    ['en', 'factor of another country (United Kingdom), used as an approximation for Senegal'],
    ['fr', 'facteur d’un autre pays (Royaume-Uni), approximation pour : Sénégal'],
    ['es', 'factor de otro país (Reino Unido), usado como aproximación para Senegal'],
    ['zh-Hant', '採用其他國家（英國）的係數，作為塞內加爾的近似值'],
  ])('say in %s which factors are another country’s', async (language, expected) => {
    const { lines } = await details(sample, language);
    expect(lines.map(({ approximation }) => approximation)).toEqual([null, expected]);
    expect(lines.map(({ geography }) => geography.code)).toEqual(['SN', 'GB']);
  });

  it('take no factor for another country’s where it is that country’s, or the world’s', async () => {
    const { lines, remarks } = await details({
      items: [
        { activity: 'diesel', quantity: 1, unit: 'litre', country: 'GB' },
        { activity: 'hotel_night', quantity: 1, unit: 'night', country: 'ZA' },
        { activity: 'food_maize', quantity: 1, unit: 'tonne', country: 'SN' },
      ],
    });
    expect(lines.map(({ geography, approximation }) => [geography.label, approximation])).toEqual([
      ['United Kingdom', null],
      ['South Africa', null],
      ['world', null],
    ]);
    expect(remarks.map(({ code }) => code)).toEqual(['upstream_left_out', 'world_average']);
  });

  it('say what of a whole company is not in them, and whether it could be', async () => {
    const { notCounted } = await details(sample, 'fr');
    expect(notCounted).toContainEqual({ category: 'waste', label: 'déchets', scope: 3, canBeCounted: true });
    expect(notCounted).toContainEqual(
      expect.objectContaining({ category: 'fuel_upstream', canBeCounted: true }),
    );
    expect(notCounted).toContainEqual(
      expect.objectContaining({ category: 'commuting', canBeCounted: false }),
    );
    const categories = notCounted.map(({ category }) => category);
    expect(categories).not.toContain('electricity');
    expect(categories).not.toContain('fuel');
  });

  it('warn of grids that differ, and of a zero that is a gap', async () => {
    const { remarks, refused } = await details({
      items: [
        { activity: 'electricity', quantity: 1, unit: 'MWh', country: 'UG' },
        { activity: 'electricity', quantity: 1, unit: 'MWh', country: 'CF' },
      ],
    });
    expect(remarks.find(({ code }) => code === 'grid_differs')?.text).toContain('Uganda');
    expect(refused).toMatchObject([{ item: 1, reason: expect.stringContaining('gap in the data') }]);
  });

  it.each(['en', 'fr', 'es', 'zh-Hant'])(
    'are the same figures in %s, in words of that language',
    async (language) => {
      const [told, english] = [await details(withRefusals, language), await details(withRefusals)];
      expect(told.language).toBe(language);
      expect(told.totalKgCO2e).toBe(english.totalKgCO2e);
      expect(JSON.stringify(told)).not.toMatch(/undefined|NaN|\[object/);
      expect(told.scopes.map(({ label }) => label).every((label) => label !== '')).toBe(true);
    },
  );

  it('are in the company’s language, whichever it is asked in', async () => {
    const context = { ...ids, language: 'en', assistantKey: 'mefali', progress: () => undefined };
    const { signal } = new AbortController();
    const told = await skillOf('es').run(sample, { ...context, signal });
    expect(told.details).toMatchObject({ language: 'es' });
    expect(told.result).toMatchObject({ summary: expect.stringContaining('Carbon footprint') });
  });
});

describe('the country', () => {
  const electricity = { activity: 'electricity', quantity: 12_000, unit: 'kWh' };
  const inCompanyOf = async (country: string | null, input: JsonObject) => {
    const { signal } = new AbortController();
    const context = { ...ids, language: 'fr', assistantKey: 'mefali', signal, progress: () => undefined };
    const told = await skillOf('fr', country).run(input, context);
    return { result: told.result, details: CarbonFootprintDetails.parse(told.details) };
  };

  it('is the company’s own where none is given, and that is said', async () => {
    const told = await inCompanyOf('SN', { items: [electricity] });
    const text = expect.stringMatching(/profil de l’entreprise.*Sénégal/);
    expect(told.result).toMatchObject({
      totalTonnesCO2e: 6.425,
      summary: text,
      caveats: expect.arrayContaining([{ code: 'profile_country', text }]),
    });
    expect(told.details).toMatchObject({
      country: { code: 'SN' },
      remarks: expect.arrayContaining([{ code: 'profile_country', text }]),
    });
  });

  it.each<[string, JsonObject]>([
    ['of the whole', { country: 'ML', items: [electricity] }],
    ['of the item', { items: [{ ...electricity, country: 'ML' }] }],
  ])('%s goes before it', async (_, input) => {
    const { details: told } = await inCompanyOf('SN', input);
    expect(told.lines[0]?.geography.code).toBe('ML');
    expect(told.remarks.map(({ code }) => code)).not.toContain('profile_country');
  });

  it('is not spoken of where it chose no factor', async () => {
    const { details: told } = await inCompanyOf('SN', {
      items: [{ activity: 'food_maize', quantity: 1, unit: 'tonne' }],
    });
    expect(told.remarks.map(({ code }) => code)).not.toContain('profile_country');
  });

  it('has to be asked for where nobody knows it', async () => {
    await expect(inCompanyOf(null, { items: [electricity] })).rejects.toThrow('il faut préciser le pays');
  });
});

describe('what the company keeps', () => {
  let platform: ScriptedPlatform;
  beforeEach(() => void (platform = new ScriptedPlatform({ country: 'SN', language: 'fr' })));

  async function say(input: JsonObject, conversationId = 'v', language = 'fr') {
    const context = { ...ids, conversationId, language, assistantKey: 'mefali', progress: () => undefined };
    const { signal } = new AbortController();
    const { result } = await new CalculateCarbonFootprintSkill(platform).run(input, { ...context, signal });
    const told = result as { summary: string; version?: number; totalTonnesCO2e: number };
    return { ...told, summary: told.summary.replaceAll(/[\u00a0\u202f]/g, ' ') };
  }
  function kept(): { subject: string; version: number; kg: number }[] {
    return platform.records.kept.map(({ subject, version, content }) => ({
      subject,
      version,
      kg: (content as { result: CarbonFootprint }).result.totalKgCO2e,
    }));
  }
  const first: JsonObject = {
    period: '2025',
    items: [
      { activity: 'electricity', quantity: 12_000, unit: 'kWh' },
      { activity: 'diesel', quantity: 3_500, unit: 'litre' },
    ],
  };
  const electricity = (quantity: number): JsonObject => ({
    items: [{ activity: 'electricity', quantity, unit: 'kWh' }],
  });

  it('is told in another conversation, with its date and who had it made', async () => {
    await say(first);
    const told = await say({}, 'another');
    expect(told).toMatchObject({ totalTonnesCO2e: 15.74, version: 1 });
    expect(told.summary).toContain('Enregistré le 20 novembre 2026 par Awa (version 1)');
    expect(kept()).toEqual([{ subject: '2025', version: 1, kg: 15_740.225 }]);
  });

  it.each(['fr', 'en', 'es', 'zh-Hant'])('is asked for where there is none, in %s', async (language) => {
    const said = await say({}, 'v', language).catch((error: unknown) => error);
    expect(said).toBeInstanceOf(SkillError);
    expect(said).not.toMatchObject({ message: expect.stringMatching(/noFootprint|\{/) });
  });

  it('is corrected by what is given anew, which replaces what was, and the change is told', async () => {
    await say(first);
    const told = await say({ ...electricity(10_000), change: 'correction' }, 'another');
    // 10,000 × 0.5354 + 9,315.425
    expect(kept().at(-1)).toEqual({ subject: '2025', version: 2, kg: 14_669.425 });
    expect(told.summary).toContain(
      'Ce qui change : électricité du réseau : 12 000 kWh → 10 000 kWh ; total : 15,74 tCO2e → 14,67 tCO2e.',
    );
    // The country of the profile, named: it is the same electricity.
    await say({ ...electricity(8_000), country: 'Sénégal', change: 'correction' });
    expect(kept().at(-1)?.kg).toBeCloseTo(8_000 * 0.5354 + 9_315.425, 6);
  });

  it('loses what is corrected to nothing, and gains what is new', async () => {
    await say(first);
    const items = [
      { activity: 'diesel', quantity: 0, unit: 'litre' },
      { activity: 'taxi', quantity: 100, unit: 'passenger_km' },
    ];
    const told = await say({ items, change: 'correction' });
    expect(kept().at(-1)?.kg).toBeCloseTo(6_424.8 + 14.861, 3);
    expect(told.summary).toMatch(/gazole : 3 500 litres \(retiré\)/);
    expect(told.summary).toMatch(/taxi : 100 passagers-km \(ajouté\)/);
  });

  it('is not touched by a variant, which is compared with it', async () => {
    await say(first);
    const told = await say({ ...electricity(6_000), change: 'variant' }, 'another');
    expect(told).toMatchObject({ variant: true, totalTonnesCO2e: 12.53 });
    expect(told.summary).toMatch(/^Variante, non enregistrée\./);
    expect(told.summary).toContain('12 000 kWh → 6 000 kWh ; total : 15,74 tCO2e → 12,53 tCO2e');
    expect(kept()).toHaveLength(1);
  });

  it('is one footprint for each period, and another question in another conversation adds nothing to it', async () => {
    await say(first);
    const items = [{ activity: 'diesel', quantity: 300, unit: 'litre' }];
    expect(await say({ items }, 'another')).toMatchObject({ totalTonnesCO2e: 0.7985 });
    expect(kept().map(({ subject }) => subject)).toEqual(['2025', '']);
    expect(await say({ period: '2025' }, 'a third')).toMatchObject({ totalTonnesCO2e: 15.74 });
  });

  it('follows what is said in its own conversation, all of it anew', async () => {
    await say(first);
    const told = await say(electricity(10_000));
    expect(kept().at(-1)).toEqual({ subject: '2025', version: 2, kg: 5_354 });
    expect(told.summary).toContain('gazole : 3 500 litres (retiré)');
  });

  it('stays as it is when the same is said again', async () => {
    await say(first);
    expect(await say(first)).toMatchObject({ version: 1 });
    expect(kept()).toHaveLength(1);
  });

  it('fits the schema that is declared for it', async () => {
    await say(first);
    const validate = new Ajv2020({ strict: false, formats: { uri: true } }).compile(footprints.schema);
    expect(validate(platform.records.kept[0]?.content)).toBe(true);
    expect(validate({ given: {}, result: {} })).toBe(false);
  });
});
