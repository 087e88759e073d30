import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  buildSchema,
  type ExecutionResult,
  type GraphQLInterfaceType,
  type GraphQLScalarType,
  parse,
  subscribe,
  validate,
} from 'graphql';

import { DateTime } from '../../common/schema/fields.js';
import type { TurnEvent } from './turn-event.js';
import { textDeltaProjection, subscribeToEvents } from './turn-events-subscription.js';

const at = new Date('2026-11-22T10:11:12.345Z');
const events: TurnEvent[] = [
  { turnId: 't', sequence: 1, at, type: 'status-changed', status: 'RUNNING', detail: null },
  { turnId: 't', sequence: 2, at, type: 'text-delta', text: 'Bon"jour' },
  { turnId: 't', sequence: 3, at, type: 'text-reset', cause: 'PREAMBLE' },
  { turnId: 't', sequence: 4, at, type: 'text-delta', text: '\u{1F600}\n' },
];
const typeNames: Record<string, string> = {
  'status-changed': 'StatusChanged',
  'text-delta': 'TextDelta',
  'text-reset': 'TextReset',
};

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
(schema.getType('TurnEvent') as GraphQLInterfaceType).resolveType = ({ type }: TurnEvent) => typeNames[type];
(schema.getType('DateTime') as GraphQLScalarType).serialize = DateTime.serialize;
const field = schema.getSubscriptionType()!.getFields().turnEvents!;
field.subscribe = async function* () {
  yield* events;
};
field.resolve = (event: unknown) => event;

function argsOf(query: string, variableValues: Record<string, unknown> = {}) {
  const document = parse(query);
  expect(validate(schema, document)).toEqual([]);
  return { schema, document, variableValues };
}

/** Everything a subscription gives, as it goes over the wire. */
async function all(result: AsyncIterable<ExecutionResult> | ExecutionResult): Promise<unknown[]> {
  if (!(Symbol.asyncIterator in result)) return [result];
  const given: unknown[] = [];
  for await (const each of result) given.push(JSON.parse(JSON.stringify(each)));
  return given;
}

async function checkSame(query: string, variables: Record<string, unknown> = {}): Promise<void> {
  const [ours, theirs] = [
    await subscribeToEvents(argsOf(query, variables)),
    await subscribe(argsOf(query, variables)),
  ];
  expect(await all(ours)).toEqual(await all(theirs));
}

function isProjected(query: string): boolean {
  return textDeltaProjection(argsOf(query)) !== null;
}

/** Selections of a turn's events: fields with and without aliases, fragments inside each other, directives now and then. */
const { selection } = fc.letrec<{ selection: string; item: string; fields: string }>((tie) => ({
  fields: fc.constantFrom(
    '__typename',
    'turnId',
    'sequence',
    'at',
    'number: sequence',
    'id: turnId',
    'at @include(if: $yes)',
  ),
  item: fc.oneof(
    { weight: 4, arbitrary: tie('fields') },
    fc.constantFrom(
      '... on TextDelta { text }',
      '... on TextDelta { words: text at }',
      '...Status',
      '...Common',
      '... on TextReset { cause }',
    ),
    tie('selection').map((inner) => `... on TurnEvent ${inner}`),
    tie('selection').map((inner) => `... on TextDelta ${inner}`),
    tie('selection').map((inner) => `... on TextDelta @skip(if: $yes) ${inner}`),
    tie('selection').map((inner) => `... ${inner}`),
  ),
  selection: fc
    .array(tie('item'), { minLength: 1, maxLength: 4, depthIdentifier: 'selection' })
    .map((items) => `{ ${items.join(' ')} }`),
}));

describe('subscribing to a turn’s events', () => {
  it('gives what graphql-js gives, whatever is selected', async () => {
    await fc.assert(
      fc.asyncProperty(selection, fc.boolean(), async (selected, yes) => {
        const fragments =
          (selected.includes('...Status') ? 'fragment Status on StatusChanged { status detail } ' : '') +
          (selected.includes('...Common')
            ? 'fragment Common on TurnEvent { sequence ... on TextDelta { text } }'
            : '');
        const variables = selected.includes('$yes') ? '($yes: Boolean!)' : '';
        const query = `subscription ${variables} { turnEvents(turnId: "t") ${selected} } ${fragments}`;
        // Invalid queries do not reach the server, such as another type's fields in a TextDelta.
        fc.pre(validate(schema, parse(query)).length === 0);
        await checkSame(query, { yes });
      }),
    );
  });

  it('projects what clients ask for', () => {
    expect(
      isProjected(
        'subscription { turnEvents(turnId: "t") { __typename sequence ... on TextDelta { text } ... on TurnDone { usage { inputTokens } } } }',
      ),
    ).toBe(true);
  });

  it.each([
    [
      'directives',
      'subscription ($yes: Boolean!) { turnEvents(turnId: "t") { sequence ... on TextDelta { text @include(if: $yes) } } }',
    ],
    ['another operation', 'query { viewer { id } }'],
  ])('leaves %s to graphql-js', (_what, query) => {
    expect(isProjected(query)).toBe(false);
  });

  it('passes on that the events cannot be had', async () => {
    const { subscribe: before } = field;
    field.subscribe = () => Promise.reject(new Error('no such turn'));
    await checkSame('subscription { turnEvents(turnId: "t") { sequence } }');
    field.subscribe = before;
  });

  it('lets go of the events when it is returned, while they are waited for', async () => {
    const { subscribe: before } = field;
    let isReturned = false;
    field.subscribe = () => ({
      next: () => new Promise(() => undefined),
      return: () => {
        isReturned = true;
        return Promise.resolve({ done: true, value: undefined });
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    });
    const stream = await subscribeToEvents(argsOf('subscription { turnEvents(turnId: "t") { sequence } }'));
    if (!(Symbol.asyncIterator in stream)) throw new Error('There is no stream.');
    void stream.next();
    await stream.return?.(undefined);
    expect(isReturned).toBe(true);
    field.subscribe = before;
  });
});
