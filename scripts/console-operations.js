import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';

/**
 * The operations of the console by their hash, for a server that takes no others: in the very words in which it sends
 * them, which its client chooses. So the same client is asked for each of them here, and reaches nobody.
 */
export async function consoleOperations(root) {
  const sources = fs
    .globSync('web/src/**/*.{ts,tsx}', { cwd: root })
    .toSorted()
    .flatMap((file) =>
      [...fs.readFileSync(join(root, file), 'utf8').matchAll(/\bgraphql\(`([^`]*)`\)/g)].map(
        ([, source]) => source,
      ),
    );
  const texts = await textsSentFor(sources);
  const own = Object.fromEntries(
    texts.map((text) => [createHash('sha256').update(text).digest('hex'), text]),
  );
  const manifest = join(root, 'clients/js/src/generated/persisted-documents.json');
  return { ...JSON.parse(fs.readFileSync(manifest, 'utf8')), ...own };
}

async function textsSentFor(sources) {
  const { cacheExchange, Client, fetchExchange, gql, subscriptionExchange } = await import('@urql/core');
  const sent = [];
  const client = new Client({
    url: 'http://localhost/graphql',
    preferGetMethod: false,
    fetch: async (_url, { body }) => {
      sent.push(JSON.parse(body).query);
      return Response.json({ data: null });
    },
    exchanges: [
      cacheExchange,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query }) => ({
          subscribe: ({ next, complete }) => {
            sent.push(query);
            next({ data: null });
            complete();
            return { unsubscribe: () => undefined };
          },
        }),
      }),
    ],
  });
  const fragments = new Map(
    sources.flatMap((source) => {
      const [, name] = /^\s*fragment (\w+)/.exec(source) ?? [];
      return name === undefined ? [] : [[name, source]];
    }),
  );
  const documentOf = (source) => {
    const spread = [...source.matchAll(/\.\.\.(\w+)/g)].flatMap(([, name]) => fragments.get(name) ?? []);
    return gql(source, ...spread.map(documentOf));
  };
  for (const source of sources) {
    const [, kind] = /^\s*(query|mutation|subscription)\b/.exec(source) ?? [];
    if (kind) await client[kind](documentOf(source), {}).toPromise();
  }
  return sent;
}
