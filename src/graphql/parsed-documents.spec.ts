import { buildSchema, type DocumentNode } from 'graphql';

import { MAX_DEPTH } from './limits/operation-limits.js';
import { ParsedDocuments } from './parsed-documents.js';

const schema = buildSchema('type Query { a: Int deeper: Query }');

/** A document of its own for each `name`, of about `characters`. */
function document(name: string, characters = 0): string {
  return `query ${name} { a } #${'x'.repeat(characters)}`;
}

describe('ParsedDocuments', () => {
  let documents: ParsedDocuments;

  beforeEach(() => {
    documents = new ParsedDocuments(schema);
  });

  it('gives the same document for the same text, and another for another', () => {
    const first = documents.get('{ a }');
    expect(first).toMatchObject({ kind: 'Document' });
    expect(documents.get('{ a }')).toBe(first);
    expect(documents.get('{ a  }')).not.toBe(first);
    expect(documents.size).toBe(2);
  });

  it('tells each time what is wrong, and keeps nothing of it', () => {
    const deep = `{ ${'deeper { '.repeat(MAX_DEPTH)} a ${'}'.repeat(MAX_DEPTH)} }`;
    for (let time = 0; time < 2; time += 1) {
      expect(documents.get('{ b }')).toEqual([expect.objectContaining({ name: 'GraphQLError' })]);
      expect(documents.get(deep)).toEqual([
        expect.objectContaining({ message: expect.stringContaining('depth') }),
      ]);
      expect(() => documents.get('{')).toThrow('Syntax Error');
      expect(() => documents.get(`{ ${'a '.repeat(5_000)} }`)).toThrow('tokens');
    }
    expect(documents.size).toBe(0);
  });

  it('keeps a bounded number, and lets go of the one that was not used for longest', () => {
    const first = documents.get(document('first')) as DocumentNode;
    const second = documents.get(document('second')) as DocumentNode;
    for (let index = 0; index < 498; index += 1) documents.get(document(`more${index}`));
    expect(documents.get(document('first'))).toBe(first);
    documents.get(document('oneTooMany'));
    expect(documents.size).toBe(500);
    expect(documents.get(document('first'))).toBe(first);
    expect(documents.get(document('second'))).not.toBe(second);
  });

  it('keeps a bounded number of characters, and no single one that is very long', () => {
    for (let index = 0; index < 100; index += 1) documents.get(document(`long${index}`, 9_000));
    expect(documents.size).toBeGreaterThan(15);
    expect(documents.size).toBeLessThan(25);
    const size = documents.size;
    expect(documents.get(document('veryLong', 30_000))).toMatchObject({ kind: 'Document' });
    expect(documents.size).toBe(size);
  });
});
