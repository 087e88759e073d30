import { type JsonObject, type JsonValue, SkillError } from '@palabre/plugin';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

import { sampleContext as contextOf } from '../report/fixtures.double.js';
import { ScriptedPlatform } from '../scripted-platform.double.js';
import { CalculateEsgScoreSkill } from './calculate-esg-score.skill.js';
import { type EsgScore, EsgScoreDetails } from './esg-score.js';

const languages = ['fr', 'en', 'es', 'zh-Hant'];
function skillOf(sector: string | null) {
  return new CalculateEsgScoreSkill(new ScriptedPlatform({ sector }));
}
const skill = skillOf(null);

interface Short {
  [key: string]: JsonValue;
  summary: string;
  nextQuestions: JsonObject[];
  strengths: JsonObject[];
  weaknesses: JsonObject[];
  notes: string[];
}

async function run(
  input: JsonObject,
  { language = 'fr', by = skillOf(null) }: { language?: string; by?: CalculateEsgScoreSkill } = {},
): Promise<{ short: Short; full: EsgScore; details: JsonValue }> {
  const answer = await by.run(input, contextOf({ language }));
  return {
    short: answer.result as Short,
    full: EsgScoreDetails.parse(answer.details),
    details: answer.details,
  };
}

/** Some good, some bad, some unknown: E 60 %, S 59 %, G 64 % of the weight, before any sector. */
const sample: JsonObject = {
  answers: {
    E01: 3,
    E02: 15,
    E03: 0,
    E05: 1,
    E06: 1,
    E07: 2,
    E11: 1,
    S01: 80,
    S02: true,
    S03: 1,
    S05: 50,
    S10: 2,
    S08: 35,
    S04: 0,
    G01: 1,
    G02: false,
    G03: 0,
    G04: false,
    G06: 3,
    G07: 3,
    G10: true,
  },
};

/** Half of everything low, half of it high, so that every list is full. */
const everything: JsonObject = {
  answers: {
    E01: 0,
    E02: 60,
    E03: 3,
    E04: 0,
    E05: 0,
    E06: 3,
    E07: 0,
    S01: 10,
    S02: false,
    S03: 3,
    S04: 2,
    S05: 100,
    S10: 0,
    S11: 3,
    S07: 0,
    G01: 0,
    G02: false,
    G03: 0,
    G04: true,
    G06: 3,
    G07: 3,
    G10: true,
  },
  notApplicable: ['E09', 'S13', 'G05'],
};

describe('the parameters', () => {
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile(skill.parameters);

  it('compile strictly and take the samples, and nothing at all', () => {
    for (const input of [sample, everything, {}, { answers: {}, sector: 'agro' }])
      expect(validate(input)).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ['an unknown pillar', { questions: 'X' }],
    ['an answer that is none', { answers: { E02: [] } }],
    ['another field', { score: 100 }],
  ])('refuse %s', (_, input) => {
    expect(validate(input)).toBe(false);
  });

  it('stay small enough to be sent with every call', () => {
    expect(countTokens(JSON.stringify(skill.parameters))).toBeLessThan(300);
  });
});

describe('arguments', () => {
  it('may be answers as people write them, and a sector in words', async () => {
    const loose = await run({
      answers: { E02: '35 %', S02: 'Oui', S05: '50,5', E01: '3', G02: '否' },
      sector: 'exploitation minière',
    });
    const exact = await run({
      answers: { E02: 35, S02: true, S05: 50.5, E01: 3, G02: false },
      sector: 'mining',
    });
    expect(loose).toEqual(exact);
    expect(exact.full.sector).toMatchObject({ id: 'mining', basis: 'given' });
  });

  it('may name indicators by what they are called', async () => {
    const { full } = await run({}, { language: 'fr' });
    const [first, second] = full.indicators;
    const named = await run({ answers: { [first!.title]: 3, [second!.title.toUpperCase()]: 15 } });
    expect(named.full).toEqual((await run({ answers: { [first!.id]: 3, [second!.id]: 15 } })).full);
  });

  it('may ask for all open questions of a pillar, with what each level means', async () => {
    const { short, full } = await run({ answers: { G03: 0 }, questions: 'G' });
    const ids = short.nextQuestions.map(({ id }) => String(id));
    expect(ids.length).toBeGreaterThan(5);
    expect(ids.toSorted()).toEqual(
      full.indicators.flatMap(({ id, pillar, status }) =>
        pillar === 'G' && status === 'missing' ? [id] : [],
      ),
    );
    expect(countTokens(JSON.stringify(short))).toBeLessThan(2_500);
  });
});

describe('the score', () => {
  it('gives the hand-computed figures of the sample', async () => {
    const { short, full } = await run(sample);
    // E: (10×75 + 6×25 + 12×0 + 8×33 + 8×33 + 9×67 + 7×33) ÷ 60 = 2262 ÷ 60
    // S: (12×80 + 9×100 + 9×33 + 9×50 + 10×67 + 7×87.5 + 5×100) ÷ 61 = 4389.5 ÷ 61
    // G: (12×33 + 8×0 + 12×0 + 8×100 + 12×100 + 11×100 + 4×0) ÷ 67 = 3496 ÷ 67
    expect(short).toMatchObject({
      pillars: {
        E: { score: 37.7, coverage: 0.6 },
        S: { score: 72, coverage: 0.61 },
        G: { score: 52.2, coverage: 0.67 },
      },
      // 0.35 × 37.7 + 0.35 × 72 + 0.3 × 52.2
      score: 54.1,
      grade: 'C',
      // 0.35 × 0.6 + 0.35 × 0.61 + 0.3 × 0.67
      coverage: 0.625,
      sector: null,
      notAnswered: 17,
    });
    expect(short.summary).toBe(
      'Score ESG : 54,1/100 (C), avec 62 % de la grille renseignée : Environnement 37,7/100 (60 % renseigné), ' +
        'Social 72/100 (61 % renseigné), Gouvernance 52,2/100 (67 % renseigné).',
    );
    expect(short.weaknesses.slice(0, 2)).toEqual([
      {
        id: 'E03',
        title: 'Bilan carbone, scopes 1 et 2',
        score: 0,
        codes: 'VSME B3; GRI 305-1, 305-2; IFC PS3; ISO 26000 6.5.5; SDG 13',
        nextAction: 'Viser : Bilan complet scopes 1 et 2',
      },
      expect.objectContaining({ id: 'G03', nextAction: 'Viser : Règles écrites' }),
    ]);
    expect(full.weaknesses.find(({ indicator }) => indicator === 'E02')?.nextAction).toBe(
      'Viser 60 % (aujourd’hui 15 %)',
    );
    expect(short.strengths[0]).toMatchObject({ id: 'G06', score: 100 });
    // 9×0.35, 10×0.3, 8×0.35, 9×0.3, 7×0.35
    expect(short.nextQuestions.map(({ id }) => id)).toEqual(['E10', 'G08', 'E08', 'G05', 'E09']);
    expect(short.nextQuestions[1]).toEqual({
      id: 'G08',
      question: 'Choisissez-vous vos fournisseurs avec des critères sociaux ou environnementaux ?',
      expected:
        '0 = Rien en place ; 1 = Critères informels ; 2 = Critères écrits pour les achats principaux ; 3 = Critères écrits et contrôles',
    });
  });

  it('is complete in the details, which survive JSON', async () => {
    const { full, details } = await run(everything);
    expect(EsgScoreDetails.parse(JSON.parse(JSON.stringify(details)))).toEqual(details);
    expect(full.indicators).toHaveLength(38);
    expect(full.sources.map(({ id }) => id)).toEqual(
      expect.arrayContaining(full.indicators.flatMap((each) => each.sources)),
    );
    expect(full.indicators.find(({ id }) => id === 'E09')).toMatchObject({
      status: 'not_applicable',
      weight: 0,
    });
    expect(full.indicators.find(({ id }) => id === 'S01')).toMatchObject({
      pillar: 'S',
      topic: 'labour-conditions',
      status: 'answered',
      answer: 10,
      answerText: '10 %',
      unit: 'percent',
      score: 10,
      codes: { vsme: [{ code: 'B8', paragraph: '39a' }], gri: ['2-7'], ifc: ['PS2'], sdg: [8] },
    });
    expect(full.indicators.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 2);
    expect(full.weaknesses.length + full.strengths.length + full.nextQuestions.length + 3).toBe(38);
  });

  it('has no score without answers, but the questions to begin with', async () => {
    for (const input of [{}, { answers: {} }] as JsonObject[]) {
      const { short } = await run(input);
      expect(short).toMatchObject({ score: null, grade: null, coverage: 0, strengths: [], weaknesses: [] });
      expect(short.summary).toBe('Pas encore de score ESG : aucun critère n’est renseigné.');
      expect(short.nextQuestions.map(({ id }) => id)).toEqual(['E03', 'S01', 'G01', 'G03', 'G06']);
    }
  });

  it('says what is known per pillar below the minimum', async () => {
    const { short } = await run({ answers: { E01: 4, G04: false } }, { language: 'en' });
    expect(short).toMatchObject({
      score: null,
      pillars: { E: { score: 100 }, S: { score: null }, G: { score: 100 } },
    });
    expect(short.summary).toContain(
      'No overall ESG score yet: 5% of the criteria answered, and it takes 60%',
    );
    expect(short.summary).toContain('Social – (0% answered)');
    expect(short.notes.join(' ')).toContain('There is an overall score only when 60%');
  });
});

describe('the sector', () => {
  it('is the one that is given, whatever the company’s profile says', async () => {
    const { full } = await run({ ...sample, sector: 'mining' }, { by: skillOf('Agro-alimentaire') });
    expect(full.sector).toEqual({ id: 'mining', title: 'Mines et carrières', basis: 'given' });
    expect(full.notes.map(({ code }) => code).filter((code) => code.startsWith('sector'))).toEqual([]);
  });

  it('is else that of the company’s profile, and that is said', async () => {
    const platform = new ScriptedPlatform({ sector: 'Agro-alimentaire' });
    const { short, full } = await run(sample, { by: new CalculateEsgScoreSkill(platform) });
    expect(platform.asked.map(({ companyId }) => companyId)).toEqual(['c']);
    expect(full.sector).toEqual({ id: 'agro', title: 'Agriculture et agroalimentaire', basis: 'profile' });
    expect(short.notes).toContain(
      'Poids du secteur Agriculture et agroalimentaire, d’après la fiche de l’entreprise.',
    );
    expect(full.indicators.find(({ id }) => id === 'E08')?.weight).toBeCloseTo((0.35 * 8 * 1.5) / 119, 4);
  });

  it.each([null, 'métallurgie'])(
    'is none for %s, and the sectors that there are are named',
    async (sector) => {
      const { short, full } = await run(sample, { by: skillOf(sector) });
      expect(full.sector).toEqual({ id: null, title: null, basis: 'none' });
      expect(short.notes.join(' ')).toContain('Mines et carrières');
    },
  );
});

describe('the words', () => {
  it.each([
    [
      'en',
      ['ESG score: 54.1/100 (C)', 'Governance 52.2/100'],
      'a design choice',
      'Aim for: Complete Scope 1 and 2 inventory',
    ],
    ['fr-SN', ['Score ESG : 54,1/100 (C)'], 'choix de conception', 'Viser : Bilan complet scopes 1 et 2'],
    [
      'es',
      ['Puntuación ESG: 54,1/100', 'Gobernanza'],
      'decisión de diseño',
      'Aspirar a: Inventario completo de alcances 1 y 2',
    ],
    ['zh-Hant', ['ESG 評分：54.1/100', '治理'], '設計上的選擇', '目標：完整的範疇一、二盤查'],
    ['de', ['ESG score: 54.1/100'], 'a design choice', 'Aim for: Complete Scope 1 and 2 inventory'],
  ])('are in %s', async (language, summaryParts, note, action) => {
    const { short } = await run(sample, { language });
    for (const part of summaryParts) expect(short.summary).toContain(part);
    expect(short.summary.length).toBeLessThanOrEqual(300);
    expect(short.notes[0]).toContain(note);
    expect(short.weaknesses[0]?.nextAction).toBe(action);
  });

  it.each(languages)('stay under 1,500 tokens for the model in %s', async (language) => {
    for (const input of [everything, sample, {}]) {
      const { short } = await run(input, { language });
      expect(countTokens(JSON.stringify(short))).toBeLessThan(1_500);
    }
  });

  it.each(languages)('leave no answer, question or action empty in %s', async (language) => {
    const { full } = await run(everything, { language });
    const texts = [
      ...full.indicators.flatMap(({ title, question, answerText }) => [
        title,
        question,
        answerText ?? 'none',
      ]),
      ...full.weaknesses.map(({ nextAction }) => nextAction),
      ...full.nextQuestions.map(({ expected }) => expected),
      ...full.notes.map(({ text }) => text),
    ];
    expect(texts.filter((text) => text.trim() === '' || /[:：]\s*$|undefined|null/.test(text))).toEqual([]);
    expect(full.notes.map(({ code }) => code)).toContain('not_applicable');
  });
});

describe('what does not fit', () => {
  it.each<[string, JsonObject, RegExp]>([
    ['an unknown indicator', { answers: { E99: 1 } }, /no indicator “E99”\. Nearest: E0/],
    ['a level too high', { answers: { E01: 5 } }, /E01 takes a whole number from 0 to 4, not 5/],
    ['an amount out of range', { answers: { E02: 120 } }, /E02 takes a number from 0 to 100, not 120/],
    ['half a death', { answers: { S04: 0.5 } }, /S04 takes a whole number from 0 to 10000/],
    ['a number for yes', { answers: { S02: 1 } }, /S02 takes true or false, not 1/],
    ['an unknown sector', { sector: 'space' }, /“space” is no sector.*There are: agro, energy/],
    [
      'what cannot be set aside',
      { notApplicable: ['G03'] },
      /G03 cannot be set aside .* These can: E07, E09/,
    ],
    ['answered and set aside', { answers: { E09: 1 }, notApplicable: ['E09'] }, /E09 is both/],
    ['an answer in words', { answers: { E02: 'a lot' } }, /E02 takes a number from 0 to 100, not a lot/],
  ])('is refused: %s', async (_, input, message) => {
    const failure = await run(input, { language: 'en' }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SkillError);
    expect(String(failure)).toMatch(message);
  });

  it('names every fault at once', async () => {
    await expect(run({ answers: { E01: 5, E02: -1 }, sector: 'space' })).rejects.toThrow(
      /E01[^]*E02[^]*space/,
    );
  });

  it('does not run for a turn that is over', async () => {
    await expect(skill.run({}, contextOf({ signal: AbortSignal.abort() }))).rejects.toThrow(/abort/i);
  });
});

describe('what the company keeps', () => {
  let by: CalculateEsgScoreSkill;
  let platform: ScriptedPlatform;
  beforeEach(() => {
    platform = new ScriptedPlatform();
    by = new CalculateEsgScoreSkill(platform);
  });

  it('is every answer, and one that is given anew replaces its own alone', async () => {
    await run(sample, { by });
    const { full, short } = await run({ answers: { E02: 30 } }, { by });
    expect(full.indicators.filter(({ status }) => status === 'answered')).toHaveLength(21);
    expect(short).toMatchObject({ version: 2 });
    expect(short.summary.replaceAll(/[\u00a0\u202f]/g, ' ')).toMatch(
      /Ce qui change : E02 .*15 % → 30 % ; score : [\d,]+\/100 .* → /,
    );
  });

  it('is told without an answer, with its date', async () => {
    await run(sample, { by });
    const { short } = await run({}, { by, language: 'en' });
    expect(short.summary).toContain('Kept on November 20, 2026 by Awa (version 1)');
    expect(platform.records.kept).toHaveLength(1);
  });

  it('is not touched by a variant', async () => {
    await run(sample, { by });
    const { short, full } = await run({ answers: { E02: 100 }, change: 'variant' }, { by });
    expect(short).toMatchObject({ variant: true });
    expect(full.indicators.find(({ id }) => id === 'E02')?.answer).toBe(100);
    expect(platform.records.kept).toHaveLength(1);
  });

  it('loses an answer that is withdrawn or set aside, and all of them when it is begun anew', async () => {
    await run(sample, { by });
    const { full } = await run({ answers: { E01: null }, notApplicable: ['E07'] }, { by });
    const statusOf = (id: string) => full.indicators.find((each) => each.id === id)?.status;
    expect([statusOf('E01'), statusOf('E07'), statusOf('E02')]).toEqual([
      'missing',
      'not_applicable',
      'answered',
    ]);
    const anew = await run({ answers: { E01: 1 }, change: 'restart' }, { by });
    expect(anew.full.indicators.filter(({ status }) => status === 'answered')).toHaveLength(1);
  });
});
