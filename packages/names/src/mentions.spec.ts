import fc from 'fast-check';

import { type Nameable, rankMentions } from './mentions.js';
import { keysOf, keysOfMessage, readMessage } from './name-keys.js';
import { namesOf } from './names.js';

type Attributes = Nameable['attributes'];

let count = 0;

function named(kind: string, subject: string, attributes: Attributes = {}): Nameable {
  count += 1;
  return {
    id: String(count).padStart(9, '0'),
    ownerId: `owner ${count}`,
    kind,
    subject,
    attributes,
  };
}

function contact(subject: string, attributes: Attributes = {}): Nameable {
  return named('CONTACT', subject, attributes);
}
function project(subject: string, attributes: Attributes = {}): Nameable {
  return named('PROJECT', subject, attributes);
}

/** Like the database, looks only at memories that share a key with the message. */
function mentioned(message: string, memories: readonly Nameable[]): string[] {
  const reading = readMessage(message);
  const keys = new Set(keysOfMessage(reading).map(({ key }) => key));
  const found = memories.filter((memory) => keysOf(namesOf(memory)).some((key) => keys.has(key)));
  return (['PROJECT', 'CONTACT'] as const)
    .flatMap((kind) => rankMentions(reading, found, kind))
    .map(({ subject }) => subject);
}

describe('a message names', () => {
  it.each<[language: string, message: string, Nameable]>([
    ['French', 'Quel est le mail de Awa Diop ?', contact('Awa Diop')],
    ['French', "J'ai rendez-vous avec awa demain", contact('Awa Diop')],
    ['French', "L'équipe d'Awa est prête", contact('Awa Diop')],
    ['French', 'Écris à Hélène', contact('Helene Martin')],
    ['French', 'Ecris a helene', contact('Hélène Martin')],
    ['French', 'Écris à Madame Martin', contact('Hélène Martin')],
    ['French', 'Bonjour Mme Dupont', contact('Mme Dupont')],
    ['French', 'Dupont, Marie a appelé', contact('Marie Dupont')],
    ['French', 'Où en est la refonte du site web ?', project('Refonte du site web')],
    ['French', 'Le site web et sa refonte, où en est-on ?', project('Refonte du site web')],
    ['French', 'Parle-moi de baobab', project('Projet Baobab')],
    ['French', 'Jean-Paul arrive', contact('Jean-Paul Sartre')],
    ['English', "What is Awa's phone number?", contact('Awa Diop')],
    ['English', "When is O'Brien back?", contact("Conan O'Brien")],
    ['English', 'Send the file to the Smiths', contact('John Smith')],
    ['English', 'Is the Solar Roof done?', project('Solar roof')],
    ['English', 'Ask JD about it', contact('John Doe', { aliases: ['JD'] })],
    [
      'English',
      'write to John.Doe@Example.com please',
      contact('The boss', { email: 'john.doe@example.com' }),
    ],
    ['Spanish', '¿Qué dijo Begoña?', contact('Begoña Núñez')],
    ['Spanish', 'Habla con el señor Nunez', contact('Begoña Núñez')],
    ['Spanish', '¿Cómo va el proyecto Aurora?', project('Proyecto Aurora')],
    ['German', 'Frag doch Müllers Frau', contact('Hans Müller')],
    ['German', 'Annas Vertrag läuft aus', contact('Anna Schmidt')],
    ['German', 'Die Straße der Zukunft kommt voran', project('Strasse der Zukunft')],
    ['Polish', 'Wyślij to Annie', contact('Anna Nowak')],
    ['Polish', 'Spotkałem wczoraj Annę', contact('Anna Nowak')],
    ['Polish', 'Nie ma tu Anny', contact('Anna Nowak')],
    ['Polish', 'Zadzwoń do Marka', contact('Marek Kowalski')],
    ['Polish', 'Porozmawiaj z panem Kowalskim', contact('Marek Kowalski')],
    ['Polish', 'Umowa Anny Kowalskiej', contact('Anna Kowalska')],
    ['Polish', 'To jest dla Ewy', contact('Ewa Nowak')],
    ['Czech', 'Pošli to Novákovi', contact('Petr Novák')],
    ['Czech', 'Mluvil jsem s Janou', contact('Jana Nováková')],
    ['Turkish', "Elif'e haber ver", contact('Elif Yılmaz')],
    ['Turkish', "Ayşe'nin telefonu", contact('Ayşe Demir')],
    ['Turkish', "IŞIK'ın raporu", contact('Işık Kaya')],
    ['Finnish', 'Kerro Annalle', contact('Anna Virtanen')],
    ['Finnish', 'Mikkon numero', contact('Mikko Laine')],
    ['Russian', 'Позвони Анне', contact('Анна Иванова')],
    ['Chinese', '幫我寫信給王小明先生', contact('王小明')],
    ['Chinese', '小明昨天說了什麼？', contact('王小明')],
    ['Chinese', '請問王先生的電話', contact('王小明')],
    ['Chinese', '歐陽娜娜的信箱是什麼', contact('歐陽娜娜')],
    ['Chinese', '台北車站改建計畫進度如何', project('台北車站改建計畫')],
    ['Chinese', '台北車站改建怎麼樣了', project('台北車站改建計畫')],
    ['Chinese', '我們的LINE專案呢', project('LINE專案')],
    ['Japanese', '田中さんに連絡して', contact('田中太郎')],
    ['Japanese', '田中 太郎さんのメール', contact('田中太郎')],
    ['Japanese', 'サラに聞いて', contact('サラ')],
    ['Korean', '민수는 언제 와요?', contact('김민수')],
  ])('in %s: %s', (_language, message, memory) => {
    expect(mentioned(message, [memory])).toEqual([memory.subject]);
  });

  it.each<[why: string, message: string, Nameable]>([
    ['a name inside another word', 'I like a banana split', contact('Ana')],
    ['a longer name that begins alike', 'Anna called', contact('An Nguyen')],
    ['two letters in another case', 'An apple, if you please', contact('An Nguyen')],
    ['two letters in another case', 'le projet ia avance', project('IA')],
    ['a longer word that is no form of it', 'The annals of history', contact('Anna Schmidt')],
    ['a longer word that is no form of it', 'Le Marché de Dakar', contact('Marc Petit')],
    ['the other sex', 'Mario called', contact('Maria Rossi')],
    ['the other sex', 'Was Marie there?', contact('Maria Rossi')],
    ['a common word where names have capitals', 'We will ask Peter', contact('Will Smith')],
    ['a form of a common word', 'Des roses pour Awa', contact('Rose Martin')],
    ['one word of a phrase', 'Un site web pour Awa', project('Le Site')],
    ['one word of several', 'La refonte commence', project('Refonte du site web')],
    [
      'words far from each other',
      'Le site de notre client a été repris par un autre qui fait la refonte web',
      project('Refonte du site web'),
    ],
    ['the beginning of a sentence', 'Any news?', contact('Ana Lopez')],
    ['another person of that given name', '李小明說了什麼', contact('王小明')],
    ['a word that a given name is inside of', '這件事情小明星知道', contact('王小明')],
    ['a katakana word that goes on', 'サラダを食べた', contact('サラ')],
    ['one character of a name', '王道是什麼', contact('王小明')],
    ['part of an e-mail address', 'ana.lopez@example.com wrote', contact('Ana Lopez')],
    [
      'another e-mail address',
      'write to ada@example.community',
      contact('Boss', { email: 'ada@example.com' }),
    ],
    ['nothing', '', contact('Ana')],
  ])('not %s: %s', (_why, message, memory) => {
    expect(mentioned(message, [memory])).toEqual([]);
  });

  it('the surest first', () => {
    const memories = [
      contact('Marie Curie'),
      contact('Jean Dupont'),
      contact('Paul Martin', { email: 'paul@example.org' }),
      contact('Awa Diop'),
    ];
    expect(
      mentioned('Demande à Dupont, et à Marie, avec Awa Diop et paul@example.org en copie', memories),
    ).toEqual(['Paul Martin', 'Awa Diop', 'Jean Dupont', 'Marie Curie']);
  });

  it('whose whole name it says, and nobody else of that first name there', () => {
    const memories = [contact('Marie Dupont'), contact('Marie Curie'), contact('Pierre Dupont')];
    expect(mentioned('Appelle Marie Dupont', memories)).toEqual(['Marie Dupont']);
  });

  it('whoever it names, also when it names nobody else from its beginning to its end', () => {
    const maries = Array.from({ length: 60 }, (_, index) => contact(`Marie Durand${index}`));
    const awa = contact('Awa Diop', { email: 'awa@example.org' });
    expect(mentioned(`${'Marie '.repeat(3_000)} et awa@example.org`, [...maries, awa])[0]).toBe('Awa Diop');
    expect(mentioned(`Awa Diop ${'@'.repeat(10_000)}`, [awa])).toEqual(['Awa Diop']);
    expect(mentioned(`Awa Diop ${'a'.repeat(10_000)}`, [awa])).toEqual(['Awa Diop']);
  });

  it('several who share a first name after those who are told by theirs, the newest first', () => {
    const memories = [contact('Marie Curie'), contact('Marie Dupont'), contact('Awa Diop')];
    expect(mentioned('Appelle Marie et Awa', memories)).toEqual(['Awa Diop', 'Marie Dupont', 'Marie Curie']);
  });

  it('Paula, and not Paul, where there is a Paula', () => {
    const memories = [contact('Paul Martin'), contact('Paula Lopez')];
    expect(mentioned('Llama a Paula', memories)).toEqual(['Paula Lopez']);
    expect(mentioned('Zapytaj Paula', [memories[0]!])).toEqual(['Paul Martin']);
  });

  it('a member’s own before the company’s of the same name', () => {
    const shared = { ...contact('Awa Diop'), ownerId: null };
    const own = contact('Awa DIOP');
    expect(mentioned('Awa Diop', [own, shared])).toEqual(['Awa DIOP', 'Awa Diop']);
    expect(mentioned('Awa Diop', [shared, own])).toEqual(['Awa DIOP', 'Awa Diop']);
  });

  it('whoever’s exact name it holds, whatever the name is and whatever stands around it', () => {
    const syllable = fc.constantFrom(
      'Ka',
      'lo',
      'mi',
      'Żu',
      'né',
      'ßa',
      'Örn',
      '小',
      '明',
      '華',
      'サ',
      'ラ',
      '김',
      'ก',
      '70',
    );
    // More than two letters: with two, a name at the start of a sentence is only recognised by the next word.
    const part = fc.array(syllable, { minLength: 2, maxLength: 5 }).map((syllables) => syllables.join(''));
    const name = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(' '));
    const text = fc.array(fc.oneof(part, fc.string({ unit: 'grapheme', maxLength: 5 })), { maxLength: 8 });
    fc.assert(
      fc.property(name, fc.constantFrom('CONTACT', 'PROJECT'), text, text, (subject, kind, before, after) => {
        const message = `${before.join(' ')} , ${subject} , ${after.join(' ')}`;
        expect(mentioned(message, [named(kind, subject)])).toEqual([subject]);
      }),
      { numRuns: 500 },
    );
  });

  it('nobody in a text that shares no letter with a name, whatever it is', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'C', ' ', '.', '@', "'", '小', '\u0301', '\ud800'),
    });
    fc.assert(
      fc.property(text, (message) => {
        expect(mentioned(message, [contact('Xerxes Zyx'), project('Quux'), contact('王大偉')])).toEqual([]);
      }),
    );
  });
});

describe('the keys of a message', () => {
  it('are 400 at most, also of long ones', () => {
    const long = Array.from({ length: 3_000 }, (_, index) => `mot${index} 字${index}號`).join(' ');
    expect(keysOfMessage(readMessage(long)).length).toBeLessThanOrEqual(400);
  });

  it('are of what looks like a name first', () => {
    const filler = Array.from({ length: 2_000 }, (_, index) => `mot${index}`).join(' ');
    expect(mentioned(`${filler} et Awa Diop, ${filler}`, [contact('Awa Diop')])).toEqual(['Awa Diop']);
  });
});
