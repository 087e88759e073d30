import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { isUpkeep, readRequest, toolsOf } from '../harness/provider-request.js';
import { setActive, skillStory } from '../harness/skill-view.js';
import { startApp, type TestApp } from '../harness/start-app.js';

/**
 * What somebody who reads the schemas would have each assistant call for a request, with the arguments that come to mind,
 * which models write loosely. `before`: what the conversation needs first.
 */
interface Choice {
  assistant: string;
  request: string;
  skill: string;
  input: JsonObject;
  before?: [skill: string, input: JsonObject];
}

const FOOTPRINT = 'calculate_carbon_footprint';
const SCORE = 'calculate_esg_score';
const FINANCING = 'find_green_financing';

function footprint(
  activity: string,
  quantity: number | string,
  unit?: string,
  country = 'Sénégal',
): JsonObject {
  return { items: [{ activity, quantity, ...(unit && { unit }) }], country };
}
const power = footprint('électricité', 12_000, 'kWh');
const note = { kind: 'PREFERENCE', subject: 'Réponses', content: 'Préfère des réponses courtes.' };

const choices: [
  assistant: string,
  request: string,
  skill: string,
  input: JsonObject,
  before?: Choice['before'],
][] = [
  ['mefali', 'Quelle est l’empreinte carbone de 12 000 kWh au Sénégal ?', FOOTPRINT, power],
  ['mefali', 'Et en chiffres, 12 000 kWh ?', FOOTPRINT, footprint('électricité', '12 000', 'kWh')],
  ['mefali', 'Combien pour 12,000.5 kWh ?', FOOTPRINT, footprint('electricity', '12,000.5 kWh')],
  ['mefali', 'Nous avons brûlé 3 500 litres de gasoil.', FOOTPRINT, footprint('gasoil', '3 500', 'litres')],
  ['mefali', 'Footprint of 500 kg of butane in Ivory Coast', FOOTPRINT, footprint('butane', 500, 'kg', 'CI')],
  ['mefali', 'CO2 de 1 MWh, pays : senegal', FOOTPRINT, footprint('electricity', 1, 'MWh', 'senegal')],
  ['mefali', 'Émissions de 200 L d’essence (SN)', FOOTPRINT, footprint('essence', 200, 'L', 'SN')],
  [
    'mefali',
    'Vol long-courrier de 9 000 km',
    FOOTPRINT,
    footprint('vol long-courrier', '9 000', 'passenger-km'),
  ],
  ['mefali', 'Émissions de 80 tonnes de charbon', FOOTPRINT, footprint('charbon minéral', 80, 'tonne')],
  [
    'mefali',
    'Bilan de 10 t transportées sur 100 km en camion',
    FOOTPRINT,
    footprint('freight by truck', '1000', 'tonne_km'),
  ],
  [
    'mefali',
    'How green are we? We use 40 % renewable electricity.',
    SCORE,
    { answers: { 'renewable electricity': 40 } },
  ],
  ['mefali', 'Quel est notre score ESG ?', SCORE, {}],
  ['mefali', 'Que faut-il dire pour le pilier environnement ?', SCORE, { questions: 'E' }],
  ['mefali', 'Notre score ESG, nous sommes dans l’agriculture', SCORE, { sector: 'agriculture' }],
  ['mefali', 'Quel financement pour des panneaux solaires ?', FINANCING, { need: 'des panneaux solaires' }],
  ['mefali', 'Green loans in Kenya', FINANCING, { country: 'Kenya', instrument: 'loan' }],
  ['mefali', 'Subventions au Sénégal', FINANCING, { country: 'Sénégal', instrument: 'grant' }],
  [
    'mefali',
    'Financer l’irrigation, 50 millions de FCFA',
    FINANCING,
    { need: 'irrigation', amount: { value: '50 000 000', currency: 'XOF' } },
  ],
  ['mefali', 'Fonds verts pour le senegal', FINANCING, { country: 'senegal' }],
  [
    'mefali',
    'Un rapport carbone en Word',
    'generate_report',
    { kind: 'carbon', format: 'docx' },
    [FOOTPRINT, power],
  ],
  ['mefali', 'Fais-en un PDF', 'generate_report', { kind: 'carbon', format: 'pdf' }, [FOOTPRINT, power]],
  ['mefali', 'Nous sommes 40 et basés à Thiès.', 'update_company_profile', { headcount: 40, city: 'Thiès' }],
  [
    'mefali',
    'Notre secteur est l’énergie, au Sénégal.',
    'update_company_profile',
    { sector: 'énergie', country: 'SN' },
  ],
  [
    'mefali',
    'Nous recyclons nos eaux usées.',
    'update_company_profile',
    { environmentalPractices: ['Recyclage des eaux usées'] },
  ],
  ['mefali', 'Quels sont nos chiffres ?', 'get_company_profile', {}],
  ['mefali', 'Retiens que je préfère des réponses courtes.', 'remember', note],
  ['mefali', 'Que sais-tu de moi ?', 'recall', {}],
  ['therese', 'Retiens que je préfère des réponses courtes.', 'remember', note],
  [
    'therese',
    'Note que Marc est notre comptable.',
    'remember',
    { kind: 'CONTACT', subject: 'Marc', content: 'Le comptable.' },
  ],
  [
    'therese',
    'Je travaille sur le projet Soleil.',
    'remember',
    { kind: 'PROJECT', subject: 'Soleil', content: 'Travaille sur ce projet.' },
  ],
  [
    'therese',
    'Souviens-toi : fermé en août.',
    'remember',
    { kind: 'FACT', subject: 'Fermeture', content: 'Fermé en août.' },
  ],
  ['therese', 'Qui est Marc ?', 'recall', { query: 'Marc' }],
  [
    'therese',
    'De quoi avons-nous parlé le 3 mars 2026 ?',
    'recall',
    { from: '2026-03-03', to: '2026-03-03' },
  ],
  ['therese', 'Que sais-tu de mes projets ?', 'recall', { kinds: ['PROJECT'] }],
  [
    'therese',
    'Oublie mes préférences de réponse.',
    'forget_memory',
    { subject: 'Réponses' },
    ['remember', note],
  ],
  [
    'therese',
    'Oublie ce que tu sais des réponses courtes.',
    'forget_memory',
    { subject: 'Réponses', kind: 'PREFERENCE' },
    ['remember', note],
  ],
  ['therese', 'Dans quel secteur est notre entreprise ?', 'get_company_profile', {}],
  ['therese', 'Nous avons déménagé à Dakar.', 'update_company_profile', { city: 'Dakar' }],
  ['therese', 'Combien sommes-nous dans l’entreprise ?', 'get_company_profile', {}],
  [
    'solven',
    'Recuerda que prefiero tablas.',
    'remember',
    { kind: 'PREFERENCE', subject: 'Tablas', content: 'Prefiere tablas.' },
  ],
  ['solven', '¿Qué sabes de mí?', 'recall', {}],
  ['solven', '¿Qué dije de Marta?', 'recall', { query: 'Marta' }],
  [
    'solven',
    'Olvida lo de las tablas.',
    'forget_memory',
    { subject: 'Tablas' },
    ['remember', { kind: 'PREFERENCE', subject: 'Tablas', content: 'Prefiere tablas.' }],
  ],
  ['solven', '¿Cuál es el perfil de la empresa?', 'get_company_profile', {}],
  ['solven', 'Ahora somos 25 personas.', 'update_company_profile', { headcount: 25 }],
  [
    'solven',
    'Facturamos 2 millones de euros.',
    'update_company_profile',
    { revenue: { amount: 2_000_000, currency: 'EUR' } },
  ],
  ['explorateur', 'Que sais-tu de notre entreprise ?', 'get_company_profile', {}],
  ['explorateur', 'Qu’ai-je dit de nos concurrents ?', 'recall', { query: 'concurrents' }],
  ['explorateur', 'Quel financement vert pour une PME au Ghana ?', FINANCING, { country: 'Ghana' }],
  ['explorateur', 'Calcule l’empreinte carbone de 12 000 kWh.', FOOTPRINT, power],
  ['explorateur', 'Quel est notre score ESG ?', SCORE, {}],
  [
    'explorateur',
    'Retiens que je suis les énergies marines.',
    'remember',
    { kind: 'PREFERENCE', subject: 'Énergies marines', content: 'Suit ce sujet.' },
  ],
  ['explorateur', 'Notre ville est Abidjan.', 'update_company_profile', { city: 'Abidjan' }],
  ['explorateur', 'Qu’avons-nous dit en mars 2026 ?', 'recall', { from: '2026-03-01', to: '2026-03-31' }],
  [
    'bibliotheque',
    '記住我喜歡簡短的回答。',
    'remember',
    { kind: 'PREFERENCE', subject: '回答', content: '喜歡簡短的回答。' },
  ],
  ['bibliotheque', '你知道我的什麼？', 'recall', {}],
  ['bibliotheque', '我們公司是做什麼的？', 'get_company_profile', {}],
  ['bibliotheque', '我們公司有三十人。', 'update_company_profile', { headcount: 30 }],
  [
    'bibliotheque',
    '忘記關於回答的筆記。',
    'forget_memory',
    { subject: '回答' },
    ['remember', { kind: 'PREFERENCE', subject: '回答', content: '簡短。' }],
  ],
  ['bibliotheque', '我說過什麼關於台北的事？', 'recall', { query: '台北' }],
];

/** What the conversation needs, then what is to be chosen. */
let wanted: [skill: string, input: JsonObject][] = [];

/** Calls what is wanted where it is offered, and searches for it by the words of the request where it is not. */
function reply(body: JsonObject): ProviderReply {
  if (isUpkeep(body)) return [text('Rien.'), finish()];
  const offered = toolsOf(body);
  const [next] = wanted;
  if (next && offered.includes(next[0])) {
    wanted = wanted.slice(1);
    return [toolCall(next[0], next[1]), finish()];
  }
  const asked = readRequest(body).messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const isSearched = JSON.stringify(readRequest(body).messages).includes('"search_skills"');
  if (next && offered.includes('search_skills') && !isSearched) {
    return [toolCall('search_skills', { query: String(asked).split('\n\n')[0] ?? '' }), finish()];
  }
  return offered.includes('synthesize_answer')
    ? [toolCall('synthesize_answer', { reason: 'Enough.' }), finish()]
    : [text('Voilà.'), finish()];
}

let app: TestApp;
beforeAll(async () => {
  app = await startApp((body) => reply(body));
});
afterAll(() => app[Symbol.asyncDispose]());

/** The skills that were used for a request, with what became of them. */
async function used(
  { assistant, request, skill, input, before }: Choice,
  hidden?: string,
): Promise<string[]> {
  const client = await app.client({ company: await app.company(), role: 'ADMIN' });
  if (hidden) await setActive(client, hidden, false);
  wanted = [...(before ? [before] : []), [skill, input]];
  const { turnId } = await client.ask(request, { assistantKey: assistant });
  const story = skillStory(await client.allEvents(turnId));
  return story
    .filter((line) => line.startsWith('SkillFinished '))
    .map((line) => line.slice('SkillFinished '.length));
}

it('has sixty requests', () => expect(choices).toHaveLength(60));

it.each(choices)('%s: « %s » is served by %s', async (assistant, request, skill, input, before) => {
  const story = await used({ assistant, request, skill, input, ...(before && { before }) });
  expect(story.filter((line) => line.startsWith('search_skills')).length).toBeLessThanOrEqual(before ? 2 : 1);
  expect(story.at(-1)).toBe(`${skill} SUCCEEDED`);
});

it('would notice a skill that is not there', async () => {
  const [assistant, request, skill, input] = choices[0]!;
  expect(await used({ assistant, request, skill, input }, skill)).not.toContain(`${skill} SUCCEEDED`);
});
