import { schemaForModels } from './schema-for-models.js';

it('leaves out what arguments are only checked for, wherever there is a schema', () => {
  expect(
    schemaForModels({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      additionalProperties: false,
      required: ['title'],
      minProperties: 1,
      properties: {
        title: { type: 'string', minLength: 1, maxLength: 60, description: 'In a few words.' },
        rows: {
          type: 'array',
          maxItems: 9,
          uniqueItems: true,
          items: {
            anyOf: [
              { type: 'string', maxLength: 9, pattern: '^[A-Z]' },
              { type: 'null', title: 'None' },
            ],
          },
        },
      },
    }),
  ).toEqual({
    type: 'object',
    required: ['title'],
    properties: {
      title: { type: 'string', description: 'In a few words.' },
      rows: { type: 'array', items: { anyOf: [{ type: 'string', pattern: '^[A-Z]' }, { type: 'null' }] } },
    },
  });
});

it('takes data for data, and says what else an object may hold', () => {
  const schema = {
    type: 'object',
    properties: { size: { enum: [{ maxLength: 3 }], default: { title: 'x' } } },
    additionalProperties: { type: 'number' },
  };
  expect(schemaForModels({ ...schema, additionalProperties: { type: 'number', title: 'A number' } })).toEqual(
    schema,
  );
});
