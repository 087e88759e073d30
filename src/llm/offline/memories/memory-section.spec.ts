import { describe, expect, it } from '@jest/globals';
import { memorySectionOf } from './memory-section.js';

const prompt = (...lines: string[]): string =>
  `Tu es Thérèse.\n\n<memory>\nNotes.\n${lines.join('\n')}\n</memory>`;

describe('what a prompt tells of what is remembered', () => {
  it('is cut off the prompt and read line by line', () => {
    const told = memorySectionOf(
      prompt(
        'Préférences :',
        '- Longueur des réponses : Je préfère les réponses courtes.',
        'Projet en cours :',
        '- Baobab : refonte (v2) du site (état : en cours ; client : Awa Diop (Thiès) ; 2026-05-03)',
        'Contacts nommés :',
        '- Marc Dupont : comptable (e-mail : marc@example.org ; aussi appelé : Marco, M. ; commun à l’entreprise ; 2026-04-02)',
        'Autres souvenirs :',
        '- Mon vol part mardi à 9 h. (2026-05-01)',
        'Conversations précédentes :',
        'mardi 5 mai 2026:',
        'Awa: On a décidé: le lancement est en juin.',
      ).replace('l’entreprise', "l'entreprise"),
    );
    expect(told.prompt).toBe('Tu es Thérèse.');
    expect(told.known).toEqual({
      memories: [
        {
          kind: 'PREFERENCE',
          subject: 'Longueur des réponses',
          content: 'Je préfère les réponses courtes.',
          attributes: {},
          since: null,
        },
        {
          kind: 'PROJECT',
          subject: 'Baobab',
          content: 'refonte (v2) du site',
          attributes: { status: 'en cours', client: 'Awa Diop (Thiès)' },
          since: '2026-05-03',
        },
        {
          kind: 'CONTACT',
          subject: 'Marc Dupont',
          content: 'comptable',
          attributes: { email: 'marc@example.org', aliases: 'Marco, M.' },
          since: '2026-04-02',
        },
        {
          kind: 'FACT',
          subject: 'vol',
          content: 'Mon vol part mardi à 9 h.',
          attributes: {},
          since: '2026-05-01',
        },
      ],
      said: [{ date: '2026-05-05', author: 'Awa', text: 'On a décidé: le lancement est en juin.' }],
    });
  });

  it.each([
    ['Contacts mentioned:', '- Ben Ode: accountant (email: ben@example.org; 2026-04-02)', 'ben@example.org'],
    ['Contactos mencionados:', '- Ana: abogada (correo: ana@example.org; 2026-04-02)', 'ana@example.org'],
    ['提到的聯絡人：', '- 王小明：會計（電子郵件：ming@example.org；2026-04-02）', 'ming@example.org'],
  ])('is read in each language: %s', (heading, line, email) => {
    const [contact] = memorySectionOf(prompt(heading, line)).known.memories;
    expect(contact).toMatchObject({ kind: 'CONTACT', attributes: { email }, since: '2026-04-02' });
  });

  it.each([
    ['Monday 4 May 2026:', 'Ben: We chose blue.', '2026-05-04'],
    ['lunes 4 de mayo de 2026:', 'Ana: Elegimos el azul.', '2026-05-04'],
    ['2026年5月4日 星期一:', '小明: 我們選了藍色。', '2026-05-04'],
  ])('has the days of earlier conversations: %s', (day, line, date) => {
    const { said } = memorySectionOf(prompt('Earlier conversations:', day, line)).known;
    expect(said).toEqual([{ date, author: line.split(':')[0], text: line.split(': ')[1] }]);
  });

  it('knows whom a contact is of that is told by its content alone', () => {
    const line = '- Marc Dupont est mon comptable. (e-mail : marc@example.org ; 2026-05-01)';
    const [contact] = memorySectionOf(prompt('Contacts nommés :', line)).known.memories;
    expect(contact).toMatchObject({ subject: 'Marc Dupont', content: 'Marc Dupont est mon comptable.' });
  });

  it('is nothing where the prompt ends otherwise', () => {
    const text = `${prompt('Préférences :', '- Thé : oui')}\nEt encore ceci.`;
    expect(memorySectionOf(text)).toEqual({ prompt: text, known: { memories: [], said: [] } });
  });
});
