import { describe, expect, it } from '@jest/globals';
import { completionRequest } from '../server/protocol.js';
import { think } from '../think.js';
import { sentencesApart } from './notes/clauses.js';

const tools = ['remember', 'recall', 'forget_memory'].map((name) => ({
  type: 'function',
  function: { name, description: '', parameters: { type: 'object' } },
}));

/** The reply to a message where these lines are remembered. */
const replyTo = (content: string, lines: readonly string[], language: string) =>
  think(
    completionRequest.parse({
      model: 'x',
      tools,
      messages: [
        {
          role: 'system',
          content: `Langue : ${language}\n\n<memory>\nNotes.\n${lines.join('\n')}\n</memory>`,
        },
        { role: 'assistant', content: '…' },
        { role: 'user', content },
      ],
    }),
  );

const noted = (content: string, lines: readonly string[] = [], language = 'fr'): unknown[] => {
  const reply = replyTo(content, lines, language);
  return 'text' in reply ? [] : reply.toolCalls.map((call) => JSON.parse(call.arguments) as unknown);
};
const told = (content: string, lines: readonly string[], language = 'fr'): string => {
  const reply = replyTo(content, lines, language);
  return 'text' in reply ? reply.text : '';
};

describe('a second thing about a contact', () => {
  const lines = ['Contacts nommés :', '- Ali Ba est mon plombier, tel 77 222 33 44. (2026-05-01)'];

  it('has its number noted as such', () => {
    expect(noted('Retiens que Ali Ba est mon plombier, tel 77 222 33 44')).toMatchObject([
      { kind: 'CONTACT', subject: 'Ali Ba', attributes: { phone: '77 222 33 44', notes: 'plombier' } },
    ]);
  });

  it('is noted besides the first', () => {
    expect(noted("Retiens que l'adresse mail d'Ali Ba est ali@ba.example", lines)).toMatchObject([
      {
        kind: 'CONTACT',
        subject: 'Ali Ba',
        content: "Ali Ba est mon plombier, tel 77 222 33 44. L'adresse mail d'Ali Ba est ali@ba.example.",
        attributes: { email: 'ali@ba.example' },
      },
    ]);
  });

  it('takes the place of what it contradicts, and of nothing else', () => {
    expect(noted("Le numéro d'Ali Ba est 76 111 22 33", lines)).toMatchObject([
      { content: 'Ali Ba est mon plombier, tel 76 111 22 33.', attributes: { phone: '76 111 22 33' } },
    ]);
    expect(noted('Retiens que Ali Ba est mon frère', lines)).toMatchObject([
      { content: 'Ali Ba est mon frère.', attributes: { notes: 'frère' } },
    ]);
  });

  it.each([
    ['fr', "Quel est le téléphone d'Ali Ba ?", 'Le numéro de Ali Ba est le 77 222 33 44'],
    ['en', 'What is the phone number of Ali Ba?', 'The number of Ali Ba is 77 222 33 44'],
    ['es', '¿Cuál es el teléfono de Ali Ba?', 'El número de Ali Ba es 77 222 33 44'],
    ['zh-Hant', 'Ali Ba 的電話是多少？', 'Ali Ba的電話是 77 222 33 44'],
  ])('does not keep the number from being told, in %s', (language, question, expected) => {
    const both = ['Contacts nommés :', '- Ali Ba : son mail est ali@ba.example (phone : 77 222 33 44)'];
    expect(told(question, both, language)).toMatch(new RegExp(expected));
  });

  it('is no number of an account', () => {
    expect(noted('Retiens que le numéro de compte de Ali Ba est 1234567')).toMatchObject([{ kind: 'FACT' }]);
  });
});

describe('work behind what is to be remembered', () => {
  it.each([
    ['Retiens que notre fournisseur est Total, puis calcule l’empreinte de 1 000 L de gazole', 'calcule'],
    ['Retiens que je préfère le thé vert, et calcule l’empreinte de 5 kWh puis fais un rapport', 'calcule'],
    ['Note que mon train est à 8 h et calcule mon empreinte carbone', 'calcule'],
    ['Remember that my train is at 8, then calculate the footprint of 5 kWh', 'calculate'],
    ['Recuerda que mi tren es a las 8 y luego calcula la huella de 5 kWh', 'calcula'],
    ['請記住我的火車是八點，然後計算5度電的碳足跡', '計算'],
  ])('is a sentence of its own: «%s»', (message, verb) => {
    const [first = '', second = '', ...others] = sentencesApart(message);
    expect(others).toEqual([]);
    expect(first).not.toContain(verb);
    expect(second.startsWith(verb)).toBe(true);
  });

  it.each([
    'Retiens que mon comptable vient le lundi et calcule la paie',
    'Retiens que je me lève tôt et fais du sport',
    'Remember that I get up early and make coffee',
    'Notre fournisseur est Total, puis calcule l’empreinte de 5 kWh',
  ])('is none: «%s»', (message) => {
    expect(sentencesApart(message)).toEqual([message]);
  });

  it('is no part of the note', () => {
    expect(noted('Retiens que mon fournisseur est Total, puis calcule l’empreinte de 5 kWh')).toMatchObject([
      { content: 'Mon fournisseur est Total.' },
    ]);
  });
});

describe('another name of the same', () => {
  it.each([
    [
      'fr',
      'Retiens que mon chien s’appelle Max',
      'Mon chien s’appelle Rex.',
      'Mon chien s’appelle Max.',
      'chien',
    ],
    ['en', 'Remember that my dog is called Max', 'My dog is called Rex.', 'My dog is called Max.', 'dog'],
    ['es', 'Recuerda que mi perro se llama Max', 'Mi perro se llama Rex.', 'Mi perro se llama Max.', 'perro'],
    ['zh-Hant', '請記住我的狗叫Max', '我的狗叫Rex。', '我的狗叫Max', '狗'],
  ])('takes the place of the first, in %s', (language, message, known, content, subject) => {
    const heading =
      { en: 'Other memories:', es: 'Otros recuerdos:', 'zh-Hant': '其他記憶：' }[language] ??
      'Autres souvenirs :';
    const lines = [heading, `- ${subject} : ${known}`];
    expect(noted(message, lines, language)).toMatchObject([{ kind: 'FACT', subject }]);
    expect(JSON.stringify(noted(message, lines, language)).replaceAll('’', "'")).toContain(
      content.replaceAll('’', "'"),
    );
    expect(JSON.stringify(noted(message, lines, language))).not.toContain('Rex');
  });

  it('takes nothing else of it away', () => {
    const lines = ['Autres souvenirs :', "- chien : Mon chien s'appelle Rex. Mon chien est noir."];
    expect(noted("Retiens que mon chien s'appelle Max", lines)).toMatchObject([
      { subject: 'chien', content: "Mon chien est noir. Mon chien s'appelle Max." },
    ]);
    expect(noted('Retiens que mon chien est malade', lines)).toMatchObject([
      { subject: 'chien', content: "Mon chien s'appelle Rex. Mon chien est malade." },
    ]);
  });
});
