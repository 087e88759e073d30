import { describe, expect, it } from '@jest/globals';
import { completionRequest } from '../server/protocol.js';
import { think } from '../think.js';

interface Said {
  role: 'user' | 'assistant';
  content: string;
}

const settings: Readonly<Record<string, string>> = {
  fr: 'Langue de réponse : fr (français). Date : jeudi 7 mai 2026.',
  en: 'Language: en. Today is Thursday, 7 May 2026.',
  es: 'Idioma: es. Fecha: jueves, 7 de mayo de 2026.',
  zh: '語言：zh-Hant。今天是 2026年5月7日 星期四。',
};

const known = [
  'Préférences :',
  '- Longueur des réponses : Je préfère les réponses courtes.',
  '- Prénom : Appelle-moi Awa.',
  'Projet en cours :',
  '- Baobab : refonte du site vitrine (état : en cours ; client : Nord Conseil ; 2026-05-03)',
  'Contacts nommés :',
  '- Marc Dupont : comptable (entreprise : Nord Conseil ; e-mail : marc@example.org ; 2026-04-02)',
  'Autres souvenirs :',
  '- réunion du comité : La réunion du comité est jeudi. (2026-05-01)',
  'Conversations précédentes :',
  'mardi 5 mai 2026:',
  'Awa: On a décidé de repousser le lancement à juin.',
  'Thérèse: C’est noté.',
];

const section = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `\n\n<memory>\nNotes.\n${lines.join('\n')}\n</memory>`;

const tool = (name: string) => ({
  type: 'function',
  function: { name, description: '', parameters: { type: 'object' } },
});
const tools = ['remember', 'recall', 'forget_memory'].map(tool);

interface Asking {
  language?: string;
  memory?: readonly string[];
  earlier?: Said[];
  results?: readonly [name: string, result: object][];
  without?: boolean;
}

const reply = (
  question: string,
  { language = 'fr', memory = [], earlier = [], results = [], without = false }: Asking = {},
) =>
  think(
    completionRequest.parse({
      model: 'x',
      tools: without ? [] : tools,
      messages: [
        { role: 'system', content: `${settings[language]}${section(memory)}` },
        { role: 'assistant', content: '…' },
        ...earlier,
        { role: 'user', content: question },
        ...results.flatMap(([name, result], at) => [
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ id: `${at}`, function: { name, arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: `${at}`, content: JSON.stringify(result) },
        ]),
      ],
    }),
  );

const callsFor = (question: string, asking?: Asking): [string, unknown][] => {
  const given = reply(question, asking);
  return 'text' in given ? [] : given.toolCalls.map((call) => [call.name, JSON.parse(call.arguments)]);
};
const textFor = (question: string, asking?: Asking): string => {
  const given = reply(question, asking);
  return 'text' in given ? given.text : '';
};

const cases = {
  fr: [
    'Retiens que mon train est à 8 h',
    'Oublie mon train',
    "Qu'est-ce que tu sais de moi ?",
    "Qu'avons-nous décidé mardi ?",
  ],
  en: [
    'Remember that my train is at 8',
    'Forget my train',
    'What do you know about me?',
    'What did we decide on Tuesday?',
  ],
  es: ['Recuerda que mi tren es a las 8', 'Olvida mi tren', '¿Qué sabes de mí?', '¿Qué decidimos el martes?'],
  zh: ['請記住我的火車是八點', '忘掉我的火車', '你知道我什麼？', '我們星期二決定了什麼？'],
};
const train: Readonly<Record<string, string>> = { fr: 'train', en: 'train', es: 'tren', zh: '火車' };

describe.each(Object.entries(cases))(
  'in %s',
  (language, [remember = '', forget = '', all = '', decided = '']) => {
    it('notes what it is told to', () => {
      expect(callsFor(remember, { language })).toEqual([
        ['remember', { kind: 'FACT', subject: train[language], content: expect.any(String) }],
      ]);
    });

    it('forgets what it is told to', () => {
      expect(callsFor(forget, { language })).toEqual([['forget_memory', { subject: train[language] }]]);
    });

    it('looks up all that it knows of the person', () => {
      expect(callsFor(all, { language })).toEqual([
        ['recall', { kinds: ['PREFERENCE', 'PROJECT', 'CONTACT', 'FACT'] }],
      ]);
    });

    it('says of what it knows when it is not all', () => {
      const memories = [{ kind: 'FACT', subject: 'train', content: '8 h.', since: '2026-05-01' }];
      const told = (result: object): string => textFor(all, { language, results: [['recall', result]] });
      const rest = /pas tout|not all|No es todo|並非全部/;
      expect(told({ memories, conversations: [], moreMemories: true })).toMatch(rest);
      expect(told({ memories, conversations: [] })).not.toMatch(rest);
    });

    it('looks up what was said on a day', () => {
      expect(callsFor(decided, { language })).toEqual([['recall', { from: '2026-05-05', to: '2026-05-05' }]]);
    });

    it('says what became of it', () => {
      const content = 'Le train est à 8 h.';
      const replaced = { content: 'Le train est à 7 h.', since: '2026-05-01' };
      const told = textFor(remember, { language, results: [['remember', { content, replaced }]] });
      expect(told).toContain(content);
      expect(told).toContain(replaced.content);
      expect(told).toMatch(/1er mai|1 May|1 de mayo|5月1日/);
      const forgotten = textFor(forget, {
        language,
        results: [['forget_memory', { forgotten: { kind: 'FACT' } }]],
      });
      expect(forgotten).toMatch(/oublié|Forgotten|Olvidado|忘記/);
    });
  },
);

describe('a question that a memory answers', () => {
  it.each([
    [
      "Quelle est l'adresse de Marc ?",
      "L'adresse de Marc Dupont est marc@example.org (notée le 2 avril 2026).",
    ],
    ['Où travaille Marc ?', 'Marc Dupont travaille chez Nord Conseil (noté le 2 avril 2026).'],
    [
      'Où en est le projet Baobab ?',
      'Baobab : refonte du site vitrine (état : en cours ; client : Nord Conseil ; noté le 3 mai 2026).',
    ],
    [
      'Comment je préfère recevoir les réponses ?',
      "D'après ce que j'ai noté : « Je préfère les réponses courtes. »",
    ],
    [
      'Quand est la réunion du comité ?',
      "D'après ce que j'ai noté le 1er mai 2026 : « La réunion du comité est jeudi. »",
    ],
    [
      "Qu'avons-nous décidé mardi ?",
      'Le 5 mai 2026 :\n- Awa : « On a décidé de repousser le lancement à juin. »',
    ],
  ])('is answered from it, with its day: «%s»', (question, answer) => {
    expect(textFor(question, { memory: known })).toBe(answer);
  });

  it('is answered from what holds now, and from what was said where that is asked', () => {
    const memory = [
      'Contacts nommés :',
      '- Marc : comptable (e-mail : new@a.example ; 2026-05-06)',
      'Conversations précédentes :',
      'mardi 5 mai 2026:',
      'Awa: Marc a pour adresse old@a.example, je crois.',
      'Awa: Oublie le projet de Marc.',
    ];
    expect(textFor('Que sais-tu de Marc ?', { memory })).not.toContain('old@a.example');
    const said = textFor("Qu'est-ce que je t'ai dit sur Marc ?", { memory });
    expect(said).toContain('old@a.example');
    expect(said).not.toContain('Oublie');
  });

  it('is looked up when the prompt does not hold the answer, once, and answered frankly', () => {
    const question = "Quelle est l'adresse de Fatou ?";
    expect(callsFor(question, { memory: known })).toEqual([['recall', { query: 'adresse Fatou' }]]);
    const inVain = { summary: '', memories: [], conversations: [] };
    expect(textFor(question, { memory: known, results: [['recall', inVain]] })).toMatch(
      /^Je n'ai rien noté là-dessus/,
    );
    const fatou = {
      kind: 'CONTACT',
      subject: 'Fatou',
      content: 'Comptable.',
      attributes: { email: 'f@b.example' },
    };
    const found = { ...inVain, memories: [{ ...fatou, since: '2026-05-02' }] };
    expect(textFor(question, { memory: known, results: [['recall', found]] })).toBe(
      "L'adresse de Fatou est f@b.example (notée le 2 mai 2026).",
    );
  });

  it.each([
    'Comment puis-je réduire mes émissions ?',
    'Où en est mon entreprise ?',
    '¿Cómo reduzco mis emisiones?',
  ])('is not looked up for advice or for the company: «%s»', (question) => {
    expect(callsFor(question, { memory: known })).toEqual([]);
  });

  it('needs no mark, nor to be written as in books', () => {
    expect(textFor('dis moi quand est la réunion du comité', { memory: known })).toContain('comité');
    expect(callsFor('que sais tu de moi', { memory: known })).toMatchObject([['recall', {}]]);
  });

  it('is not one that asks for something else', () => {
    expect(textFor('Quelle est la capitale du Mali ?', { memory: known })).toMatch(
      /^Je ne sais pas répondre/,
    );
  });
});

describe('a correction', () => {
  it.each([
    [
      'Finalement la réunion du comité est vendredi.',
      'réunion du comité',
      'La réunion du comité est vendredi.',
    ],
    [
      'Retiens que la réunion du comité est maintenant vendredi',
      'réunion du comité',
      'La réunion du comité est maintenant vendredi.',
    ],
    ['Actually, la réunion du comité est lundi', 'réunion du comité', 'La réunion du comité est lundi.'],
    ['Je préfère les réponses longues.', 'Longueur des réponses', 'Je préfère les réponses longues.'],
    ['Le projet Baobab est terminé.', 'Baobab', 'Le projet Baobab est terminé.'],
  ])('is noted under the subject that is known: «%s»', (message, subject, content) => {
    expect(callsFor(message, { memory: known })).toMatchObject([['remember', { subject, content }]]);
  });

  it('is of what was said last, where it only points', () => {
    const earlier: Said[] = [
      { role: 'user', content: "L'e-mail de Marc Diallo est marc@a.example" },
      { role: 'assistant', content: "C'est noté." },
    ];
    expect(callsFor("Non, en fait c'est diallo@b.example", { earlier })).toEqual([
      [
        'remember',
        {
          kind: 'CONTACT',
          subject: 'Marc Diallo',
          content: "L'e-mail de Marc Diallo est diallo@b.example.",
          attributes: { email: 'diallo@b.example' },
        },
      ],
    ]);
    expect(callsFor('Oublie ça.', { earlier })).toEqual([
      ['forget_memory', { subject: 'Marc Diallo', kind: 'CONTACT' }],
    ]);
  });

  it('leaves the rest of what is known of a contact as it is', () => {
    const memory = [
      'Contacts nommés :',
      '- Mon collègue Marc Dupont est joignable le matin, son e-mail est marc@a.example. (2026-05-01)',
    ];
    expect(callsFor("Finalement l'e-mail de Marc est dupont@b.example", { memory })).toMatchObject([
      [
        'remember',
        {
          subject: 'Marc Dupont',
          content: 'Mon collègue Marc Dupont est joignable le matin, son e-mail est dupont@b.example.',
        },
      ],
    ]);
  });

  it.each([
    ['Corrige : Omar vit maintenant à Thiès.', 'Omar', 'Omar vit maintenant à Thiès.'],
    ["J'habite maintenant à Marseille.", 'Adresse', "J'habite maintenant à Marseille."],
  ])('may be announced, and is of the same fact in other words: «%s»', (message, subject, content) => {
    const memory = ['Autres souvenirs :', '- Omar vit à Dakar.', "- Adresse : J'habite à Lyon."];
    expect(callsFor(message, { memory })).toEqual([['remember', { kind: 'FACT', subject, content }]]);
  });

  it('may follow in the same message, of which only the last word is noted', () => {
    const message = "Mon café préféré est l'expresso. Non finalement c'est le cappuccino.";
    expect(callsFor(message)).toEqual([
      [
        'remember',
        { kind: 'PREFERENCE', subject: 'café préféré', content: 'Mon café préféré est le cappuccino.' },
      ],
    ]);
  });

  it('is none of what is not known', () => {
    expect(callsFor('Finalement, calcule mon empreinte.', { memory: known })).toEqual([]);
  });
});

describe('two contacts with one first name', () => {
  const memory = [
    'Contacts nommés :',
    '- Paul Martin : plombier, 06 11 22 33 44',
    '- Paul Durand : avocat (e-mail : paul.durand@example.org)',
  ];

  it('stay two', () => {
    const said = 'Retiens que Paul Durand est mon avocat.';
    expect(callsFor(said, { memory: memory.slice(0, 2) })).toMatchObject([
      ['remember', { kind: 'CONTACT', subject: 'Paul Durand' }],
    ]);
    const number = 'Retiens que le numéro de Paul est 06 99 88 77 66.';
    expect(callsFor(number, { memory })).toMatchObject([['remember', { subject: 'Paul' }]]);
    expect(callsFor(number, { memory: memory.slice(0, 2) })).toMatchObject([
      ['remember', { subject: 'Paul Martin' }],
    ]);
  });

  it('are both told of by it, and one by the whole name', () => {
    const both = textFor('Que sais-tu de Paul ?', { memory });
    expect(both).toContain('Paul Martin');
    expect(both).toContain('Paul Durand');
    expect(textFor('Que sais-tu de Paul Martin ?', { memory })).not.toContain('Durand');
  });

  it('are not forgotten before it is said which', () => {
    expect(textFor('Oublie Paul.', { memory })).toMatch(/Lequel .*Paul Martin.*Paul Durand/s);
    expect(callsFor('Oublie Paul Durand.', { memory })).toMatchObject([
      ['forget_memory', { subject: 'Paul Durand' }],
    ]);
  });
});

describe('a word like a name', () => {
  it('is none', () => {
    const memory = ['Contacts nommés :', '- Marie Dupont : Marie Dupont est ma comptable.'];
    expect(textFor('Qui est marie ?', { memory })).toContain('comptable');
    expect(callsFor('Est-ce que je suis marié ?', { memory })).toMatchObject([['recall', {}]]);
  });
});

describe('a day', () => {
  it.each([
    ['Retiens que mon train part demain à 8 h.', 'Mon train part demain à 8 h (8 mai 2026).'],
    ['Retiens que je vois Awa mardi prochain.', 'Je vois Awa mardi prochain (12 mai 2026).'],
  ])('is noted beside the words that mean it: «%s»', (message, content) => {
    expect(callsFor(message)).toMatchObject([['remember', { content }]]);
  });

  it.each([
    ['Quel jour sommes-nous ?', 'fr', 'Nous sommes le jeudi 7 mai 2026.'],
    ['What day is it today?', 'en', 'Today is Thursday, 7 May 2026.'],
    ['¿Qué día es hoy?', 'es', 'Hoy es jueves, 7 de mayo de 2026.'],
    ['今天星期幾？', 'zh', '今天是2026年5月7日'],
  ])('is told: «%s»', (question, language, told) => {
    expect(textFor(question, { language }).replaceAll('\u202f', ' ')).toContain(told);
  });
});

describe('forgetting', () => {
  it.each([
    ['Oublie le projet Baobab.', { subject: 'Baobab', kind: 'PROJECT' }],
    ["Oublie ce que je t'ai dit sur Marc", { subject: 'Marc Dupont', kind: 'CONTACT' }],
    ['Oublie que je préfère les réponses courtes', { subject: 'Longueur des réponses', kind: 'PREFERENCE' }],
  ])('names the memory as it was noted: «%s»', (message, given) => {
    expect(callsFor(message, { memory: known })).toEqual([['forget_memory', given]]);
  });

  it('asks which one where several are meant, and takes the answer', () => {
    const question = 'Oublie mes préférences.';
    const asked = textFor(question, { memory: known });
    expect(asked).toMatch(/Lequel .*\?\n- Longueur des réponses : .*\n- Prénom : /);
    const earlier: Said[] = [
      { role: 'user', content: question },
      { role: 'assistant', content: asked },
    ];
    expect(callsFor('Celle sur la longueur', { memory: known, earlier })).toEqual([
      ['forget_memory', { subject: 'Longueur des réponses', kind: 'PREFERENCE' }],
    ]);
  });

  it('of one thing about a contact is asked about, as all of them would go', () => {
    expect(textFor("Oublie l'adresse de Marc.", { memory: known })).toMatch(/Lequel .*- Marc Dupont/s);
  });

  it('finds what the memory is about, in other words', () => {
    const [[, noted] = []] = callsFor("Retiens que j'habite au 12 rue des Lilas.");
    expect(noted).toMatchObject({ kind: 'FACT', subject: 'Adresse' });
    const memory = ['Autres souvenirs :', "- Adresse : J'habite au 12 rue des Lilas."];
    expect(callsFor('Oublie mon adresse.', { memory })).toEqual([
      ['forget_memory', { subject: 'Adresse', kind: 'FACT' }],
    ]);
    expect(callsFor("Oublie où j'habite.", { memory })).toMatchObject([
      ['forget_memory', { subject: 'Adresse' }],
    ]);
  });

  it('is never of everything at once', () => {
    expect(callsFor('Oublie tout.', { memory: known })).toEqual([]);
    expect(textFor('Oublie tout.', { memory: known })).toMatch(/qu'un souvenir à la fois/);
  });

  it('tells what a person has to know when the skill refuses', () => {
    const refused = { error: 'Cette note est commune à l’entreprise.' };
    expect(textFor('Oublie mon train', { results: [['forget_memory', refused]] })).toBe(
      "Je ne l'ai pas oublié. Cette note est commune à l’entreprise.",
    );
  });
});

describe('a preference about the answer', () => {
  const greeted = (...preferences: string[]): string =>
    textFor('Bonjour', { memory: ['Préférences :', ...preferences] });

  it('is followed: the name, the form of address, the language, the length', () => {
    expect(greeted('- Prénom : Appelle-moi Awa.')).toMatch(/^Bonjour Awa !.*vous serait utile/s);
    expect(greeted('- Tutoiement ou vouvoiement : On peut se tutoyer.')).toMatch(
      /^Bonjour !.*te serait utile/s,
    );
    expect(greeted('- Réponses : Réponds-moi toujours en anglais.')).toMatch(/^Hello!/);
    expect(greeted()).toContain('Voici ce que je peux faire');
    expect(greeted('- Réponses : courtes')).not.toContain('Voici ce que je peux faire');
  });

  it('is followed as it was said last', () => {
    const told = greeted('- Façon : On peut se tutoyer.', '- Façon : Vouvoie-moi, finalement.');
    expect(told).toContain('vous serait utile');
  });

  it('changes nothing in what a document or the person says', () => {
    const memory = ['Préférences :', '- Façon : On peut se tutoyer.'];
    const content = 'Il faut écrire « vous êtes » au client.';
    const told = textFor('Retiens que le client…', { memory, results: [['remember', { content }]] });
    expect(told).toBe(`C'est noté : « ${content} »`);
  });
});

describe('a message that wants something besides', () => {
  it('is noted from first, then answered', () => {
    const message = 'Retiens que je préfère le thé. Quelle est la capitale du Mali ?';
    expect(callsFor(message)).toMatchObject([['remember', { subject: 'thé' }]]);
    const told = textFor(message, { results: [['remember', { content: 'Je préfère le thé.' }]] });
    expect(told).toMatch(
      /^C'est noté : « Je préfère le thé. »\n\nJe ne sais pas répondre à « Quelle est la capitale/,
    );
  });

  it('says so when nothing can be noted', () => {
    expect(textFor('Retiens que je préfère le thé.', { without: true })).toMatch(/^Je ne peux rien noter/);
    expect(textFor('Je préfère le thé.', { without: true })).toBe("C'est entendu.");
  });

  it('is noted from in five places at most, and looked up for in three', () => {
    const names = 'Awa Binta Codou Diarra Elodie Fanta Gora'.split(' ');
    const stated = names.map((name) => `L'e-mail de ${name} est ${name}@example.org.`).join(' ');
    expect(callsFor(stated)).toHaveLength(5);
    const asked = names.map((name) => `Te souviens-tu de ${name} ?`).join(' ');
    expect(callsFor(asked)).toHaveLength(3);
  });
});
