import { ConversationStream } from '../../src/conversations/conversation-stream.js';
import { nextBegun } from './notification-view.js';
import type { TestClient } from './test-client.js';

/** A conversation as a list of them shows it. */
export interface ListedView {
  id: string;
  title: string | null;
  archived: boolean;
  pinned: boolean;
  head: { text: string } | null;
  activeTurn: { id: string; status: string } | null;
}

export const LISTED = 'id title archived pinned head { text } activeTurn { id status }';
export const ONE_CHANGED = `subscription ($id: ID!) { changed: conversationChanged(id: $id) { ${LISTED} } }`;
export const ANY_CHANGED = `subscription { changed: conversationsChanged { ${LISTED} } }`;
export const DELETED = 'subscription { changed: conversationDeleted }';

/** Follows changes from when this resolves. */
export async function followChanges<Told>(
  client: TestClient,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<AsyncGenerator<Told, void>> {
  const begun = nextBegun(ConversationStream);
  const results = client.socket().iterate<{ changed: Told }>({ query, variables });
  const first = results.next();
  await Promise.race([begun, first]);
  return (async function* () {
    try {
      for (let next = await first; !next.done; next = await results.next()) {
        const { data, errors } = next.value;
        if (errors || !data) throw new Error(JSON.stringify(errors));
        yield data.changed;
      }
    } finally {
      await results.return?.();
    }
  })();
}

/** The first that is told and meets `isWanted`: what is told before may be an earlier state. */
export async function nextThat<Told>(
  told: AsyncGenerator<Told, void>,
  isWanted: (one: Told) => boolean,
): Promise<Told> {
  for (;;) {
    const { value, done } = await told.next();
    if (done) throw new Error('The subscription has completed.');
    if (isWanted(value)) return value;
  }
}
