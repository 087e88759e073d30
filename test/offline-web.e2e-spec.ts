import { LocalSite } from '../src/outbound/local-site.js';
import { startApp, type TestApp } from './harness/start-app.js';
import { answerOf, type TestClient, type WireEvent } from './harness/test-client.js';

const pages: Readonly<Record<string, string>> = {
  '/senelec': `<html lang="fr"><head><title>Tarifs de l'électricité à Dakar</title>
    <meta property="article:published_time" content="2026-03-12T08:00:00Z"></head><body><article>
    <p>La Senelec applique une nouvelle grille.</p>
    <p>À Dakar, le prix du kWh est de 91,17 FCFA dans la première tranche.</p>
    <p>Abonnez-vous à notre lettre !</p></article></body></html>`,
  '/solar': `<html lang="en"><head><title>Solar pumps in Kenya</title></head><body><article>
    <p>Solar pumps cost between 500 and 2,000 dollars in Kenya.</p></article></body></html>`,
};

const stack = new AsyncDisposableStack();
let site: LocalSite;
let search: LocalSite;
let app: TestApp;
let client: TestClient;

const foundFor = (query: string): object[] => {
  if (/solar/i.test(query)) return [{ url: `${site.url}/solar`, title: 'Solar pumps', content: 'prices' }];
  if (!/Dakar/.test(query)) return [];
  return [
    { url: `${site.url}/gone`, title: 'Prix du kWh à Dakar', content: 'Le prix du kWh' },
    { url: `${site.url}/senelec`, title: 'Tarifs à Dakar', content: 'Prix du kWh' },
  ];
};

beforeAll(async () => {
  site = stack.use(
    await LocalSite.start((request, response) => {
      const page = pages[request.url ?? ''];
      response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    }),
  );
  search = stack.use(
    await LocalSite.start((request, response) => {
      const query = new URL(request.url ?? '', 'http://search').searchParams.get('q') ?? '';
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ results: foundFor(query) }));
    }),
  );
  app = stack.use(
    await startApp([], {
      LLM_BASE_URL: '',
      LLM_MODEL: '',
      OFFLINE_MODEL_TOKENS_PER_SECOND: '0',
      SEARCH_URL: search.url,
      OUTBOUND_ALLOW: site.host,
    }),
  );
  client = await app.client();
});
afterAll(() => stack.disposeAsync());

interface Told {
  conversationId: string;
  events: WireEvent[];
  skills: unknown[];
  answer: string;
}

async function ask(message: string, input: object = { assistantKey: 'explorateur' }): Promise<Told> {
  const { turnId, conversationId } = await client.ask(message, input);
  const events = await client.allEvents(turnId);
  expect(events.at(-1)).toMatchObject({ __typename: 'TurnDone', status: 'COMPLETED' });
  const skills = events.flatMap((event) => (event.__typename === 'SkillStarted' ? [event.skill] : []));
  return { conversationId, events, skills, answer: answerOf(events) };
}

const SOURCE = "- Tarifs de l'électricité à Dakar, ";

it('answers from the pages that it found and read', async () => {
  const { skills, answer } = await ask('Quel est le prix du kWh à Dakar ?');
  expect(skills).toEqual(['search_web', 'read_webpage', 'read_webpage']);
  expect(answer).toContain('À Dakar, le prix du kWh est de 91,17 FCFA dans la première tranche.');
  expect(answer).toContain(`${SOURCE}${site.url}/senelec (12 mars 2026)`);
  expect(answer).toContain(`Je n'ai pas pu lire ${site.url}/gone.`);
  expect(answer).not.toMatch(/Abonnez|étape\(s\)|Réponds maintenant|Aucun outil n'est plus/);
});

it('goes on from what was asked before, and says when nothing was found', async () => {
  const { conversationId } = await ask('Quel est le prix du kWh à Dakar ?');
  const { answer } = await ask('Et à Abidjan ?', { conversationId });
  expect(answer).toContain("La recherche sur le web n'a rien donné");
  expect(search.requests.at(-1)).toContain('q=prix+kWh+Abidjan&');
});

it('answers in the same way where nothing is planned', async () => {
  const { skills, answer } = await ask('What do solar pumps cost in Kenya?', { assistantKey: 'mefali' });
  expect(skills).toEqual(['search_web', 'read_webpage']);
  expect(answer).toContain('Solar pumps cost between 500 and 2,000 dollars in Kenya.');
});

it('takes thorough research to the background, and answers there', async () => {
  const { events, answer } = await ask("Fais une recherche approfondie sur le prix de l'électricité à Dakar");
  const types = events.map(({ __typename }) => __typename);
  expect(types.filter((type) => type === 'MovedToBackground')).toHaveLength(1);
  expect(types.indexOf('MovedToBackground')).toBeLessThan(types.indexOf('SkillStarted'));
  expect(answer).toContain(SOURCE);
});

it('reads the page whose address it is given', async () => {
  const { skills, answer } = await ask(`Que dit ${site.url}/solar ?`);
  expect(skills).toEqual(['read_webpage']);
  expect(answer).toContain('2,000 dollars');
});

it('asks for what a skill needs, also where the answer is written without skills', async () => {
  const { skills, answer } = await ask('Quelle est mon empreinte carbone ?');
  expect(skills).toEqual([]);
  expect(answer).toContain('il me manque');
  expect(answer).toContain('kWh');
});

it('says what of a question was left out', async () => {
  const { answer } = await ask('Empreinte de 12 000 kWh au Sénégal et 200 litres de lait');
  expect(answer).toContain("« 200 litres de lait » : ce n'est pas compté");
});
