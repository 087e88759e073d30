import { describe, expect, it } from '@jest/globals';

import type { JsonObject } from '../../../common/json.js';
import { asArray, asObject } from '../json-access.js';
import { completionRequest } from '../server/protocol.js';
import { think } from '../think.js';
import { esgSigns } from './analysis/esg-signs.js';

/** A task of the product's own, with the one function that it forces. */
const done = (name: string, system: string, content: string): JsonObject => {
  const tool = { name, description: '', parameters: { type: 'object', properties: {} } };
  const reply = think(
    completionRequest.parse({
      model: 'x',
      messages: [
        { role: 'system', content: system },
        { role: 'user', content },
      ],
      tools: [{ type: 'function', function: tool }],
      tool_choice: { type: 'function', function: { name } },
    }),
  );
  const [call] = 'text' in reply ? [] : reply.toolCalls;
  expect(call?.name).toBe(name);
  return JSON.parse(call?.arguments ?? '{}') as JsonObject;
};

const grid = Object.keys(esgSigns)
  .map((code) => `- ${code}: …`)
  .join('\n');

const pages = (...texts: string[]): string =>
  texts.map((text, index) => `<page number="${index + 1}">\n${text}\n</page>`).join('\n');

const read = (...texts: string[]): JsonObject => done('note_findings', grid, pages(...texts));
const codesOf = (...texts: string[]): unknown[] =>
  asArray(read(...texts)['esg']).map((each) => asObject(each)['code']);

describe('what is found in a document by rule', () => {
  it('is its figures, with unit, page and sentence', () => {
    expect(
      read('# Bilan 2024\n\nNous avons consommé 12 400 kWh d’électricité en 2024.', 'Rien de plus.'),
    ).toMatchObject({
      summary: "Nous avons consommé 12 400 kWh d'électricité en 2024.",
      figures: [
        {
          value: '12 400',
          unit: 'kWh',
          page: 1,
          quote: "Nous avons consommé 12 400 kWh d'électricité en 2024.",
        },
      ],
    });
  });

  it('is called by the part of the sentence that it stands in', () => {
    const { figures } = read(
      'Nous avons consommé 86 500 kWh d’électricité et 12 300 litres de gazole en 2024.',
    );
    expect(figures).toMatchObject([
      { label: "Nous avons consommé 86 500 kWh d'électricité" },
      { label: '12 300 litres de gazole en 2024' },
    ]);
  });

  it('is of a table what each row says', () => {
    const { figures } = read('| Poste | 2024 |\n| --- | --- |\n| Gazole | 3 500 litres |\n| Eau | 820 m3 |');
    expect(figures).toMatchObject([
      { label: 'Gazole, 2024', value: '3 500', unit: 'litres', quote: 'Gazole | 3 500 litres' },
      { label: 'Eau, 2024', value: '820', unit: 'm3' },
    ]);
  });

  it.each([
    ['fr', 'Le taux de rotation du personnel est de 8 % en 2024.', 'S12'],
    ['fr', 'Aucun accident mortel n’est à déplorer cette année.', 'S04'],
    ['fr', 'Deux femmes siègent au comité de direction.', 'G05'],
    ['en', 'Our water withdrawal is metered every month.', 'E08'],
    ['es', 'El 40 % de la plantilla son mujeres en 2024.', 'S08'],
    ['zh-Hant', '本公司設有永續委員會，由總經理擔任主席。', 'G02'],
    ['zh-Hant', '廢棄物回收率為 62%，較前一年提高。', 'E10'],
  ])('is known for what it supports, in %s: %s', (_, sentence, code) => {
    expect(codesOf(sentence)).toEqual([code]);
  });

  it.each([
    'Nous n’avons pas encore réalisé de bilan carbone.',
    'Aucune politique RSE ne lie l’entreprise.',
    '# Bilan carbone et scopes 1 et 2',
    '本公司尚未進行溫室氣體盤查作業。',
  ])('is no support where it is not so, or is only a heading: %s', (sentence) => {
    expect(codesOf(sentence)).toEqual([]);
  });

  it('is no evidence where ESG was not asked for', () => {
    expect(done('note_findings', 'Tu lis.', pages('Le prélèvement d’eau est relevé.'))).not.toHaveProperty(
      'esg',
    );
  });

  it('is of a document without pages on none', () => {
    const { figures } = done('note_findings', grid, '<page>\n員工共 120 人，用電 12,000 度電。\n</page>');
    expect(asArray(figures).map(asObject)).toContainEqual(expect.objectContaining({ page: null }));
  });
});

it('sums up what was summed up, in its own words', () => {
  const task = '# Résumés\n## 1\n> Le site a consommé 12 400 kWh en 2024.\n\n## 2\n> Les femmes sont 52 %.';
  expect(done('note_summary', 'Tu résumes.', task)).toEqual({
    summary: 'Le site a consommé 12 400 kWh en 2024. Les femmes sont 52 %.',
  });
});

describe('the analysis of a document', () => {
  const tool = {
    name: 'analyze_document',
    description: 'Analyses a document.',
    parameters: { type: 'object' },
  };
  const callsFor = (content: string): [string, JsonObject][] => {
    const reply = think(
      completionRequest.parse({
        model: 'x',
        messages: [{ role: 'user', content }],
        tools: [{ type: 'function', function: tool }],
      }),
    );
    return 'text' in reply
      ? []
      : reply.toolCalls.map((call) => [call.name, JSON.parse(call.arguments) as JsonObject]);
  };

  it.each<[string, JsonObject]>([
    ['Analyse le document rapport.pdf', { document: 'rapport.pdf' }],
    ['Peux-tu résumer « Rapport annuel 2024.docx » ?', { document: 'Rapport annuel 2024.docx' }],
    ['Analyse ce document pour mon dossier ESG.', { focus: 'esg' }],
    ['Summarize the report q3.xlsx, please', { document: 'q3.xlsx' }],
    ['Analiza este informe', {}],
    ['請分析這份文件「永續報告.pdf」', { document: '永續報告.pdf', focus: 'esg' }],
  ])('is called for by «%s»', (message, input) => {
    expect(callsFor(message)).toEqual([['analyze_document', input]]);
  });

  it.each(['Bonjour', 'Analyse mes émissions de CO2', 'Fais-moi un rapport', 'Que dit la politique RH ?'])(
    'is not called for by «%s»',
    (message) => expect(callsFor(message)).toEqual([]),
  );
});
