import { subjectKeyOf } from '../../memory/memory-input.js';
import type { Memory } from '../../memory/memory.entity.js';
import type { Fact } from './memory-task.js';
import { notesOf, type Surroundings } from './notes-of-facts.js';

function fact(given: Partial<Fact> = {}): Fact {
  return {
    kind: 'FACT',
    subject: 'town',
    content: 'Lives in Thiès.',
    attributes: {},
    replaces: null,
    message: 'question',
    ...given,
  };
}

function memory(given: Partial<Memory>): Memory {
  const subject = given.subject ?? 'answers';
  const kind = given.kind ?? 'PREFERENCE';
  const whole = { kind, subject, subjectKey: subjectKeyOf(subject), content: 'Short ones.', attributes: {} };
  return { ...whole, ...given } as Memory;
}

const nothing: Surroundings = { known: [], shared: [], said: [] };

function contentsOf(facts: readonly Fact[], surroundings: Partial<Surroundings> = {}) {
  const { notes, leftOut } = notesOf(facts, { ...nothing, ...surroundings });
  return { contents: notes.map(({ memory: { content } }) => content), leftOut };
}

describe('what is noted of what a model gave', () => {
  it('is what is new', () => {
    expect(notesOf([fact({ attributes: { since: 2024 } })], nothing)).toEqual({
      notes: [
        {
          memory: { kind: 'FACT', subject: 'town', content: 'Lives in Thiès.', attributes: { since: 2024 } },
          replaces: null,
        },
      ],
      leftOut: {},
    });
  });

  it('is a correction under the subject of what it corrects', () => {
    const known = [memory({}), memory({ kind: 'FACT', subject: 'Ville de résidence', content: 'Dakar.' })];
    const { notes } = notesOf([fact({ kind: 'CONTACT', subject: 'home', replaces: 2 })], {
      ...nothing,
      known,
    });
    expect(notes).toEqual([
      {
        memory: {
          kind: 'FACT',
          subject: 'Ville de résidence',
          content: 'Lives in Thiès.',
          attributes: {},
        },
        replaces: known[1],
      },
    ]);
  });

  it.each([
    ['Marc', 'CONTACT', 'Marc Dupont'],
    ['Dupont, Marc', 'CONTACT', 'Marc Dupont'],
    ['M. N’Guessan', 'CONTACT', "Kouassi N'Guessan"],
    ['téléphone de Marc', 'CONTACT', 'Marc Dupont'],
    ['Marc Dupont', 'CONTACT', 'Marc'],
    ['Karité', 'PROJECT', 'Projet Karité'],
  ] as const)('is a correction of whom it names: %s, of a %s %s', (subject, kind, before) => {
    const known = [memory({ kind, subject: before })];
    const { notes } = notesOf([fact({ kind, subject, replaces: 1 })], { ...nothing, known });
    expect(notes).toMatchObject([{ memory: { kind, subject: before }, replaces: known[0] }]);
  });

  it.each([
    ['CONTACT', 'Fatou Diallo', 'CONTACT', "Kouassi N'Guessan"],
    ['CONTACT', 'Mme Diallo', 'CONTACT', 'Mme Kouassi'],
    ['FACT', 'comptable', 'CONTACT', "Kouassi N'Guessan"],
    ['PROJECT', 'Projet Karité', 'PROJECT', 'Projet Baobab'],
    ['PROJECT', 'Karité', 'CONTACT', 'Marc Dupont'],
  ] as const)('is of its own where it is another’s: %s %s, not the %s %s', (kind, subject, was, before) => {
    const known = [memory({ kind: was, subject: before, attributes: { email: 'k@example.org' } })];
    const { notes } = notesOf([fact({ kind, subject, replaces: 1 })], { ...nothing, known });
    expect(notes).toMatchObject([{ memory: { kind, subject, attributes: {} }, replaces: null }]);
  });

  it('is a correction too where only the subject tells', () => {
    const known = [memory({ kind: 'FACT', subject: 'Town', content: 'Dakar.' })];
    expect(notesOf([fact()], { ...nothing, known }).notes).toMatchObject([{ replaces: known[0] }]);
  });

  it.each([0, -1, 2, 99])('is something new when it would replace what is not there: %i', (replaces) => {
    const { notes } = notesOf([fact({ replaces })], { ...nothing, known: [memory({})] });
    expect(notes).toMatchObject([{ memory: { subject: 'town' }, replaces: null }]);
  });

  it('is the last of what is given on one subject', () => {
    const facts = [fact(), fact({ subject: 'Town ', content: 'Lives in Dakar.' }), fact({ subject: 'job' })];
    expect(contentsOf(facts)).toEqual({
      contents: ['Lives in Dakar.', 'Lives in Thiès.'],
      leftOut: { TWICE: 1 },
    });
  });
});

describe('what is not noted', () => {
  it('is what the assistant said', () => {
    expect(contentsOf([fact({ message: 'answer' }), fact({ content: 'Other.' })])).toEqual({
      contents: ['Other.'],
      leftOut: { NOT_THE_MEMBER: 1 },
    });
  });

  it.each([
    [fact({ content: 'The password is baobab2024.' }), 'SECRET'],
    [fact({ attributes: { pin: 'PIN 4821' } }), 'SECRET'],
    [fact({ content: 'Is diabetic: diabetes type 1.' }), 'SENSITIVE'],
    [fact({ kind: 'CONTACT', subject: 'Marc', content: 'Est syndiqué.' }), 'SENSITIVE'],
  ] as const)('is a secret, or what is sensitive of anybody: %j', (offered, reason) => {
    expect(contentsOf([offered])).toEqual({ contents: [], leftOut: { [reason]: 1 } });
  });

  it('is an address that nobody has said', () => {
    const contact = fact({ kind: 'CONTACT', subject: 'Ben', attributes: { email: 'Ben@example.org' } });
    expect(contentsOf([contact], { said: ['His e-mail is ben@example.com.'] })).toEqual({
      contents: [],
      leftOut: { NOT_SAID: 1 },
    });
    expect(contentsOf([contact], { said: ['His e-mail is ben@example.org.'] }).contents).toHaveLength(1);
    const known = [memory({ kind: 'CONTACT', subject: 'Ben', attributes: { email: 'ben@example.org' } })];
    expect(contentsOf([contact], { known }).contents).toHaveLength(1);
  });

  it.each<[string, Partial<Surroundings>]>([
    ['of the member', { known: [memory({ content: 'lives in  THIES' })] }],
    ['of the company', { shared: [memory({ content: 'Lives in Thiès!' })] }],
  ])('is what is known %s, on whatever subject', (_, surroundings) => {
    expect(contentsOf([fact()], surroundings)).toEqual({ contents: [], leftOut: { KNOWN: 1 } });
  });

  it('is not what says more of what is known', () => {
    const known = [
      memory({ kind: 'CONTACT', subject: 'Ben', content: 'A colleague.', attributes: { company: 'Nord' } }),
    ];
    const more = { kind: 'CONTACT', subject: 'Ben', content: 'A colleague.' } as const;
    expect(contentsOf([fact({ ...more, attributes: { company: 'Sud' } })], { known }).contents).toHaveLength(
      1,
    );
    expect(contentsOf([fact({ ...more, attributes: { company: 'Nord' } })], { known }).leftOut).toEqual({
      KNOWN: 1,
    });
  });
});
