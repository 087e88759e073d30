import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toldIn } from './notes-in.js';

type Row = [kind: string, subject: string, attributes: Record<string, string>, content: string];

const notesOf = (message: string): Row[] =>
  toldIn(message, 'fr').flatMap(({ notes }) =>
    notes.map(({ kind, subject, attributes, content }): Row => [kind, subject, attributes, content]),
  );

describe('what is preferred', () => {
  it.each([
    [
      'Retiens que je préfère les réponses courtes.',
      'Longueur des réponses',
      'Je préfère les réponses courtes.',
    ],
    ['note que je préfère le thé au café', 'thé', 'Je préfère le thé au café.'],
    ['Je préfère les rendez-vous le matin.', 'rendez-vous', 'Je préfère les rendez-vous le matin.'],
    ['Réponds-moi toujours en anglais.', 'Langue des réponses', 'Réponds-moi toujours en anglais.'],
    ['On peut se tutoyer.', 'Tutoiement ou vouvoiement', 'On peut se tutoyer.'],
    ['On peut se tutoyer ?', 'Tutoiement ou vouvoiement', 'On peut se tutoyer.'],
    ["Tutoie-moi, s'il te plaît.", 'Tutoiement ou vouvoiement', 'Tutoie-moi.'],
    ['Appelle-moi Awa', 'Prénom', 'Appelle-moi Awa.'],
    ['Je m’appelle Awa Diop.', 'Prénom', "Je m'appelle Awa Diop."],
    ["I'd rather have short answers", 'Length of answers', "I'd rather have short answers."],
    ['I prefer tea to coffee', 'tea', 'I prefer tea to coffee.'],
    ['Please call me Ben from now on', 'Name', 'Call me Ben from now on.'],
    [
      'Recuerda que prefiero las reuniones por la mañana',
      'reuniones',
      'Prefiero las reuniones por la mañana.',
    ],
    [
      'Prefiero respuestas cortas para mis preguntas',
      'Extensión de las respuestas',
      'Prefiero respuestas cortas para mis preguntas.',
    ],
    ['請記住我比較喜歡簡短的回答', '回答的長短', '我比較喜歡簡短的回答。'],
    ['我比較喜歡喝茶', '喝茶', '我比較喜歡喝茶。'],
    ['請叫我小明', '稱呼', '請叫我小明。'],
  ])('«%s» is about «%s»', (message, subject, content) => {
    expect(notesOf(message)).toEqual([['PREFERENCE', subject, {}, content]]);
  });
});

describe('who somebody is and how to reach them', () => {
  it.each<[string, string, Record<string, string>]>([
    [
      "L'adresse de Marc Dupont est marc.dupont@orabank.example",
      'Marc Dupont',
      { email: 'marc.dupont@orabank.example' },
    ],
    [
      'Marc Diallo travaille chez Orabank, son e-mail est marc@orabank.example.',
      'Marc Diallo',
      { email: 'marc@orabank.example', company: 'Orabank' },
    ],
    ['Fatou Ndiaye est ma comptable chez Cofina.', 'Fatou Ndiaye', { company: 'Cofina', notes: 'comptable' }],
    ["My colleague Ben's e-mail is ben@example.org", 'Ben', { email: 'ben@example.org' }],
    ['El correo de Ana López es ana@ejemplo.es', 'Ana López', { email: 'ana@ejemplo.es' }],
    ['Ana es mi abogada', 'Ana', { notes: 'abogada' }],
    ['王小明的電子郵件是 ming@example.tw', '王小明', { email: 'ming@example.tw' }],
    [
      '幫我記下：王小明是我的會計，電子郵件是 ming@example.tw',
      '王小明',
      { email: 'ming@example.tw', notes: '會計' },
    ],
  ])('«%s»: %s', (message, name, attributes) => {
    expect(notesOf(message).map((note) => note.slice(0, 3))).toEqual([['CONTACT', name, attributes]]);
  });

  it.each(['Mon tel c le +225 0707123456, note le', 'mon num est le 07 07 12 34 56, retiens-le'])(
    'knows the person’s own number: %s',
    (message) => {
      expect(notesOf(message).map((note) => note.slice(0, 2))).toEqual([['FACT', 'Numéro de téléphone']]);
    },
  );

  it('tells the person’s own address from that of others', () => {
    expect(notesOf('Mon e-mail est awa@example.org')).toEqual([
      ['FACT', 'Adresse e-mail', {}, 'Mon e-mail est awa@example.org.'],
    ]);
  });
});

describe('projects', () => {
  it.each<[string, string, Record<string, string>]>([
    [
      'Le projet Baobab pour Sonatel est en phase de test.',
      'Baobab',
      { status: 'en phase de test', client: 'Sonatel' },
    ],
    [
      'Mon projet Baobab : un entrepôt solaire pour la Sonatel, il est en phase de test',
      'Baobab',
      { status: 'en phase de test', description: 'un entrepôt solaire', client: 'Sonatel' },
    ],
    ['Le client du projet Ceiba est Iberia.', 'Ceiba', { client: 'Iberia' }],
    [
      "I'm working on project Baobab for Orange, it is in testing",
      'Baobab',
      { status: 'in testing', client: 'Orange' },
    ],
    ['The Baobab project is on hold.', 'Baobab', { status: 'on hold' }],
    [
      'El proyecto Ceiba está en pruebas para el cliente Iberia',
      'Ceiba',
      { status: 'en pruebas', client: 'Iberia' },
    ],
    ['「榕樹」專案的客戶是台電，目前在測試階段', '榕樹', { status: '測試階段', client: '台電' }],
  ])('«%s»', (message, name, attributes) => {
    expect(notesOf(message).map((note) => note.slice(0, 3))).toEqual([['PROJECT', name, attributes]]);
  });
});

describe('anything else', () => {
  it.each([
    ['Souviens-toi que mon vol pour Abidjan part mardi à 9 h.', 'vol pour Abidjan'],
    ["Retiens que mon comptable c'est Kouassi N'Guessan, son num 07 08 09 10 11", 'comptable'],
    ['mon notaire, c’est Awa Diop, note le stp', 'notaire'],
    ['le code client du projet c BAO, retiens le', 'code client du projet'],
    ["N'oublie pas que mon train est à 8 h", 'train'],
    ['Bonjour, retiens : la réunion du comité est jeudi', 'réunion du comité'],
    ["Peux-tu retenir que le code du portail n'est plus le même ?", 'code du portail'],
    ['Remember that the meeting is on Friday at 10.', 'meeting'],
    ['No olvides que el notario es Juan Pérez', 'notario'],
    ['請記得我每週三不在辦公室', '每週三'],
  ])('is noted when it is ordered to: «%s»', (message, subject) => {
    expect(notesOf(message).map((note) => note.slice(0, 2))).toEqual([['FACT', subject]]);
  });

  it('is more than one thing where more than one is said', () => {
    const told = notesOf('Je préfère les rendez-vous le matin et mon e-mail est awa@example.org');
    expect(told.map(([kind, , , content]) => [kind, content])).toEqual([
      ['PREFERENCE', 'Je préfère les rendez-vous le matin.'],
      ['FACT', 'Mon e-mail est awa@example.org.'],
    ]);
  });

  it.each([
    'Quel est mon e-mail ?',
    'Si je préfère le train, que faire ?',
    'Je ne préfère pas le train.',
    'Marc a dit : « Je préfère les longues réponses détaillées. »',
    'Ben says that I prefer tea.',
    'Le projet Baobab est peut-être terminé.',
    'Nous consommons 12 000 kWh au Sénégal.',
    'Te souviens-tu de ce que je préfère ?',
    'Can you remember what I prefer?',
    'Rappelle-moi ce que tu sais de Marc',
    'Nous cherchons une subvention pour un projet solaire au Sénégal.',
    'Calcule l’empreinte de 12 000 kWh pour le projet Baobab',
    'Écris à marc@orabank.example pour dire bonjour',
    'Appelle-moi quand tu peux',
    '> Je préfère le thé.',
    '如果我比較喜歡茶呢',
    'Ahora prefiero un contrato de alquiler de un local',
  ])('is not noted of what asks, supposes, denies, quotes or orders something else: «%s»', (message) => {
    expect(notesOf(message)).toEqual([]);
  });
});

describe('any text', () => {
  it('gives notes that the skill takes', () => {
    const piece = fc.constantFrom(
      'retiens que ',
      'je préfère ',
      'Awa Diop ',
      'le projet ',
      'Baobab',
      'a@b.example ',
      ' est ',
      ' pour ',
      '\n',
      '。',
      '我比較喜歡',
      '專案',
      '「',
      '」',
      '(',
      'x'.repeat(300),
      ', ',
      '. ',
      ': ',
      'chez ',
      'mon ',
      "l'",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 10 })), { maxLength: 40 }), (pieces) => {
        for (const { notes } of toldIn(pieces.join(''), 'fr'))
          for (const { subject, content } of notes) {
            expect(subject.trim()).not.toBe('');
            expect(subject.length).toBeLessThanOrEqual(200);
            expect(content.length).toBeLessThanOrEqual(2000);
            expect(content).not.toMatch(/\n/);
          }
      }),
    );
  });
});

describe('what tells of something else than a person', () => {
  it.each([
    ['Retiens que le rendez-vous avec le docteur Martin est annulé.', 'rendez-vous avec le docteur Martin'],
    ['Le rendez-vous avec Sophie est à 16 h, retiens-le.', 'rendez-vous avec Sophie'],
  ])('«%s» is no contact', (message, subject) => {
    expect(notesOf(message)).toMatchObject([['FACT', subject, {}, expect.not.stringContaining('retiens')]]);
  });

  it('is noted of nobody unasked', () => {
    expect(notesOf('Le rendez-vous avec le docteur Martin est annulé.')).toEqual([]);
    expect(notesOf('Awa est allergique au gluten.')).toEqual([]);
    expect(notesOf('Je cherche un emploi, ne le retiens pas.')).toEqual([]);
  });
});
