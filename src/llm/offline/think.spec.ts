import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../common/json.js';
import { completionRequest } from './server/protocol.js';
import { think } from './think.js';

const activities = `What was used. One of: electricity (électricité, electricidad), diesel (gazole, gasoil, diésel),
petrol (essence, gasolina), lpg (GPL, GLP), natural_gas (gaz naturel, gas natural), car_diesel_km (voiture diesel, diesel car),
car_petrol_km (voiture essence), car_unknown_km (voiture, car, coche), waste_landfill_commercial (déchets enfouis, residuos a vertedero),
waste_landfill_food (déchets alimentaires enfouis), waste_recycling_paper (papier recyclé), refrigerant_r134a (R134a), refrigerant_r410a (R410A)`;
const kinds =
  'electricity diesel petrol lpg natural_gas car_diesel_km car_petrol_km car_unknown_km waste_landfill_commercial waste_landfill_food waste_recycling_paper refrigerant_r134a refrigerant_r410a'.split(
    ' ',
  );

const footprint = {
  name: 'calculate_carbon_footprint',
  description:
    "Calculates a company's greenhouse gas emissions from its energy, fuels, transport, waste and refrigerants. Use it when the user gives consumption figures. Do not use it for general questions.",
  parameters: {
    type: 'object',
    additionalProperties: false,
    required: ['items'],
    properties: {
      country: {
        type: 'string',
        pattern: '^[A-Z]{2}$',
        description: 'Country of the activity, ISO 3166-1 alpha-2.',
      },
      items: {
        type: 'array',
        minItems: 1,
        description: 'What the company consumed, with quantities and units.',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['activity', 'quantity', 'unit'],
          properties: {
            activity: { type: 'string', enum: kinds, description: activities },
            quantity: { type: 'number', exclusiveMinimum: 0, description: 'How much, in `unit`.' },
            unit: {
              type: 'string',
              enum: ['kWh', 'MWh', 'litre', 'kg', 'tonne', 'km', 'passenger_km', 'tonne_km', 'm3'],
            },
            country: { type: 'string', pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' },
          },
        },
      },
    },
  },
};
const getProfile = {
  name: 'get_company_profile',
  description:
    "Returns the company's profile: name, sector, country, city, headcount, revenue, practices and goals.",
  parameters: { type: 'object', properties: {}, additionalProperties: false },
};
const updateProfile = {
  name: 'update_company_profile',
  description:
    "Updates the company's profile with what the user has just stated. Write only what was stated.",
  parameters: {
    type: 'object',
    additionalProperties: false,
    minProperties: 1,
    properties: {
      name: { type: 'string', description: "The company's name." },
      sector: { type: 'string', description: 'Sector of activity.' },
      country: { type: 'string', pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' },
      city: { type: 'string', description: 'City of the head office.' },
      headcount: { type: 'integer', minimum: 0, description: 'Number of employees.' },
      revenue: {
        type: 'object',
        description: 'Annual revenue.',
        required: ['amount', 'currency'],
        additionalProperties: false,
        properties: {
          amount: { type: 'number' },
          currency: { type: 'string', pattern: '^[A-Z]{3}$', description: 'ISO 4217.' },
        },
      },
      environmentalPractices: {
        type: 'array',
        items: { type: 'string' },
        description: 'Environmental practices.',
      },
      declaredGoals: { type: 'array', items: { type: 'string' }, description: 'Goals the company declared.' },
      language: { type: 'string', description: 'BCP 47.' },
      attributes: { type: 'object', description: 'Other facts.' },
    },
  },
};
const tools = [footprint, getProfile, updateProfile];

/** Without it nothing is written down that is only said. */
const keeping = "Tu enregistres sur l'entreprise ce que la personne en dit.";
type Message = Record<string, unknown>;
const ask = (messages: Message[], more: Record<string, unknown> = {}) =>
  think(
    completionRequest.parse({
      model: 'x',
      messages: [{ role: 'system', content: `Langue : fr\n${keeping}` }, ...messages],
      tools: tools.map((tool) => ({ type: 'function', function: tool })),
      ...more,
    }),
  );
const user = (content: string): Message => ({ role: 'user', content });
const callsOf = (text: string): [string, JsonObject][] => {
  const reply = ask([user(text)]);
  return 'text' in reply
    ? []
    : reply.toolCalls.map((call) => [call.name, JSON.parse(call.arguments) as JsonObject]);
};
const textOf = (reply: ReturnType<typeof think>): string =>
  'text' in reply ? reply.text : JSON.stringify(reply);
const item = (activity: string, quantity: number, unit: string) => ({ activity, quantity, unit });

describe('a question about a footprint', () => {
  const both = [item('electricity', 12_000, 'kWh'), item('diesel', 3_500, 'litre')];
  it.each([
    [
      "Quelle est l'empreinte carbone de mon entreprise au Sénégal si nous consommons 12 000 kWh d'électricité et 3 500 litres de gazole par an ?",
      { country: 'SN', items: both },
    ],
    [
      'What is the carbon footprint of my company in Senegal if we use 12,000 kWh of electricity and 3,500 litres of diesel a year?',
      { country: 'SN', items: both },
    ],
    [
      '¿Cuál es la huella de carbono de mi empresa en Senegal si consumimos 12.000 kWh de electricidad y 3.500 litros de diésel al año?',
      { country: 'SN', items: both },
    ],
    [
      '我們公司在塞內加爾每年用電 12,000 度電，柴油 3,500 公升，碳足跡是多少？',
      { country: 'SN', items: both },
    ],
    [
      "Calcule l'empreinte : électricité 12 000 kWh, gazole 3 500 L, Côte d'Ivoire",
      { country: 'CI', items: both },
    ],
    [
      'Nous consommons 12 MWh et 200 litres d’essence par mois',
      { items: [item('electricity', 12, 'MWh'), item('petrol', 200, 'litre')] },
    ],
    [
      'Quel est le bilan carbone de 5 tonnes de déchets enfouis et 2 kg de R134a ?',
      { items: [item('waste_landfill_commercial', 5, 'tonne'), item('refrigerant_r134a', 2, 'kg')] },
    ],
    [
      'How much CO2 do 3000 km by car and 1,5 t of landfilled waste emit in Nigeria?',
      {
        country: 'NG',
        items: [item('car_unknown_km', 3000, 'km'), item('waste_landfill_commercial', 1.5, 'tonne')],
      },
    ],
    [
      'Empreinte de 250 000 kWh à Nairobi et 90 000 kWh à Dakar',
      {
        items: [
          { ...item('electricity', 250_000, 'kWh'), country: 'KE' },
          { ...item('electricity', 90_000, 'kWh'), country: 'SN' },
        ],
      },
    ],
    [
      'Empreinte de 10 000 litres de gazole, dont 4 000 litres revendus',
      { items: [item('diesel', 10_000, 'litre')] },
    ],
    [
      'Combien de CO2 pour 8 000 km en voiture diesel et 500 litres de diesel au Mali ?',
      { country: 'ML', items: [item('car_diesel_km', 8000, 'km'), item('diesel', 500, 'litre')] },
    ],
  ])('%s', (question, expected) => {
    expect(callsOf(question)).toEqual([['calculate_carbon_footprint', expected]]);
  });

  it('is not answered with the factor of a car that burns fuel where it is electric', () => {
    const question = 'Empreinte de 10 000 km en voiture électrique au Maroc';
    expect(callsOf(question)).toEqual([]);
    expect(textOf(ask([user(question)]))).toContain('« 10 000 km en voiture électrique au Maroc »');
  });

  it('asks for the quantities when there are none', () => {
    const reply = textOf(ask([user('Quelle est mon empreinte carbone ?')]));
    expect(reply).toContain('kWh');
    expect(reply).toContain('il me manque');
    expect(reply).toContain('?');
  });

  it('completes the question with what the user then answers', () => {
    const reply = ask([
      user('Quelle est mon empreinte carbone au Sénégal ?'),
      { role: 'assistant', content: 'Pouvez-vous me donner ces précisions ?' },
      user('800 kWh'),
    ]);
    expect(reply).toMatchObject({ toolCalls: [{ name: 'calculate_carbon_footprint' }] });
    expect(JSON.parse('toolCalls' in reply ? (reply.toolCalls[0]?.arguments ?? '') : '')).toEqual({
      country: 'SN',
      items: [item('electricity', 800, 'kWh')],
    });
  });
});

describe('the company profile', () => {
  it.each([
    'Que sais-tu de mon entreprise ?',
    'Quel est le profil de notre société ?',
    'What do you know about my company?',
    '¿Qué sabes de mi empresa?',
    'Muéstrame el perfil',
    '我們公司的資料是什麼？',
    '介紹一下我們公司',
    'Combien de salariés avons-nous ?',
    'Dans quel secteur sommes-nous ?',
  ])('is read for «%s»', (question) => {
    expect(callsOf(question)).toEqual([['get_company_profile', {}]]);
  });

  it.each<[string, JsonObject]>([
    ['Nous avons 45 salariés.', { headcount: 45 }],
    [
      "Notre secteur est l'agroalimentaire, nous sommes à Dakar au Sénégal",
      { sector: 'agroalimentaire', country: 'SN', city: 'Dakar' },
    ],
    [
      'notre secteur est l’agroalimentaire, nous sommes à Dakar au Sénégal',
      { sector: 'agroalimentaire', country: 'SN', city: 'Dakar' },
    ],
    [
      "Notre chiffre d'affaires est de 120 millions de FCFA",
      { revenue: { amount: 120_000_000, currency: 'XOF' } },
    ],
    [
      "Au Cameroun, notre chiffre d'affaires est de 120 millions de FCFA",
      { country: 'CM', revenue: { amount: 120_000_000, currency: 'XAF' } },
    ],
    [
      'We have 45 employees and our annual revenue is €1.2 million',
      { headcount: 45, revenue: { amount: 1_200_000, currency: 'EUR' } },
    ],
    [
      'Tenemos 45 empleados y nuestra sede está en Bogotá, Colombia',
      { headcount: 45, country: 'CO', city: 'Bogotá' },
    ],
    ["Mets à jour l'effectif de l'entreprise : 52 personnes", { headcount: 52 }],
    ['Notre entreprise s’appelle Baobab Foods.', { name: 'Baobab Foods' }],
    [
      'Nos objectifs sont la neutralité carbone et zéro déchet.',
      { declaredGoals: ['neutralité carbone', 'zéro déchet'] },
    ],
    [
      'Je dirige une savonnerie à Bobo-Dioulasso, 14 salariés',
      { country: 'BF', city: 'Bobo-Dioulasso', headcount: 14 },
    ],
  ])('is updated with «%s»', (statement, expected) => {
    expect(callsOf(statement)).toEqual([['update_company_profile', expected]]);
  });

  it.each([
    'Mon fournisseur est à Lomé et emploie 200 salariés',
    'Notre concurrent à Cotonou a 30 employés',
    'Contrato de alquiler de un local en Sevilla por 1.200 € al mes, 5 años',
    'Enregistre que notre client est à Lomé',
  ])('takes nothing of others: «%s»', (statement) => {
    expect(callsOf(statement)).toEqual([]);
  });

  it('is left alone by an assistant that is not to keep it, but for an order', () => {
    const system = { role: 'system', content: 'Langue : fr' };
    const asked = (text: string) => ask([], { messages: [system, user(text)] });
    expect(asked('Nous avons 45 salariés.')).not.toHaveProperty('toolCalls');
    expect(asked("Mets à jour l'effectif de l'entreprise : 52 personnes")).toMatchObject({
      toolCalls: [{ name: 'update_company_profile', arguments: '{"headcount":52}' }],
    });
  });

  it('is updated before what works with it', () => {
    const question = 'Nous avons 45 salariés. Quelle est notre empreinte carbone pour 100 kWh ?';
    expect(callsOf(question)).toEqual([['update_company_profile', { headcount: 45 }]]);
    const reply = ask([
      user(question),
      {
        role: 'assistant',
        tool_calls: [
          {
            id: '1',
            type: 'function',
            function: { name: 'update_company_profile', arguments: '{"headcount":45}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: '1', content: '{"updated":["headcount"]}' },
    ]);
    expect(reply).toMatchObject({ toolCalls: [{ name: 'calculate_carbon_footprint' }] });
  });
});

describe('what calls for nothing', () => {
  it.each(['Annule la recherche.', 'Où en est ma recherche ?', 'Cancel the search'])('%s', (text) => {
    const reply = ask([user('Empreinte de 12 kWh'), { role: 'assistant', content: '6 kgCO2e.' }, user(text)]);
    expect(textOf(reply)).toMatch(/Rien d'autre|Nothing else/);
  });

  it.each([
    '我們公司的差旅規定是什麼？',
    'Bonjour',
    'Bonjour !',
    'Merci beaucoup',
    'thanks!',
    'Hola, ¿qué tal?',
    '你好',
    'Quelle est la capitale du Sénégal ?',
    "Qu'est-ce qu'une empreinte carbone ?",
    'What is a carbon footprint?',
    'Raconte-moi une blague',
    'Comment vas-tu ?',
    '¿Qué es el alcance 3?',
    'Quels financements verts existent ?',
    'Nous cherchons un financement de 50 millions de FCFA',
    '',
    '?',
    '12',
  ])('«%s»', (text) => {
    expect(callsOf(text)).toEqual([]);
  });

  it('is answered honestly, with what the tools can do and the question in mind', () => {
    const reply = textOf(ask([user('Raconte-moi une blague sur les baobabs')]));
    expect(reply).toContain('baobabs');
    expect(reply).toContain('sans modèle de langage');
    expect(reply).toContain('calculer une empreinte carbone');
    expect(reply).not.toContain('Calculates');
  });
});

describe('after a result', () => {
  const called = (content: string, language = 'fr', opening = true) =>
    textOf(
      think(
        completionRequest.parse({
          model: 'x',
          tools: tools.map((tool) => ({ type: 'function', function: tool })),
          messages: [
            { role: 'system', content: `Language: ${language}` },
            ...(opening ? [] : [user('Bonjour'), { role: 'assistant', content: 'Bonjour !' }]),
            user('Empreinte carbone de 12 000 kWh au Sénégal ?'),
            {
              role: 'assistant',
              content: null,
              tool_calls: [
                {
                  id: 'a',
                  type: 'function',
                  function: { name: 'calculate_carbon_footprint', arguments: '{}' },
                },
              ],
            },
            { role: 'tool', tool_call_id: 'a', content },
          ],
        }),
      ),
    );
  const result = JSON.stringify({
    summary: 'Total : 6,2 t CO2e.',
    totalKgCo2e: 6234.5,
    lines: [{ activity: 'electricity', quantity: 12_000, unit: 'kWh', kgCo2e: 6234.5, scope: 2 }],
    sources: [{ publisher: 'Ember', year: 2023, id: 'x' }],
    caveats: ['Moyenne nationale.'],
  });

  it('quotes the summary and adds figures, sources and caveats', () => {
    const text = called(result);
    expect(text).toContain('Total : 6,2 t CO2e.');
    expect(text).toMatch(/12\s000 kWh/);
    expect(text).toContain('Ember');
    expect(text).toContain('2023');
    expect(text).toContain('- Moyenne nationale.');
    expect(text).not.toContain('null');
  });

  it.each([
    ['fr', 'modèle de langage'],
    ['en', 'language model'],
    ['es', 'modelo de lenguaje'],
    ['zh-Hant', '語言模型'],
  ])('says once a conversation, in %s, that no model is configured', (language, words) => {
    expect(called(result, language)).toContain(words);
    expect(called(result, language)).toContain('LLM_BASE_URL');
    expect(called(result, language, false)).not.toContain('LLM_BASE_URL');
  });

  it('tells an error plainly and asks for what would mend it', () => {
    const text = called('{"error":"no factor for this country"}');
    expect(text).toContain('no factor for this country');
    expect(text).toContain('?');
  });

  it('words any JSON, without ids and nulls, in the reader’s numbers', () => {
    const text = called(
      JSON.stringify({ id: 'c1', name: 'Teranga', country: 'SN', city: null, headcount: 1450 }),
      'es',
    );
    expect(text).toContain('país: Senegal');
    expect(text).toContain('plantilla: 1450');
    expect(text).not.toMatch(/c1|null/);
  });
});

it('answers any request that has the right shape, twice alike', () => {
  const names = ['get_x', 'update_y', 'calculate', 'search_web', 'read_webpage', 'retrieve_documents'].concat(
    ['synthesize_answer', 'continue_in_background', 'name_conversation', 'keep_summary'],
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'Quelle empreinte pour 12 kWh ?',
      'mon entreprise',
      'résume',
      '45 salariés',
      'Et le prix à Dakar ?',
      '# a\n- b\n# c\nMembre:\n> 45',
    ),
  );
  const message = fc.oneof(
    fc.record({ role: fc.constantFrom('system', 'user', 'assistant'), content: text }),
    fc.record({
      role: fc.constant('tool'),
      tool_call_id: fc.constantFrom('a', 'b'),
      content: fc.oneof(text, fc.json()),
    }),
  );
  const tool = fc.record({
    type: fc.constant('function'),
    function: fc.record({
      name: fc.constantFrom(...names),
      description: text,
      parameters: fc.dictionary(
        fc.constantFrom('properties', 'required', 'type', 'items', '$ref', 'anyOf'),
        fc.jsonValue(),
      ),
    }),
  });
  fc.assert(
    fc.property(
      fc.array(message, { minLength: 1 }),
      fc.array(tool),
      fc.oneof(
        fc.constantFrom('auto', 'none', 'required'),
        fc.constantFrom(...names).map((name) => ({ type: 'function', function: { name } })),
      ),
      (messages, given, tool_choice) => {
        const request = completionRequest.parse({ model: 'x', messages, tools: given, tool_choice });
        const reply = think(request);
        expect(think(request)).toEqual(reply);
        expect('text' in reply ? reply.text.length : reply.toolCalls.length).toBeGreaterThan(0);
      },
    ),
  );
});

describe('a question that was left without an answer', () => {
  const asked = user("Quelle est l'empreinte de 3 500 litres de gazole au Sénégal ?");
  const left = (content: string): Message => ({ role: 'assistant', content });
  const cancelled = left("Vous avez annulé cette demande avant que j'y réponde : je n'y donne pas suite.");
  const failed = left(
    "Cette demande n'a pas pu aboutir et reste sans réponse. Je n'y reviens que si vous me le redemandez.",
  );

  it.each([cancelled, failed])('is not gone into by what is said next: $content', (told) => {
    expect(ask([asked, told, user('Bonjour')])).toEqual(ask([user('Bonjour')]));
    expect(ask([asked, told, user('Génère le rapport carbone en PDF')])).toHaveProperty('text');
  });

  it.each([
    'Réessaie',
    'Peux-tu recommencer, s’il te plaît ?',
    'Try again, please',
    'Inténtalo otra vez',
    '再試一次。',
  ])('is asked again by «%s»', (again) => {
    const calls = [{ name: 'calculate_carbon_footprint' }];
    expect(ask([asked, failed, user(again)])).toMatchObject({ toolCalls: calls });
    expect(ask([asked, cancelled, user(again)])).toMatchObject({ toolCalls: calls });
    expect(ask([asked, failed, user('Merci'), left('Avec plaisir.'), user(again)])).toHaveProperty('text');
  });

  it('can be gone on from', () => {
    expect(ask([asked, cancelled, user('Et au Mali ?')])).toMatchObject({
      toolCalls: [{ name: 'calculate_carbon_footprint', arguments: expect.stringContaining('"ML"') }],
    });
  });
});

it('sums up what was handed over, without a word about itself', () => {
  const reply = textOf(
    ask([user('Résume cet échange :\nNous avons parlé de gazole. Puis de rien.\nEt de budget.')], {
      tools: [],
    }),
  );
  expect(reply).toBe('En résumé :\n- Nous avons parlé de gazole.\n- Et de budget.');
});

describe('tool_choice', () => {
  it('none calls nothing', () => {
    expect(ask([user('Que sais-tu de mon entreprise ?')], { tool_choice: 'none' })).toHaveProperty('text');
  });
  it('a name forces that tool', () => {
    const forced = { tool_choice: { type: 'function', function: { name: 'get_company_profile' } } };
    expect(ask([user('Bonjour')], forced)).toMatchObject({ toolCalls: [{ name: 'get_company_profile' }] });
  });
  it('required calls the closest', () => {
    expect(ask([user('Bonjour, le profil')], { tool_choice: 'required' })).toMatchObject({
      toolCalls: [{ name: 'get_company_profile' }],
    });
  });
});
