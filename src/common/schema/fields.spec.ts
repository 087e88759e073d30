import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLInputType,
  getNamedType,
  isInputObjectType,
  isObjectType,
  parseValue,
} from 'graphql';

import { ID } from './fields.js';

const id = '0198a5c2-7d3e-7abc-8def-0123456789ab';

describe('an id that comes in', () => {
  it.each([
    ['as it is', id, id],
    ['in capitals', id.toUpperCase(), id],
    ['in both', `${id.slice(0, 18).toUpperCase()}${id.slice(18)}`, id],
    ['with braces, as which it is none', `{${id.toUpperCase()}}`, `{${id.toUpperCase()}}`],
    ['that is none', 'Mefali', 'Mefali'],
    ['that is empty', '', ''],
  ])('is read %s', (_how, given, read) => {
    expect(ID.parseValue(given)).toBe(read);
    expect(ID.parseLiteral(parseValue(JSON.stringify(given)))).toBe(read);
  });

  it('may be a whole number, and nothing else that is no text', () => {
    expect(ID.parseValue(5)).toBe('5');
    expect(ID.parseLiteral(parseValue('5'))).toBe('5');
    for (const given of [5.5, true, null, {}]) {
      expect(() => ID.parseValue(given)).toThrow('ID cannot represent');
      expect(() => ID.parseLiteral(parseValue(JSON.stringify(given)))).toThrow('ID cannot represent');
    }
  });

  it('is an ID wherever one comes in', () => {
    const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
    const inputs = Object.values(schema.getTypeMap()).flatMap(
      (type): readonly { name: string; type: GraphQLInputType }[] => {
        if (isInputObjectType(type)) return Object.values(type.getFields());
        return isObjectType(type) ? Object.values(type.getFields()).flatMap(({ args }) => args) : [];
      },
    );
    // A client's id at an authorization server is a text of that server's.
    const ids = inputs.filter(({ name }) => /^id$|Ids?$/.test(name) && name !== 'clientId');
    expect(ids.length).toBeGreaterThan(20);
    expect(new Set(ids.map(({ type }) => getNamedType(type).name))).toEqual(new Set(['ID']));
  });
});
