import { startOfflineApp, type TestApp } from './harness/start-app.js';
import { answerOf } from './harness/test-client.js';

interface Told {
  calls: [skill: string, input: unknown][];
  answer: string;
}

let app: TestApp;

beforeAll(async () => {
  app = await startOfflineApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** What is answered to one message after the other, in one conversation. */
async function converse(assistantKey: string, messages: readonly string[]): Promise<Told[]> {
  const client = await app.client({ company: await app.company() });
  const told: Told[] = [];
  let conversationId: string | null = null;
  for (const message of messages) {
    const asked = await client.ask(message, conversationId ? { conversationId } : { assistantKey });
    ({ conversationId } = asked);
    const events = await client.allEvents(asked.turnId);
    expect(events.at(-1)).toMatchObject({ __typename: 'TurnDone', status: 'COMPLETED' });
    const calls = events.flatMap((event): Told['calls'] =>
      event.__typename === 'SkillStarted' ? [[String(event.skill), event.arguments]] : [],
    );
    told.push({ calls, answer: answerOf(events).replaceAll(/[\u00a0\u202f]/g, ' ') });
  }
  return told;
}

const skillsOf = ({ calls }: Told): string[] => calls.map(([skill]) => skill);
const load = (skill: string): Told['calls'][number] => ['load_skill', { skill }];

describe('the instructions that ship', () => {
  it('are loaded for each answer that needs them, and for no other', async () => {
    const [listed, asked, given, draft, thanks] = (await converse('solven', [
      '¿Qué habilidades tienes?',
      'Necesito una escritura de compraventa',
      'precio 200.000 euros',
      'Redacta el borrador',
      'Gracias',
    ])) as [Told, Told, Told, Told, Told];
    expect(listed.calls).toEqual([]);
    expect(listed.answer).toMatch(/\*\*contratos\*\*\n[^]*\*\*escrituras\*\*\n/);
    expect(asked.calls).toEqual([load('escrituras/compraventa')]);
    expect(asked.answer).toMatch(/Sigo las instrucciones[^]*Decisivos[^]*- Precio total/);
    expect(asked.answer).toContain('No es asesoramiento jurídico');
    expect(given.calls).toEqual([load('escrituras/compraventa')]);
    expect(given.answer).toContain('Ya me ha dado:\n- precio 200.000 euros');
    expect(given.answer).not.toContain('- Precio total');
    expect(draft.calls).toEqual([
      load('escrituras/compraventa'),
      ['read_skill_file', { skill: 'escrituras/compraventa', path: 'references/borrador.md' }],
    ]);
    expect(draft.answer).toContain('[PRECIO EN CIFRA]');
    expect(draft.answer).toContain('No es asesoramiento jurídico');
    expect(thanks.calls).toEqual([]);
  });

  it('are two where two are asked for, in the language of the question', async () => {
    const [both] = (await converse('solven', ['I need a deed of sale and a mortgage'])) as [Told];
    expect(both.calls).toEqual([load('escrituras/compraventa'), load('escrituras/hipoteca')]);
    expect(both.answer).toMatch(/I follow the instructions[^]*I follow the instructions/);
  });
});

describe('from a score to a report', () => {
  it('says which answers cannot be taken, and keeps the others', async () => {
    const [, more, wrong] = (await converse('mefali', [
      'Calcule mon score ESG : E01 : 2',
      'E03 : 2 et S01 : 150 %',
      'E03 = 9',
    ])) as [Told, Told, Told];
    const kept = [['calculate_esg_score', { answers: { E01: 2, E03: 2 } }]];
    expect([more.calls, wrong.calls]).toEqual([kept, kept]);
    expect(more.answer).toMatch(
      /^Je n’ai pas pris en compte :\n- \*\*S01\*\* : « 150 % » \(.* de 0 à 100\)\n\n/,
    );
    expect(wrong.answer).toMatch(
      /^Je n’ai pas pris en compte :\n- \*\*E03\*\* : « 9 » \(.*entier de 0 à 3\)\n\n/,
    );
  });

  it('leads through three questions of one conversation', async () => {
    const [score, financing, report] = (await converse('mefali', [
      'Calcule mon score ESG : nous avons 40 % de femmes, pas de politique anticorruption, E01 : 2',
      'Quels financements verts pour une PME agricole au Sénégal, 50 millions FCFA ?',
      'Génère le rapport ESG en PDF',
    ])) as [Told, Told, Told];
    expect(score.calls).toEqual([['calculate_esg_score', { answers: { E01: 2, G03: 0, S08: 40 } }]]);
    expect(score.answer).toMatch(/\d+ % de la grille renseignée/);
    expect(score.answer).toMatch(/\*\*E03\*\* .*\?/);
    expect(financing.calls).toEqual([
      [
        'find_green_financing',
        { country: 'SN', sector: 'agricole', amount: { value: 50_000_000, currency: 'XOF' } },
      ],
    ]);
    expect(financing.answer).toContain('Source : https://');
    expect(report.calls).toEqual([['generate_report', { kind: 'esg', format: 'pdf' }]]);
    expect(report.answer).toMatch(/- \[.*\.pdf\]\(http[^)]+\) \(PDF, \d+ pages?/);
  }, 60_000);

  it('finds money for what it is wanted for, and writes nothing down', async () => {
    const [grants, loans] = (await converse('mefali', [
      'Nous cherchons une subvention pour installer des panneaux solaires au Mali',
      'Y a-t-il des garanties pour une PME textile au Bénin ?',
    ])) as [Told, Told];
    expect(grants.calls).toEqual([
      [
        'find_green_financing',
        { country: 'ML', need: 'installer des panneaux solaires au Mali', instrument: 'grant' },
      ],
    ]);
    expect(skillsOf(loans)).toEqual(['find_green_financing']);
  });

  it('goes on with the answers that are given later', async () => {
    const [, more] = (await converse('mefali', [
      'Calcule mon score ESG : 40 % de femmes',
      'pas de politique anticorruption',
    ])) as [Told, Told];
    expect(more.calls).toEqual([['calculate_esg_score', { answers: { G03: 0, S08: 40 } }]]);
  });

  it('keeps what does not apply, and puts right by its key what was answered', async () => {
    const [first, , again, negated, mining] = (await converse('mefali', [
      'Calcule mon score ESG : E01 : 2, G04 : oui, E09 : sans objet',
      'Merci',
      'recalcule notre score ESG avec S01 : 95 %',
      'G04 : c’est non en fait, et S01 passe à 60 %',
      'Quel serait notre score ESG dans le secteur minier avec E09 : 20 % ?',
    ])) as [Told, Told, Told, Told, Told];
    const aside = { notApplicable: ['E09'] };
    const score = (input: object) => [['calculate_esg_score', input]];
    expect(first.calls).toEqual(score({ answers: { E01: 2, G04: true }, ...aside }));
    expect(again.calls).toEqual(score({ answers: { E01: 2, G04: true, S01: 95 }, ...aside }));
    expect(negated.calls).toEqual(score({ answers: { E01: 2, G04: false, S01: 60 }, ...aside }));
    expect(mining.calls).toEqual(
      score({ answers: { E01: 2, E09: 20, G04: false, S01: 60 }, sector: 'mining' }),
    );
  });

  it('calculates first what a report is to be made of, in one answer', async () => {
    const [both] = (await converse('mefali', [
      "Calcule l'empreinte de 12 000 kWh d'électricité au Sénégal et génère le rapport en Word",
    ])) as [Told];
    expect(skillsOf(both)).toEqual(['calculate_carbon_footprint', 'generate_report']);
    expect(both.answer).toMatch(/\.docx\]\(http/);
  }, 60_000);

  it('calculates what a report turns out to lack, from what was said', async () => {
    const [, report] = (await converse('mefali', [
      'Nous avons 40 % de femmes.',
      'Génère le rapport ESG en PDF',
    ])) as [Told, Told];
    expect(skillsOf(report)).toEqual(['generate_report', 'calculate_esg_score', 'generate_report']);
    expect(report.answer).not.toContain('nothing to report');
    expect(report.answer).toMatch(/\.pdf\]\(http/);
  }, 60_000);

  it.each<[assistant: string, message: string, skills: string[], report: object]>([
    [
      'mefali',
      'rapport de financement au Mali en pdf',
      ['generate_report', 'find_green_financing', 'generate_report'],
      { kind: 'financing', format: 'pdf' },
    ],
    [
      'mefali',
      'Quels financements verts au Mali ? Fais-moi un rapport PDF',
      ['find_green_financing', 'generate_report'],
      { kind: 'financing', format: 'pdf' },
    ],
    [
      'mefali',
      'prépare un dossier de financement au Bénin',
      ['generate_report', 'find_green_financing', 'generate_report'],
      { kind: 'financing' },
    ],
    [
      'explorateur',
      'Fais un rapport pdf carbone pour 12 000 kWh au Sénégal, puis cherche des financements verts au Mali, puis calcule le score ESG avec E01 : 2',
      ['calculate_carbon_footprint', 'find_green_financing', 'calculate_esg_score', 'generate_report'],
      { kind: 'carbon', format: 'pdf' },
    ],
  ])(
    'makes the report that is ordered, once: %s, %s',
    async (assistant, message, skills, report) => {
      const [told] = (await converse(assistant, [message])) as [Told];
      expect(skillsOf(told)).toEqual(skills);
      expect(told.calls.at(-1)?.[1]).toEqual(report);
      expect(told.answer.match(/\.pdf\]\(http/g)).toHaveLength(1);
    },
    60_000,
  );

  it('makes a report again, of the kind that it was', async () => {
    const [, , again] = (await converse('mefali', [
      'Calcule mon score ESG avec E01 : 2 et fais un rapport en Word',
      'Quels financements verts au Togo ?',
      'refais le rapport',
    ])) as [Told, Told, Told];
    expect(again.calls).toEqual([['generate_report', { kind: 'esg', format: 'docx' }]]);
  }, 60_000);

  it('asks for what is needed where nothing was said of it', async () => {
    const [report] = (await converse('mefali', ['Génère le rapport ESG en PDF'])) as [Told];
    expect(skillsOf(report)).toEqual(['generate_report']);
    expect(report.answer).toContain('Il n’y a pas encore de score ESG dans cette conversation.');
  });

  it('makes no report that nobody ordered', async () => {
    const told = await converse('mefali', [
      'Calcule mon score ESG : 40 % de femmes',
      'Quel est le rapport entre ESG et RSE ?',
      'Que contient un rapport ESG ?',
    ]);
    expect(told.flatMap(skillsOf)).not.toContain('generate_report');
  });
});
