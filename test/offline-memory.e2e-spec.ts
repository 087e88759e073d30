import { untilWaiting } from './harness/approval-view.js';
import { eventually } from './harness/eventually.js';
import { startOfflineApp, type TestApp } from './harness/start-app.js';
import { answerOf, type TestClient } from './harness/test-client.js';
import { cancelTurn } from './harness/turn-view.js';

const NOTICE = /\n\n(?:Remarque|Note|Nota|提醒)\s?[:：].*$/s;

interface Told {
  conversationId: string;
  skills: string[];
  /** Without the notice that no model is configured. */
  answer: string;
}

interface Memory {
  kind: string;
  subject: string;
  content: string;
  attributes: Record<string, unknown>;
  active: boolean;
}

let app: TestApp;

beforeAll(async () => {
  app = await startOfflineApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function told(client: TestClient, message: string, input: object): Promise<Told> {
  const { turnId, conversationId } = await client.ask(message, input);
  const events = await client.allEvents(turnId);
  expect(events.at(-1)).toMatchObject({ __typename: 'TurnDone', status: 'COMPLETED' });
  const skills = events.flatMap((event) =>
    event.__typename === 'SkillStarted' ? [String(event.skill)] : [],
  );
  const answer = answerOf(events)
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .replace(NOTICE, '');
  return { conversationId, skills, answer };
}

/** Somebody of a company of their own, and what they say to one assistant. */
class Person {
  private constructor(
    private readonly client: TestClient,
    private readonly assistantKey: string,
  ) {}

  static async of(assistantKey: string): Promise<Person> {
    return new Person(await app.client({ company: await app.company() }), assistantKey);
  }

  /** In a new conversation, as on another day, unless one is gone on with. */
  says(message: string, conversationId?: string): Promise<Told> {
    const input = conversationId ? { conversationId } : { assistantKey: this.assistantKey };
    return told(this.client, message, input);
  }

  async memories(): Promise<Memory[]> {
    const { memories } = await this.client.get<{ memories: { edges: { node: Memory }[] } }>(
      '{ memories(first: 50) { edges { node { kind subject content attributes active } } } }',
    );
    return memories.edges.map(({ node }) => node).filter(({ active }) => active);
  }

  async turnOff(key: string): Promise<void> {
    await this.client.get('mutation ($key: String!) { setSkillActive(key: $key, active: false) { key } }', {
      key,
    });
  }
}

describe('therese, without a language model', () => {
  let awa: Person;
  beforeAll(async () => {
    awa = await Person.of('therese');
  });

  it('notes a preference, a project and a contact, and says what it noted', async () => {
    const preference = await awa.says('Retiens que je préfère les réponses courtes.');
    expect(preference).toMatchObject({
      skills: ['remember'],
      answer: "C'est noté : « Je préfère les réponses courtes. »",
    });
    await awa.says('Le projet Baobab pour Nord Conseil est en phase de test.');
    await awa.says('Marc Dupont est mon comptable, son e-mail est marc@example.org.');
    expect(await awa.memories()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'PREFERENCE', subject: 'Longueur des réponses' }),
        expect.objectContaining({
          kind: 'PROJECT',
          subject: 'Baobab',
          attributes: { status: 'en phase de test', client: 'Nord Conseil' },
        }),
        expect.objectContaining({
          kind: 'CONTACT',
          subject: 'Marc Dupont',
          attributes: { email: 'marc@example.org', notes: 'comptable' },
        }),
      ]),
    );
  });

  it('uses them in a conversation of another day, without a skill', async () => {
    const marc = await awa.says("Quelle est l'adresse de Marc ?");
    expect(marc).toMatchObject({ skills: [] });
    expect(marc.answer).toMatch(/^L'adresse de Marc Dupont est marc@example\.org \(notée le /);
    const project = await awa.says('Où en est le projet Baobab ?');
    expect(project.answer).toMatch(/^Le projet Baobab pour Nord Conseil est en phase de test \(noté le /);
    const preference = await awa.says('Comment je préfère recevoir les réponses ?');
    expect(preference.answer).toContain('« Je préfère les réponses courtes. »');
  });

  it('corrects one', async () => {
    const told = await awa.says("Finalement l'e-mail de Marc est dupont@example.net");
    expect(told).toMatchObject({ skills: ['remember'] });
    expect(told.answer).toMatch(
      /^C'est noté : .*dupont@example\.net.*\nCela remplace ce que j'avais noté le /,
    );
    expect((await awa.says("Quelle est l'adresse de Marc ?")).answer).toContain('dupont@example.net');
  });

  it('forgets one, so that nothing tells of it any more', async () => {
    const told = await awa.says('Oublie le projet Baobab.');
    expect(told).toMatchObject({ skills: ['forget_memory'] });
    expect(told.answer).toMatch(/^C'est oublié/);
    expect((await awa.memories()).map(({ subject }) => subject)).not.toContain('Baobab');
    expect((await awa.says('Où en est le projet Baobab ?')).answer).not.toContain('Nord Conseil');
  });

  it('forgets a person with all that is noted under the name', async () => {
    await awa.says('Retiens que Sékou Bah est mon dentiste, son mail est sekou.bah@cab.example');
    await awa.says('Sékou Bah habite rue 12 à Conakry, retiens-le');
    const told = await awa.says('Oublie Sékou Bah');
    expect(told.skills).toEqual(['forget_memory', 'forget_memory']);
    expect(told.answer).toBe("C'est oublié : il n'en reste rien dans ma mémoire.");
    expect((await awa.memories()).map(({ subject }) => subject)).not.toContain('Sékou Bah');
    expect((await awa.says('Quel est le mail de Sékou ?')).answer).not.toMatch(/Conakry|cab\.example/);
  });

  it('tells all that it knows of the person', async () => {
    const { answer, skills } = await awa.says("Qu'est-ce que tu sais de moi ?");
    expect(skills).toEqual(['recall']);
    expect(answer).toContain('Je préfère les réponses courtes');
    expect(answer).toContain('dupont@example.net');
    expect(answer).not.toContain('Baobab');
  });

  it('goes on from what was said in the same conversation', async () => {
    const { conversationId } = await awa.says('Retiens que la réunion du comité est jeudi.');
    const corrected = await awa.says("Non, en fait c'est vendredi.", conversationId);
    expect(corrected.answer).toMatch(/^C'est noté : « La réunion du comité est vendredi\. »\nCela remplace/);
    expect((await awa.says('Oublie ça.', conversationId)).answer).toMatch(/^C'est oublié/);
    expect((await awa.memories()).map(({ subject }) => subject)).not.toContain('réunion du comité');
  });

  it('says frankly that it noted nothing', async () => {
    expect((await awa.says('Quel est mon restaurant préféré ?')).answer).toMatch(
      /^Je n'ai rien noté là-dessus/,
    );
  });
});

describe('what was taken back before it was answered', () => {
  const SET_APPROVAL = `mutation ($required: Boolean!) {
    setSkillApproval(key: "remember", required: $required) { key } }`;

  it.each(['cancelled', 'replaced'])('is not noted with what is said next: %s', async (way) => {
    const awa = await app.client({ company: await app.company() });
    await awa.get(SET_APPROVAL, { required: true });
    const asked = await awa.ask('Retiens que Marc Diop est mon comptable.', { assistantKey: 'therese' });
    await untilWaiting(awa, asked.turnId);
    await awa.get(SET_APPROVAL, { required: false });
    if (way === 'cancelled') await cancelTurn(awa, asked.turnId);
    const { conversationId } = asked;
    const next = await told(awa, 'Non, ne le retiens pas.', { conversationId, whenBusy: 'INTERRUPT' });
    expect(next.skills).toEqual([]);
    expect(next.answer).not.toContain('Marc Diop');
  });

  it('is noted when it is asked for once more', async () => {
    const awa = await app.client({ company: await app.company() });
    await awa.get(SET_APPROVAL, { required: true });
    const asked = await awa.ask('Retiens que Marc Diop est mon comptable.', { assistantKey: 'therese' });
    await untilWaiting(awa, asked.turnId);
    await cancelTurn(awa, asked.turnId);
    await awa.get(SET_APPROVAL, { required: false });
    const again = await told(awa, 'Réessaie.', { conversationId: asked.conversationId });
    expect(again).toMatchObject({ skills: ['remember'] });
    expect(again.answer).toContain('Marc Diop');
  });
});

describe('what is said in passing', () => {
  it('is taken note of after the turn when it cannot be noted in it', async () => {
    const awa = await Person.of('therese');
    await awa.turnOff('remember');
    expect((await awa.says('Je préfère les rendez-vous le matin.')).answer).toBe("C'est entendu.");
    const noted = await eventually(
      () => awa.memories(),
      (memories) => memories.length > 0,
    );
    expect(noted).toMatchObject([
      { kind: 'PREFERENCE', subject: 'rendez-vous', content: 'Je préfère les rendez-vous le matin.' },
    ]);
    const later = await awa.says('Quand est-ce que je préfère les rendez-vous ?');
    expect(later.answer).toContain('« Je préfère les rendez-vous le matin. »');
  });
});

describe('the other languages', () => {
  it('are Spanish', async () => {
    const ana = await Person.of('solven');
    expect((await ana.says('Recuerda que prefiero las reuniones por la mañana')).answer).toBe(
      'Anotado: «Prefiero las reuniones por la mañana.»',
    );
    const { answer } = await ana.says('¿Qué sabes de mí?');
    expect(answer).toMatch(/^Esto es lo que sé de usted:\n- .*reuniones por la mañana/);
    expect((await ana.says('Olvida mi preferencia')).answer).toMatch(/^Olvidado/);
    expect(await ana.memories()).toEqual([]);
  });

  it('are Chinese', async () => {
    const ming = await Person.of('bibliotheque');
    expect((await ming.says('請記住我比較喜歡簡短的回答')).answer).toBe('記下了：「我比較喜歡簡短的回答。」');
    const told = await ming.says('王小明的電子郵件是 ming@example.tw');
    expect(told.skills).toContain('remember');
    expect((await ming.says('小明的電子郵件是什麼？')).answer).toContain('ming@example.tw');
  });

  it('are English, whatever the assistant speaks', async () => {
    const ben = await Person.of('therese');
    await ben.says('From now on, answer in English.');
    const told = await ben.says("My colleague Ada's e-mail is ada@example.org");
    expect(told.answer).toBe("Noted: “My colleague Ada's e-mail is ada@example.org.”");
  });
});
