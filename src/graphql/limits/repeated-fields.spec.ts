import { buildSchema, parse, specifiedRules, validate } from 'graphql';
import fc from 'fast-check';

import { repeatedFieldsRule } from './repeated-fields.js';

const schema = buildSchema('type Query { a: Int b: Int me: Query you: Query }');

const REFUSED = [expect.stringContaining('the same fields too often in the same place')];

function messagesOf(query: string): string[] {
  const rules = [...specifiedRules, repeatedFieldsRule];
  return validate(schema, parse(query), rules, { maxErrors: 1_000 }).map(({ message }) => message);
}

describe('repeatedFieldsRule', () => {
  it('refuses one field too often, and many that are repeated together', () => {
    expect(messagesOf(`{ ${'a '.repeat(200)} }`)).toEqual([]);
    expect(messagesOf(`{ ${'a '.repeat(201)} }`)).toEqual(REFUSED);
    expect(messagesOf(`{ ${'me { a b } '.repeat(115)} }`)).toEqual([]);
    expect(messagesOf(`{ ${'me { a b } '.repeat(116)} }`)).toEqual(REFUSED);
  });

  it('counts the names that an answer has, and places apart', () => {
    const many = 'a '.repeat(140);
    expect(messagesOf(`{ ${many} me { ${many} } }`)).toEqual([]);
    expect(messagesOf(`{ ${many} me { ${many} } you { ${many} } }`)).toEqual(REFUSED);
    const renamed = Array.from({ length: 201 }, (_, index) => `a${index}: a`).join(' ');
    expect(messagesOf(`{ ${renamed} }`)).toEqual([]);
    expect(messagesOf(`{ ${'c: a '.repeat(201)} }`)).toEqual(REFUSED);
  });

  it('counts fragments where they are spread, and those that are not', () => {
    const many = 'a '.repeat(150);
    const fragment = `fragment F on Query { ${many} }`;
    expect(messagesOf(`{ ...F ...F ... { ...F } } ${fragment}`)).toEqual([]);
    expect(messagesOf(`{ ...F ${many} } ${fragment}`)).toEqual(REFUSED);
    expect(messagesOf(`{ a } fragment F on Query { ${many}${many} }`)).toEqual(REFUSED);
  });

  it('ends for fragments in a circle, and for those that double', () => {
    expect(messagesOf('{ ...F } fragment F on Query { a ...F }')).toEqual([
      expect.stringContaining('spread fragment "F" within itself'),
    ]);
    expect(messagesOf('{ ...F } fragment F on Query { me { ...F } }')).toEqual([
      expect.stringContaining('spread fragment "F" within itself'),
    ]);
    const doubling = Array.from(
      { length: 20 },
      (_, index) => `fragment F${index} on Query { me { ...F${index + 1} } you { ...F${index + 1} } }`,
    );
    expect(messagesOf(`{ ...F0 } ${doubling.join(' ')} fragment F20 on Query { a }`)).toEqual(REFUSED);
  });

  it('leaves all other errors to the other rules', () => {
    const selection = fc.letrec<{ set: string }>((tie) => ({
      set: fc
        .array(
          fc.oneof(
            fc.constantFrom('a', 'b', 'c', 'a: b', '...F'),
            tie('set').map((set) => `me ${set}`),
            tie('set').map((set) => `... ${set}`),
          ),
          { minLength: 1, maxLength: 4 },
        )
        .map((all) => `{ ${all.join(' ')} }`),
    })).set;
    fc.assert(
      fc.property(selection, (set) => {
        const query = `${set} fragment F on Query { a me { b } }`;
        const others = validate(schema, parse(query), specifiedRules).map(({ message }) => message);
        expect(messagesOf(query)).toEqual(others);
      }),
    );
  });
});
