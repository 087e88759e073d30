import type { JsonObject } from '../../../common/json.js';
import { readDocument } from './openapi-document.js';
import { type ImportableOperation, operationsOf } from './openapi-operations.js';

/** The only operation of a document. */
const operationOf = async (operation: JsonObject): Promise<ImportableOperation> => {
  const paths = { '/a': { post: operation } };
  const document = await readDocument(JSON.stringify({ openapi: '3.1.0', paths }));
  const { operations } = await operationsOf(document, null);
  return operations[0]!;
};

const withBody = (type: string, schema: JsonObject, required?: boolean): JsonObject => ({
  requestBody: { ...(required !== undefined && { required }), content: { [type]: { schema } } },
});

describe('a body of several parts', () => {
  const file = { type: 'object', properties: { file: { type: 'string', format: 'binary' } } };

  it.each([
    [true, 'it is required'],
    [undefined, 'nothing says that it may be left out'],
  ])('keeps an operation away when its being required is %s', async (required, words) => {
    const { parameters, problems } = await operationOf(withBody('multipart/form-data', file, required));
    expect(parameters).toBeNull();
    expect(problems).toEqual([expect.stringContaining(words)]);
  });

  it('is left out when it may be', async () => {
    const { parameters, problems } = await operationOf(withBody('multipart/form-data', file, false));
    expect(parameters).not.toBeNull();
    expect(problems).toEqual(['A body of multipart/form-data cannot be sent with POST: left out.']);
  });
});

it('tells which fields of a form are sent otherwise than services expect', async () => {
  const part = { type: 'object', additionalProperties: { type: 'string' } };
  const { parameters, problems } = await operationOf(
    withBody('application/x-www-form-urlencoded', {
      type: 'object',
      properties: {
        amount: { type: 'integer' },
        tags: { type: 'array', items: { type: 'string' } },
        metadata: part,
        lines: { type: 'array', items: part },
        owner: { type: ['object', 'null'] },
        place: { allOf: [{ properties: { city: { type: 'string' } } }] },
      },
    }),
  );
  expect(parameters).not.toBeNull();
  expect(problems.map((problem) => /field (\w+) of the form are sent as JSON/.exec(problem)?.[1])).toEqual([
    'metadata',
    'lines',
    'owner',
    'place',
  ]);
});

it('tells which parameters of the query are sent as JSON, but for those that are JSON', async () => {
  const schema = { type: 'object' };
  const { problems } = await operationOf({
    parameters: [
      { name: 'where', in: 'query', schema },
      { name: 'filter', in: 'query', style: 'deepObject', schema },
      { name: 'json', in: 'query', content: { 'application/json': { schema } } },
    ],
  });
  expect(problems).toEqual([expect.stringContaining('where'), expect.stringContaining('filter')]);
});

describe('a pattern that cannot be checked here', () => {
  it('is told, once, wherever it stands', async () => {
    const schema = { type: 'string', pattern: '(?<=x)y' };
    const { parameters, problems } = await operationOf({
      parameters: [
        { name: 'a', in: 'query', schema },
        { name: 'b', in: 'query', schema },
        { name: 'c', in: 'query', schema: { type: 'string', pattern: '^(a+)+$' } },
      ],
      ...withBody('application/json', { type: 'object', patternProperties: { '(?!x)': {}, '^y': {} } }),
    });
    expect(JSON.stringify(parameters)).not.toMatch(/\(\?/);
    expect(problems).toEqual([
      expect.stringContaining('The pattern (?<=x)y is left to the service'),
      expect.stringContaining('The pattern (?!x) is left to the service'),
    ]);
  });

  it('makes no endless list of problems', async () => {
    const patterns = Array.from({ length: 50 }, (_, index) => `(?!${index}${'x'.repeat(500)})`);
    const { problems } = await operationOf({
      parameters: patterns.map((pattern, index) => ({ name: `p${index}`, in: 'query', schema: { pattern } })),
    });
    expect(problems).toHaveLength(6);
    expect(problems.at(-1)).toContain('45 other patterns');
    expect(problems.join('').length).toBeLessThan(1_500);
  });
});

it('has another key where the usual one is taken for ever', async () => {
  expect((await operationOf({ operationId: 'loadSkill' })).key).toBe('load_skill_2');
});
