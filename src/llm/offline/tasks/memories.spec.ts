import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../common/json.js';
import { completionRequest } from '../server/protocol.js';
import { think } from '../think.js';

interface Turn {
  known?: readonly string[];
  before?: string;
  answer?: string;
}

const quoted = (text: string): string => text.replaceAll(/^/gm, '> ');

/** What is noted of a question by the task that reads turns. */
function noted(question: string, { known = [], before = '', answer = 'Voici.' }: Turn = {}): JsonObject[] {
  const list = known.map((line, at) => `${at + 1}. ${line}`).join('\n');
  const parts = [
    '# Aujourd’hui\n2026-05-07',
    ...(list === '' ? [] : [`# Déjà noté\n${list}`]),
    ...(before === '' ? [] : [`# Avant\nMembre:\n${quoted(before)}\n\nAssistant:\n> C'est noté.`]),
    `# La question\nMembre:\n${quoted(question)}`,
    `# La réponse\nAssistant:\n${quoted(answer)}`,
  ];
  const name = 'note_memories';
  const reply = think(
    completionRequest.parse({
      model: 'x',
      messages: [
        { role: 'system', content: 'Tu relèves ce qui mérite d’être retenu.' },
        { role: 'user', content: parts.join('\n\n') },
      ],
      tools: [{ type: 'function', function: { name, description: '', parameters: { type: 'object' } } }],
      tool_choice: { type: 'function', function: { name } },
    }),
  );
  const [call] = 'text' in reply ? [] : reply.toolCalls;
  expect(call?.name).toBe(name);
  return (JSON.parse(call?.arguments ?? '{}') as { memories: JsonObject[] }).memories;
}

describe('what a turn gives to remember', () => {
  it('are the preferences, names, addresses and projects that the question states', () => {
    const question = [
      'Bonjour, je m’appelle Awa. Je préfère les réponses courtes.',
      "L'e-mail de Marc Dupont est marc@example.org.",
      'Le projet Baobab pour Sonatel est en phase de test. Quelle est l’empreinte de 12 000 kWh au Sénégal ?',
    ].join('\n');
    expect(noted(question)).toEqual([
      { kind: 'PREFERENCE', subject: 'Prénom', content: "Je m'appelle Awa.", message: 'question' },
      {
        kind: 'PREFERENCE',
        subject: 'Longueur des réponses',
        content: 'Je préfère les réponses courtes.',
        message: 'question',
      },
      {
        kind: 'CONTACT',
        subject: 'Marc Dupont',
        content: "L'e-mail de Marc Dupont est marc@example.org.",
        attributes: { email: 'marc@example.org' },
        message: 'question',
      },
      {
        kind: 'PROJECT',
        subject: 'Baobab',
        content: 'Le projet Baobab pour Sonatel est en phase de test.',
        attributes: { status: 'en phase de test', client: 'Sonatel' },
        message: 'question',
      },
    ]);
  });

  it.each([
    ["I'd rather have short answers", 'PREFERENCE'],
    ['Prefiero las reuniones por la mañana', 'PREFERENCE'],
    ['我比較喜歡簡短的回答', 'PREFERENCE'],
    ["My colleague Ben's e-mail is ben@example.org", 'CONTACT'],
    ['El proyecto Ceiba está en pruebas para Iberia', 'PROJECT'],
  ])('is found in each language: «%s»', (question, kind) => {
    expect(noted(question)).toMatchObject([{ kind, message: 'question' }]);
  });

  it.each([
    'Est-ce que je préfère le thé ?',
    'Si je préfère le train, que faire ?',
    'Je ne préfère plus le thé.',
    'Marc m’a dit : « Je préfère les longues réponses détaillées. »',
    'Oublie que je préfère le thé.',
    'Quelle est l’adresse de Marc ?',
    'Nous consommons 12 000 kWh par an.',
    'Merci !',
  ])('is nothing where nothing is stated: «%s»', (question) => {
    expect(noted(question)).toEqual([]);
  });

  it('is nothing that the assistant said', () => {
    expect(noted('Bonjour', { answer: 'Je préfère le thé. Le projet Baobab est en cours.' })).toEqual([]);
  });

  it('takes the place of what is noted of the same', () => {
    const known = [
      '[CONTACT] Marc Dupont: comptable (2026-04-02)',
      '[PREFERENCE] Longueur des réponses: Je préfère les réponses longues. (2026-05-01)',
      '[FACT] réunion du comité: La réunion du comité est jeudi. (2026-05-01)',
    ];
    expect(noted('Je préfère les réponses courtes.', { known })).toMatchObject([{ replaces: 2 }]);
    expect(noted('Finalement la réunion du comité est vendredi.', { known })).toMatchObject([
      { kind: 'FACT', subject: 'réunion du comité', replaces: 3 },
    ]);
    expect(noted("L'adresse de Marc est marc@example.org", { known })).toMatchObject([
      { kind: 'CONTACT', subject: 'Marc Dupont', replaces: 1 },
    ]);
  });

  it('goes on from what was said before', () => {
    const before = "L'e-mail de Marc Diallo est marc@a.example";
    expect(noted("Non, c'est diallo@b.example", { before })).toMatchObject([
      { subject: 'Marc Diallo', attributes: { email: 'diallo@b.example' } },
    ]);
  });

  it('is five things at most', () => {
    const names = ['Awa', 'Binta', 'Codou', 'Diarra', 'Elodie', 'Fanta'];
    const question = names.map((name) => `L'e-mail de ${name} Diop est ${name}@example.org.`).join(' ');
    expect(noted(question)).toHaveLength(5);
  });
});
