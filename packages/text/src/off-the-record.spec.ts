import { isOffTheRecord } from './off-the-record.js';

describe('a message', () => {
  it.each([
    'Mon code de carte bancaire est 4821.',
    'The password for the server is hunter2.',
    'Ne retiens rien de ce que je vais dire : je cherche un nouvel emploi.',
    'Je cherche un nouvel emploi, ne le retiens pas.',
    'Je vois un médecin demain. N’en gardez aucune trace.',
    'Merci de ne pas noter ceci : je divorce.',
    'Ne note surtout pas que je pars.',
    'Je veux que tu ne retiennes rien : je divorce.',
    "Don't remember this: I am looking for another job.",
    'I am leaving. Please do not store any of it.',
    'Off the record: I am leaving.',
    'No lo recuerdes: busco otro trabajo.',
    'Busco otro trabajo, por favor no guardes nada.',
    '請不要記住：我在找新工作。',
    '我在找新工作，別記下來。',
  ])('is off the record: %s', (text) => expect(isOffTheRecord(text)).toBe(true));

  it.each([
    'Retiens que je cherche un nouvel emploi.',
    'N’oublie pas que je préfère le thé.',
    'Je ne retiens pas les noms.',
    'Pourquoi tu ne notes rien ?',
    'Ne garde pas le premier paragraphe.',
    "I don't remember what we decided.",
    'Remember that I drink no coffee.',
    'No recuerdo lo que dijimos.',
    'No olvides mi cita.',
    '別忘記我的火車。',
    '我不記得了',
    '請記住我不喝咖啡。',
  ])('is recalled as any other: %s', (text) => expect(isOffTheRecord(text)).toBe(false));
});
