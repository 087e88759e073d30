import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';

import { lastOf, systemOf } from '../harness/provider-request.js';
import { startApp } from '../harness/start-app.js';

const EXAMPLE = './examples/plugin/plugin.ts';

/** All over the API: a package brings a skill and an assistant, and the product knows of neither. */
describe('a package', () => {
  it('brings a skill and an assistant that work as the product’s own', async () => {
    await using app = await startApp(
      [
        [toolCall('find_delivery_time', { postalCode: 'DK12' }), finish()],
        [text('Tomorrow.'), finish()],
        [toolCall('find_delivery_time', { postalCode: 'XX1' }), finish()],
        [text('Never.'), finish()],
      ],
      { PLUGINS: EXAMPLE },
    );
    const client = await app.client();
    const { assistants } = await client.get<{ assistants: { key: string; prompt: { version: number } }[] }>(
      '{ assistants { key prompt { version } } }',
    );
    expect(assistants).toContainEqual({ key: 'parcels', prompt: { version: 0 } });
    expect(assistants.map(({ key }) => key)).not.toContain('mefali');

    const { skills } = await client.get<{ skills: { key: string }[] }>(
      '{ skills { key kind assistants changes } }',
    );
    expect(skills).toContainEqual({
      key: 'find_delivery_time',
      kind: 'FUNCTION',
      assistants: ['parcels'],
      changes: 'NOTHING',
    });
    expect(skills.map(({ key }) => key)).not.toContain('calculate_carbon_footprint');

    const ask = async (message: string) =>
      client.allEvents((await client.ask(message, { assistantKey: 'parcels' })).turnId);
    const events = await ask('When is it in DK12?');
    expect(events).toContainEqual(
      expect.objectContaining({ __typename: 'SkillFinished', callStatus: 'SUCCEEDED', resultPreview: '1 d' }),
    );
    expect(systemOf(app.provider.requests[0]!)).toContain('You answer questions about parcels');
    // What a skill throws for the model to mend reaches it, also from a package.
    await ask('And XX1?');
    expect(lastOf(app.provider.requests.at(-1)!)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('Nothing is delivered to XX'),
    });
  });

  it('is not needed: without any, the product has its own skills and assistants', async () => {
    await using app = await startApp([], { PLUGINS: 'none' });
    const client = await app.client();
    const { assistants } = await client.get<{ assistants: { key: string }[] }>('{ assistants { key } }');
    expect(assistants.map(({ key }) => key)).toEqual(['bibliotheque', 'explorateur', 'solven', 'therese']);
  });

  it.each([
    ['@acme/none', /@acme\/none: it cannot be loaded \(.*@acme\/none/],
    ['./test/harness/post.ts', /post\.ts: plugin: /],
    [`${EXAMPLE},${EXAMPLE}`, /parcels: another assistant has the key parcels already/],
  ])('that cannot be used stops the start, and is named: %s', async (plugins, words) => {
    await expect(startApp([], { PLUGINS: plugins })).rejects.toThrow(words);
  });
});
