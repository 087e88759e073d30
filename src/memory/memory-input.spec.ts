import fc from 'fast-check';
import type { JsonObject } from '@palabre/json';

import { attributesOf, findProblem, mergeAttributes, sameAttributes, subjectKeyOf } from './memory-input.js';

function keys(count: number): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
}

function issuesOf(kind: Parameters<typeof attributesOf>[0], attributes: unknown): [string, string][] {
  return (attributesOf(kind).safeParse(attributes).error?.issues ?? []).map(({ path, message }) => [
    path.join('.'),
    message,
  ]);
}

const attributes = fc.dictionary(
  fc.constantFrom('email', 'notes', 'x', 'y'),
  fc.oneof(fc.constantFrom('a', 'b', 1, true), fc.constant(['a', 'b'])),
) as fc.Arbitrary<JsonObject>;

describe('attributes', () => {
  it('are normalized to lines, also in lists', () => {
    expect(
      attributesOf('CONTACT').parse({
        company: ' Karité\n& fils ',
        email: ' awa@karite.sn ',
        notes: null,
        aliases: ['Awa\u200B', ' Awa D. '],
        since: 2019,
        vip: true,
        'rue préférée': 'A\tB',
      }),
    ).toEqual({
      company: 'Karité & fils',
      email: 'awa@karite.sn',
      notes: null,
      aliases: ['Awa', 'Awa D.'],
      since: 2019,
      vip: true,
      'rue préférée': 'A B',
    });
  });

  it.each(['awa@karite.sn', 'a.b+c@x.co.uk', 'józef@żółw.pl', '用戶@例子.廣告'])(
    'take the address %s',
    (email) => {
      expect(issuesOf('CONTACT', { email })).toEqual([]);
    },
  );

  it.each([
    'awa',
    'awa@',
    '@karite.sn',
    'awa@karite',
    'a b@c.de',
    'a@b@c.de',
    'a@b..de',
    'Awa <a@b.de>',
    'a@b.de,',
  ])('do not take the address %j', (email) => {
    expect(issuesOf('CONTACT', { email })).toEqual([
      ['email', 'This must be an e-mail address, such as awa@example.org.'],
    ]);
  });

  it.each<[string, Parameters<typeof attributesOf>[0], unknown, string]>([
    ['a list', 'FACT', [], ''],
    ['a text', 'FACT', 'x', ''],
    ['too many', 'FACT', keys(21), ''],
    ['a key that is too long', 'FACT', { ['k'.repeat(41)]: 1 }, ''],
    ['an empty key', 'FACT', { '': 1 }, ''],
    ['a key with blanks around it', 'FACT', { ' a': 1 }, ''],
    ['a key that hides something', 'FACT', { 'a\u200Bb': 1 }, ''],
    ['a key that would change an object’s nature', 'FACT', JSON.parse('{"__proto__": {"a": 1}}'), ''],
    ['an object inside', 'FACT', { a: { b: 1 } }, 'a'],
    ['lists inside lists', 'FACT', { a: [['b']] }, 'a'],
    ['a long list', 'FACT', { a: Array(11).fill('b') }, 'a'],
    ['a long text', 'FACT', { a: 'b'.repeat(501) }, 'a'],
    ['half a character', 'FACT', { a: '\uD800' }, 'a'],
    ['a long status', 'PROJECT', { status: 'b'.repeat(61) }, 'status'],
    ['a status that is a number', 'PROJECT', { status: 1 }, 'status'],
    ['a long client', 'PROJECT', { client: 'b'.repeat(201) }, 'client'],
    ['a long description', 'PROJECT', { description: 'b'.repeat(501) }, 'description'],
    ['a long company', 'CONTACT', { company: 'b'.repeat(201) }, 'company'],
    ['long notes', 'CONTACT', { notes: 'b'.repeat(501) }, 'notes'],
    ['empty notes', 'CONTACT', { notes: '' }, 'notes'],
    ['aliases in one text', 'CONTACT', { aliases: 'Awa' }, 'aliases'],
    ['many aliases', 'CONTACT', { aliases: Array(11).fill('Awa') }, 'aliases'],
    ['a long alias', 'CONTACT', { aliases: ['Awa', 'b'.repeat(101)] }, 'aliases.1'],
  ])('are refused when they are or have %s', (_what, kind, given, path) => {
    const issues = issuesOf(kind, given);
    expect(issues.map(([at]) => at)).toEqual([path]);
    expect(issues[0]?.[1]).toMatch(/^(This|These|A key) (must|holds)/);
  });

  it('of great depth or length are refused quickly', () => {
    const deep = JSON.parse(`{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`) as JsonObject;
    const long = { a: Array(500_000).fill(1) };
    for (const given of [deep, long, keys(100_000)]) expect(issuesOf('FACT', given)).toHaveLength(1);
  });

  it('are limited as a whole', () => {
    expect(findProblem(keys(20))).toBeNull();
    expect(findProblem(keys(21))).toMatch('at most 20');
    const texts = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`k${index}`, 'b'.repeat(500)]));
    expect(findProblem(texts)).toMatch('at most 4000 characters');
  });
});

describe('merged attributes', () => {
  it('keep what is left out, take what is new and drop what is null', () => {
    expect(
      mergeAttributes(
        { email: 'a@b.de', notes: 'x', vip: true },
        { email: 'c@d.de', notes: null, since: 2019 },
      ),
    ).toEqual({
      email: 'c@d.de',
      vip: true,
      since: 2019,
    });
  });

  it('say the same when the same is said again, in whatever order', () => {
    fc.assert(
      fc.property(attributes, attributes, (before, changes) => {
        const after = mergeAttributes(before, changes);
        const reversed = Object.fromEntries(Object.entries(after).toReversed());
        expect(sameAttributes(mergeAttributes(reversed, changes), after)).toBe(true);
      }),
    );
  });

  it('say something else when anything differs', () => {
    expect(sameAttributes({ a: 1 }, { a: '1' })).toBe(false);
    expect(sameAttributes({ a: ['x', 'y'] }, { a: ['y', 'x'] })).toBe(false);
    expect(sameAttributes({ a: 1 }, { a: 1, b: 1 })).toBe(false);
  });
});

describe('the key of a subject', () => {
  it.each([
    ['Élodie Côté', 'elodie  COTE'],
    ['Réunion', 'Re\u0301union'],
    ['Łódź Øst', 'lodz ost'],
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'Strasse'],
    ['Işık', 'IŞIK'],
    ['İstanbul', 'istanbul'],
    ['ΟΔΟΣ', 'οδος'],
    ['Ｐａｌａｂｒｅ', 'palabre'],
    ['L’équipe', "l'equipe"],
    ['王\u3000小明', '王 小明'],
    [' a\n\tb ', 'a b'],
    ['αΣ\ufeffb', 'ας b'],
  ])('is the same for %j and %j', (one, other) => {
    expect(subjectKeyOf(one)).toBe(subjectKeyOf(other));
  });

  it.each([
    ['Marc', 'Marc D.'],
    ['Marc D', 'Marc-D'],
    ['कि', 'की'],
    ['か', 'が'],
    ['ni', 'nij'],
    ['☕', '🍵'],
  ])('is another one for %j and %j', (one, other) => {
    expect(subjectKeyOf(one)).not.toBe(subjectKeyOf(other));
  });

  it('of a key is itself, so that it can be stored', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (subject) => {
        const key = subjectKeyOf(subject);
        expect(subjectKeyOf(key)).toBe(key);
      }),
      { examples: [['αΣ\ufeffb']] },
    );
  });
});
