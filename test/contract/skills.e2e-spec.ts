import { schemaForModels } from '@palabre/json-schema';
import { finish, gate, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { firstIdAt } from '../../src/common/ids.js';
import { GetCompanyProfileSkill } from '../../src/skills/functions/get-company-profile.skill.js';
import { lastOf, readRequest, resultIn, systemOf, toolsOf } from '../harness/provider-request.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient, WireEvent } from '../harness/test-client.js';
import { turnOf } from '../harness/turn-view.js';

/** The skills that are code, by key; one of them needs a setting that is not there. */
const FUNCTIONS = [
  'analyze_document',
  'ask_user',
  'calculate_carbon_footprint',
  'calculate_esg_score',
  'find_green_financing',
  'forget_memory',
  'generate_report',
  'get_company_profile',
  'read_webpage',
  'recall',
  'remember',
  'retrieve_documents',
  'search_web',
  'update_company_profile',
  'write_application',
];
/** The packs that ship, for one of the assistants. */
const PACKS = ['contratos/arrendamiento', 'escrituras/compraventa', 'escrituras/hipoteca'];
const KEYS = [...FUNCTIONS, ...PACKS].toSorted();
/** What mefali is made to use; the rest it searches for. */
const USUAL = [
  'calculate_carbon_footprint',
  'calculate_esg_score',
  'find_green_financing',
  'generate_report',
  'update_company_profile',
];

const SET_ACTIVE = `mutation ($key: String!, $active: Boolean!) {
  setSkillActive(key: $key, active: $active) { id key active } }`;

interface SkillView {
  id: string;
  key: string;
  description: string;
  active: boolean;
  available: boolean;
  unavailableReason: string | null;
  kind: string;
  category: string | null;
  inputSchema: JsonObject | null;
}

const SKILLS = `{ skills { id key name description kind category active available unavailableReason
  requiresApproval inputSchema } }`;

const COMPANY = `{ company { sector country city headcount revenue { amount currency }
  profile { environmentalPractices declaredGoals } } }`;

let app: TestApp;
let client: TestClient;
let reply: (body: JsonObject) => ProviderReply;

beforeAll(async () => {
  app = await shareApp((body) => reply(body));
  client = await app.client();
});
afterAll(() => app[Symbol.asyncDispose]());
afterEach(() => void vi.restoreAllMocks());

/** A model that calls these skills at once, then says that it is done. */
function calling(...calls: [name: string, input?: JsonObject | string][]): void {
  reply = (body) =>
    lastOf(body).role === 'tool'
      ? [text('Done.'), finish()]
      : [...calls.map(([name, input]) => toolCall(name, input)), finish()];
}

function finished(events: readonly WireEvent[]): WireEvent[] {
  return events.filter(({ __typename }) => __typename === 'SkillFinished');
}

/** Asks, and gives the turn's events once it has been answered. */
async function answered(asker: TestClient = client): Promise<WireEvent[]> {
  const { turnId } = await asker.ask('Please.');
  const events = await asker.allEvents(turnId);
  expect(events.at(-1)).toMatchObject({ status: 'COMPLETED', finishReason: 'ANSWERED' });
  return events;
}

/** What the model was told of its last call. */
function toldTheModel(): unknown {
  return resultIn(lastOf(app.provider.requests.at(-1)).content);
}

const SWITCHED_OFF =
  "« get_company_profile » est désactivé pour l'entreprise : un administrateur peut l'activer.";

describe('the catalogue', () => {
  it('lists all kinds side by side, functions with their JSON Schema, packs by their folders', async () => {
    const { skills } = await client.get<{ skills: SkillView[] }>(SKILLS);
    expect(skills.map(({ key }) => key)).toEqual(KEYS);
    const packs = skills.filter(({ kind }) => kind === 'INSTRUCTIONS');
    expect(packs.map(({ key, category }) => [key, category])).toEqual(
      PACKS.map((key) => [key, key.slice(0, key.indexOf('/'))]),
    );
    for (const skill of skills.filter((one) => !packs.includes(one))) {
      expect(skill).toMatchObject({
        name: expect.stringMatching(/\w/),
        description: expect.stringMatching(/\w/),
        kind: 'FUNCTION',
        category: null,
        active: true,
        requiresApproval: false,
        inputSchema: { type: 'object', properties: expect.any(Object) },
      });
    }
  });

  it('tells admins how often each was called within a week, and failed', async () => {
    const company = await app.company();
    const [ada, bea] = await Promise.all([
      app.client({ company }),
      app.client({ company, sub: 'bea', role: 'MEMBER' }),
    ]);
    const used = async (by: TestClient) => {
      const { skills } = await by.get<{ skills: { key: string; lastWeek: unknown }[] }>(
        '{ skills { key lastWeek { calls failures } } }',
      );
      return skills.find(({ key }) => key === 'get_company_profile')?.lastWeek;
    };
    expect(await used(ada)).toEqual({ calls: 0, failures: 0 });
    calling(['get_company_profile']);
    await answered(ada);
    calling(['get_company_profile', '{ "no": "such argument" }'], ['search_web', { query: 'x' }]);
    await answered(bea);
    expect(await used(ada)).toEqual({ calls: 2, failures: 1 });
    expect(await used(bea)).toBeNull();
    expect(await used(client)).not.toEqual({ calls: 2, failures: 1 });
    const { id } = (await ada.get<{ company: { id: string } }>('{ company { id } }')).company;
    await app.database.transaction(id, (tx) =>
      tx.query(
        `UPDATE skill_call SET id = $2 WHERE company_id = $1 AND id = (
           SELECT id FROM skill_call WHERE company_id = $1 AND status = 'FAILED' AND skill = 'get_company_profile')`,
        [id, firstIdAt(new Date(Date.now() - 8 * 86_400_000))],
      ),
    );
    expect(await used(ada)).toEqual({ calls: 1, failures: 0 });
  });

  it('says which of them cannot be used here, and why', async () => {
    const { skills } = await client.get<{ skills: SkillView[] }>(SKILLS);
    const missing = skills.filter(({ available }) => !available);
    expect(missing).toMatchObject([
      { key: 'search_web', unavailableReason: expect.stringContaining('SEARCH_URL') },
    ]);
    expect(skills.filter(({ unavailableReason }) => unavailableReason === null)).toHaveLength(
      KEYS.length - 1,
    );
  });

  it('says in the reader’s language what they do and what they lack', async () => {
    const { skills } = await client.get<{
      skills: Pick<SkillView, 'key' | 'description' | 'unavailableReason'>[];
    }>('{ skills { key description(language: "fr") unavailableReason(language: "fr") } }');
    const of = (wanted: string) => skills.find(({ key }) => key === wanted);
    expect(of('search_web')?.unavailableReason).toMatch(/^Aucun service de recherche/);
    expect(of('retrieve_documents')?.description).toMatch(/^Trouve dans vos documents/);
    expect(of('calculate_carbon_footprint')?.description).toMatch(/^Calcule une empreinte carbone/);
    const english = await client.get<{ skills: SkillView[] }>(SKILLS);
    const asModelsReadIt = english.skills.find(({ key }) => key === 'retrieve_documents');
    expect(asModelsReadIt?.description).toContain('Use it whenever');
  });

  it('refuses a model that calls what is not available', async () => {
    calling(['search_web', { query: 'a' }]);
    expect(finished(await answered())).toMatchObject([
      { callStatus: 'FAILED', resultPreview: 'Aucun outil search_web ne peut être appelé.' },
    ]);
  });

  it('is what the model is offered, with the same words', async () => {
    reply = () => [text('Hello.'), finish()];
    await answered();
    const { skills: all } = await client.get<{ skills: SkillView[] }>(SKILLS);
    const skills = all.filter(({ key }) => USUAL.includes(key));
    const request = app.provider.requests.at(-1);
    const offered = readRequest(request).tools?.map(({ function: tool }) => tool);
    expect(offered?.map(({ name }) => name)).toEqual(['search_skills', ...USUAL]);
    expect(offered?.slice(1)).toEqual(
      skills.map((skill) =>
        expect.objectContaining({ name: skill.key, parameters: schemaForModels(skill.inputSchema!) }),
      ),
    );
  });

  it('is each company’s own', async () => {
    const other = await app.client({ company: await app.company() });
    await other.get(SET_ACTIVE, { key: 'get_company_profile', active: false });
    const theirs = (await other.get<{ skills: SkillView[] }>(SKILLS)).skills;
    const ours = (await client.get<{ skills: SkillView[] }>(SKILLS)).skills;
    expect(theirs.filter(({ active }) => active).map(({ key }) => key)).toEqual(
      KEYS.filter((key) => key !== 'get_company_profile'),
    );
    expect(ours.filter(({ active }) => active).map(({ key }) => key)).toEqual(KEYS);
    expect(new Set([...theirs, ...ours].map(({ id }) => id)).size).toBe(2 * KEYS.length);
  });
});

describe('setSkillActive', () => {
  const set = (active: boolean) => client.get(SET_ACTIVE, { key: 'get_company_profile', active });
  afterEach(() => set(true));

  it('is in force from the next model call of a turn under way', async () => {
    const arrived = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    reply = (body) => {
      if (lastOf(body).role === 'tool') return [text('Done.'), finish()];
      arrived.resolve();
      return [gate(opened.promise), toolCall('update_company_profile', { city: 'Thiès' }), finish()];
    };
    const { turnId } = await client.ask('Please.');
    await arrived.promise;
    await client.get(SET_ACTIVE, { key: 'generate_report', active: false });
    opened.resolve();
    await client.allEvents(turnId);
    await client.get(SET_ACTIVE, { key: 'generate_report', active: true });
    const [before, after] = app.provider.requests.slice(-2);
    expect(toolsOf(before)).toEqual(['search_skills', ...USUAL]);
    expect(toolsOf(after)).toEqual(['search_skills', ...USUAL.filter((key) => key !== 'generate_report')]);
  });

  it('tells a model of what is switched off where the user asks for it by its name', async () => {
    await set(false);
    reply = () => [text('Done.'), finish()];
    await client.allEvents((await client.ask('Utilise get_company_profile, s’il te plaît.')).turnId);
    const [request] = app.provider.requests.slice(-1);
    expect(toolsOf(request)).not.toContain('get_company_profile');
    expect(systemOf(request)).toContain('inutilisables : get_company_profile.');
  });

  it('refuses a model that calls what is switched off', async () => {
    await set(false);
    const run = vi.spyOn(GetCompanyProfileSkill.prototype, 'run');
    calling(['get_company_profile']);
    const events = await answered();
    expect(finished(events)).toMatchObject([
      {
        skill: 'get_company_profile',
        callStatus: 'FAILED',
        resultPreview: SWITCHED_OFF,
      },
    ]);
    expect(toldTheModel()).toEqual({ error: SWITCHED_OFF });
    expect(run).not.toHaveBeenCalled();
  });

  it('works again once it is switched on', async () => {
    await set(false);
    await set(true);
    calling(['get_company_profile']);
    expect(finished(await answered())).toMatchObject([{ callStatus: 'SUCCEEDED' }]);
  });

  it('is written down each time it changes something: who, what, when', async () => {
    const { viewer } = await client.get<{ viewer: { id: string } }>('{ viewer { id } }');
    const entries = (): Promise<object[]> =>
      app.database.dataSource.query<object[]>(
        `SELECT action, subject FROM audit_entry WHERE member_id = $1 AND action LIKE 'skill.%' ORDER BY id`,
        [viewer.id],
      );
    const before = (await entries()).length;
    for (const active of [true, false, false, true]) await set(active);
    expect((await entries()).slice(before)).toEqual([
      { action: 'skill.deactivated', subject: 'get_company_profile' },
      { action: 'skill.activated', subject: 'get_company_profile' },
    ]);
  });

  it('is for admins, and for skills that exist', async () => {
    const member = await app.client({ sub: 'bea', role: 'MEMBER' });
    const off = { key: 'get_company_profile', active: false };
    expect(await member.codes(SET_ACTIVE, off)).toEqual(['FORBIDDEN']);
    expect(await client.codes(SET_ACTIVE, { ...off, key: 'nope' })).toEqual(['NOT_FOUND']);
    expect(await client.codes(SET_ACTIVE, { ...off, key: 'a\0b' })).toEqual(['NOT_FOUND']);
    const { skills } = await member.get<{ skills: SkillView[] }>(SKILLS);
    expect(skills.every(({ active }) => active)).toBe(true);
  });
});

describe('a skill call that goes wrong', () => {
  it.each<[string, string, JsonObject | string, string]>([
    ['an unknown skill', 'make_coffee', {}, 'Aucun outil make_coffee ne peut être appelé.'],
    ['a name that cannot be stored', 'make\0coffee\ud800', {}, 'Aucun outil make'],
    ['arguments that are no JSON', 'update_company_profile', '{"city": "Dak', 'un objet JSON'],
    ['arguments that are no object', 'update_company_profile', '["Dakar"]', 'un objet JSON'],
    ['no arguments where some are needed', 'update_company_profile', '', 'fewer than 1 properties'],
    ['an argument of the wrong form', 'update_company_profile', { country: 'Sénégal' }, 'country must match'],
    [
      'a wrong field inside',
      'update_company_profile',
      { revenue: { amount: -1, currency: 'XOF' } },
      'revenue.amount',
    ],
    ['an argument that does not exist', 'get_company_profile', { of: 'us' }, '(of)'],
  ])('%s: the model is told what, and the turn is answered', async (_, name, input, words) => {
    calling([name, input]);
    const events = await answered();
    const isMisfit = name.endsWith('_company_profile') && !words.includes('JSON');
    const shown = isMisfit ? 'L’assistant a mal formulé cet appel' : words;
    expect(finished(events)).toMatchObject([
      { callStatus: 'FAILED', resultPreview: expect.stringContaining(shown) },
    ]);
    expect(toldTheModel()).toEqual({ error: expect.stringContaining(words) });
    const started = events.find(({ __typename }) => __typename === 'SkillStarted');
    expect(started?.arguments).toEqual(typeof input === 'string' ? {} : input);
    const turn = await turnOf(client, events[0]?.turnId ?? '');
    expect(turn.skillCalls).toMatchObject([{ id: started?.callId, status: 'FAILED' }]);
    expect(turn.answer).toMatchObject({ text: 'Done.', status: 'COMPLETE' });
  });

  it('arguments that the output limit cut off: the model is told that, in its language', async () => {
    reply = (body) =>
      lastOf(body).role === 'tool'
        ? [text('Done.'), finish()]
        : [toolCall('update_company_profile', '{"city": "Dak'), finish('length')];
    const events = await answered();
    const words = expect.stringContaining('ont été coupés à la limite');
    expect(finished(events)).toMatchObject([{ callStatus: 'FAILED', resultPreview: words }]);
    expect(toldTheModel()).toEqual({ error: words });
  });

  it('a skill that throws tells nobody why', async () => {
    vi.spyOn(GetCompanyProfileSkill.prototype, 'run').mockRejectedValue(
      new Error('password of the database: hunter2'),
    );
    calling(['get_company_profile']);
    const events = await answered();
    expect(finished(events)).toMatchObject([{ callStatus: 'FAILED' }]);
    expect(JSON.stringify([events, app.provider.requests.at(-1)])).not.toContain('hunter2');
  });

  it('arguments with characters that cannot be stored do not break the turn', async () => {
    calling(['make_coffee', '{"how\\u0000": "str\\u0000ong \\ud800", "deep": [{"a": "\\udc00"}]}']);
    const events = await answered();
    expect(events.find(({ __typename }) => __typename === 'SkillStarted')?.arguments).toEqual({
      how: 'strong \ufffd',
      deep: [{ a: '\ufffd' }],
    });
  });

  it('one of several leaves the others be, in the order of asking', async () => {
    calling(['get_company_profile'], ['make_coffee'], ['get_company_profile']);
    const events = await answered();
    expect(finished(events).map(({ skill, callStatus }) => [skill, callStatus])).toEqual([
      ['get_company_profile', 'SUCCEEDED'],
      ['make_coffee', 'FAILED'],
      ['get_company_profile', 'SUCCEEDED'],
    ]);
    expect(events.at(-1)).toMatchObject({ usage: { modelCalls: 2, skillCalls: 3 } });
  });
});

describe('update_company_profile', () => {
  it('is refused to a member, who cannot change the profile otherwise either', async () => {
    const company = await app.company();
    const member = await app.client({ company, role: 'MEMBER' });
    calling(['update_company_profile', { city: 'Dakar' }]);
    const events = await answered(member);
    expect(finished(events)).toMatchObject([
      { callStatus: 'FAILED', resultPreview: expect.stringContaining('admin') },
    ]);
    expect(await member.get(COMPANY)).toMatchObject({ company: { city: null } });
  });

  it('stores what an admin has said and nothing else', async () => {
    const admin = await app.client({ company: await app.company() });
    const untouched = {
      sector: null,
      country: null,
      city: null,
      headcount: null,
      revenue: null,
      profile: { environmentalPractices: [], declaredGoals: [] },
    };
    expect(await admin.get(COMPANY)).toEqual({ company: untouched });
    calling(['update_company_profile', { headcount: 12, environmentalPractices: ['Tri des déchets'] }]);
    expect(finished(await answered(admin))).toMatchObject([{ callStatus: 'SUCCEEDED' }]);
    const first = { ...untouched, headcount: 12 };
    expect(await admin.get(COMPANY)).toEqual({
      company: { ...first, profile: { environmentalPractices: ['Tri des déchets'], declaredGoals: [] } },
    });
    calling([
      'update_company_profile',
      { revenue: { amount: 5e8, currency: 'XOF' }, environmentalPractices: ['Tri des déchets', 'Solaire'] },
    ]);
    await answered(admin);
    expect(await admin.get(COMPANY)).toEqual({
      company: {
        ...first,
        revenue: { amount: 5e8, currency: 'XOF' },
        profile: { environmentalPractices: ['Tri des déchets', 'Solaire'], declaredGoals: [] },
      },
    });
  });

  it('is in the prompt of the next model call of a later turn', async () => {
    const admin = await app.client({ company: await app.company() });
    calling(['update_company_profile', { city: 'Ziguinchor' }]);
    await answered(admin);
    expect(systemOf(app.provider.requests.at(-1))).not.toContain('Ziguinchor');
    reply = () => [text('Hello.'), finish()];
    await answered(admin);
    expect(systemOf(app.provider.requests.at(-1))).toContain('Ziguinchor');
  });
});
