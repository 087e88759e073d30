import fc from 'fast-check';

import { faultOf } from '../../skill-arguments.js';
import { isServerKey, keysOf, type McpTool, readListing } from './mcp-tools.js';

function listed(...tools: unknown[]) {
  return readListing(() => Promise.resolve({ tools }));
}
async function one(tool: Record<string, unknown>): Promise<McpTool | undefined> {
  return (await listed({ inputSchema: { type: 'object' }, ...tool })).tools[0];
}

describe('a tool', () => {
  it('has one paragraph, of at most 1,024 characters, without what cannot be seen', async () => {
    const description = `Reads\n\n a file.\u202e\0 ${'x'.repeat(2_000)}`;
    const tool = await one({ name: 'read', description });
    expect(tool?.description).toHaveLength(1_024);
    expect(tool?.description).toMatch(/^Reads a file\. x+…$/);
  });

  it.each([
    [{ name: 'read' }, 'read'],
    [{ name: 'read', title: 7 }, 'read'],
    [{ name: 'read', annotations: { title: 'Reader' } }, 'Reader'],
    [{ name: 'read', title: 'Read it', annotations: { title: 'Reader' } }, 'Read it'],
  ])('%j is called %s', async (tool, title) => {
    expect(await one(tool)).toMatchObject({ title });
  });

  it.each([
    [{ readOnlyHint: true }, true],
    [{ idempotentHint: true }, true],
    [{ readOnlyHint: 'yes' }, false],
    ['nonsense', false],
  ])('with annotations %j may be repeated, it says: %s', async (annotations, saysIdempotent) => {
    expect(await one({ name: 'read', annotations })).toMatchObject({ saysIdempotent });
  });

  it('that cannot be used is left out, with the reason, and the others stay', async () => {
    const good = { name: 'good', inputSchema: { type: 'object' } };
    const { tools, notes } = await listed(
      { name: 'bad', inputSchema: { type: 'string' } },
      good,
      { inputSchema: {} },
      7,
      good,
    );
    expect(tools.map(({ name }) => name)).toEqual(['good']);
    expect(notes).toEqual([
      'bad: The schema of its arguments is not of type object.',
      'A tool without a usable name.',
      'A tool without a usable name.',
      'good: There is another tool of this name.',
    ]);
  });

  it.each(['a\0b', 'a\ud800'])('is left out when a database could not hold its argument %j', async (name) => {
    const inputSchema = { type: 'object', properties: { [name]: { type: 'string' } } };
    const { tools, notes } = await listed(
      { name: 'bad', inputSchema },
      { name: 'good', inputSchema: { type: 'object' }, outputSchema: inputSchema },
    );
    expect(tools).toMatchObject([{ name: 'good', outputSchema: null }]);
    expect(notes).toEqual(['bad: Its schemas have a name that is not text.']);
  });

  it('is left out when it has to be carried out as a task', async () => {
    const research = { name: 'research', execution: { taskSupport: 'required' } };
    const { tools, notes } = await listed(
      research,
      { name: 'a', execution: { taskSupport: 'optional' } },
      { name: 'b', execution: 'soon' },
    );
    expect(tools.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(notes).toEqual(['research: Its calls have to be tasks, which are not used here.']);
  });

  it('is left out when its schema cannot be compiled, and not when it may be null', async () => {
    const properties = { a: { default: { type: 'text' } }, b: { $ref: '#/properties/a/default' } };
    const nullable = { anyOf: [{ type: 'string' }, { type: 'number' }], nullable: true };
    const { tools, notes } = await listed(
      { name: 'bad', inputSchema: { type: 'object', properties } },
      { name: 'good', inputSchema: { type: 'object', properties: { a: nullable } } },
    );
    expect(tools.map(({ name }) => name)).toEqual(['good']);
    expect(notes).toEqual(['bad: The schema of its arguments is not JSON Schema.']);
    expect(faultOf({ a: null }, tools[0]!.parameters)).toBeNull();
    expect(faultOf({ a: true }, tools[0]!.parameters)).toContain('a must be');
  });

  it('is used while the schemas of all of them are not too large', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 450 }, (_, index) => [`f${index}`, { type: 'string' }]),
    );
    const { tools, notes } = await listed(
      ...Array.from({ length: 20 }, (_, index) => ({
        name: `tool-${index}`,
        inputSchema: { type: 'object', properties },
      })),
    );
    expect(tools).toHaveLength(12);
    expect(notes).toEqual([
      'Only the first 12 tools are used: the schemas of their arguments are too large.',
    ]);
  });

  it('promises a form of results only when that can be made out', async () => {
    const promise = { type: 'object', properties: { sum: { type: 'number' } } };
    expect(await one({ name: 'add', outputSchema: promise })).toMatchObject({ outputSchema: promise });
    const elsewhere = { type: 'object', $ref: 'https://a.example/' };
    expect(await one({ name: 'add', outputSchema: elsewhere })).toMatchObject({ outputSchema: null });
  });

  it('is used while all of them together are not too large', async () => {
    const large = (name: string) => ({ name, inputSchema: { type: 'object' }, other: 'x'.repeat(1_500_000) });
    const { tools, notes } = await listed(large('a'), large('b'));
    expect(tools.map(({ name }) => name)).toEqual(['a']);
    expect(notes).toEqual([expect.stringContaining('Only the first 1')]);
  });
});

describe('the keys of tools', () => {
  it.each([
    ['get-sum', 'files__get-sum'],
    ['résumé.read', 'files__resume_read'],
    ['讀取', 'files___'],
    ['x'.repeat(100), `files__${'x'.repeat(57)}`],
  ])('%s becomes %s', (name, key) => {
    expect(keysOf('files', [name]).get(name)).toBe(key);
  });

  it('are numbered where two would be the same, whatever the order', () => {
    const names = ['a.b', 'a_b', 'a/b', 'x'.repeat(80), 'x'.repeat(90)];
    const keys = keysOf('s', names);
    expect(keys.get('a_b')).toBe('s__a_b');
    expect([keys.get('a.b'), keys.get('a/b')]).toEqual(['s__a_b_2', 's__a_b_3']);
    expect(keysOf('s', names.toReversed())).toEqual(keys);
  });

  it('stay those of the tools that had them, also while these are gone', () => {
    const kept = new Map([
      ['a_b', 's__a_b'],
      ['a.b', 's__a_b_2'],
    ]);
    expect(keysOf('s', ['a.b', 'a/b', 'c'], kept)).toEqual(
      new Map([
        ['c', 's__c'],
        ['a.b', 's__a_b_2'],
        ['a/b', 's__a_b_3'],
      ]),
    );
    expect(keysOf('s', ['a_b'], new Map([['a.b', 's__a_b']])).get('a_b')).toBe('s__a_b_2');
  });

  it('are fit for models and each one’s own', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1, unit: 'binary' }), { maxLength: 30 }), (names) => {
        const keys = [...keysOf('my-server', names).values()];
        expect(keys.every((key) => /^[A-Za-z0-9_-]{1,64}$/.test(key))).toBe(true);
        expect(new Set(keys).size).toBe(names.length);
      }),
    );
  });
});

it.each([
  ['github', true],
  ['my-server_2', true],
  ['', false],
  ['a__b', false],
  ['a_', false],
  ['-a', false],
  ['a b', false],
  ['x'.repeat(31), false],
])('%j is the key of a server: %s', (key, expected) => {
  expect(isServerKey(key)).toBe(expected);
});
