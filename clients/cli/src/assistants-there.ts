import { type Palabre, PalabreError } from '@palabre/client';

interface Assistants {
  assistantsConnection: { edges: { node: { key: string; archived: boolean } }[] };
}

const assistants = `query Assistants {
  assistantsConnection(first: 100) { edges { node { key archived } } }
}`;

/** What to say besides, where the server says of the assistant that it is wrong or missing; else null. */
export async function assistantsThere(client: Palabre, error: unknown): Promise<string | null> {
  if (!(error instanceof PalabreError) || error.extensions['argument'] !== 'input.assistantKey') return null;
  const { assistantsConnection } = await client.request<Assistants, object>(assistants, {});
  const open = assistantsConnection.edges.filter(({ node }) => !node.archived);
  return `--assistant is one of: ${open.map(({ node }) => node.key).join(', ')}.\n`;
}
