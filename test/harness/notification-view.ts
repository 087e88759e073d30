import { NotificationStream } from '../../src/companies/notifications/notifications.service.js';
import type { TestClient } from './test-client.js';

const FIELDS = 'id kind title body readAt createdAt turn { id status }';
export const LIST = `query ($first: Int, $after: String, $unreadOnly: Boolean) {
  notifications(first: $first, after: $after, unreadOnly: $unreadOnly) {
    edges { cursor node { ${FIELDS} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
export const ADDED = `subscription ($after: String) { notificationAdded(after: $after) { ${FIELDS} } }`;

export interface NotificationView {
  id: string;
  kind: string;
  title: string;
  body: string;
  readAt: string | null;
  createdAt: string;
  turn: { id: string; status: string } | null;
}
export interface NotificationPage {
  edges: { cursor: string; node: NotificationView }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
}

export async function identityOf(client: TestClient): Promise<{ id: string; companyId: string }> {
  const { viewer } = await client.get<{ viewer: { id: string; company: { id: string } } }>(
    '{ viewer { id company { id } } }',
  );
  return { id: viewer.id, companyId: viewer.company.id };
}

export async function notificationsOf(client: TestClient, variables: object = {}): Promise<NotificationPage> {
  return (await client.get<{ notifications: NotificationPage }>(LIST, variables)).notifications;
}

export function titlesOf({ edges }: NotificationPage): string[] {
  return edges.map(({ node }) => node.title);
}

/** Streams that tell nothing when they begin. */
type SilentStream = { begin(after?: string | null): Promise<SilentStream> };

/** Resolves once everything that happens from then on will be told to whoever follows next. */
export function nextBegun(of: { prototype: SilentStream } = NotificationStream): Promise<void> {
  const begun = Promise.withResolvers<void>();
  const { begin } = of.prototype;
  vi.spyOn(of.prototype, 'begin').mockImplementationOnce(async function (this: SilentStream, after) {
    const stream = await begin.call(this, after);
    begun.resolve();
    return stream;
  });
  return begun.promise;
}

/** `after`: see notificationAdded. */
export async function follow(
  client: TestClient,
  after: string | null = null,
): Promise<AsyncGenerator<NotificationView, void>> {
  const begun = nextBegun();
  const results = client
    .socket()
    .iterate<{ notificationAdded: NotificationView }>({ query: ADDED, variables: { after } });
  const first = results.next();
  await Promise.race([begun, first]);
  return (async function* () {
    try {
      for (let next = await first; !next.done; next = await results.next()) {
        const { data, errors } = next.value;
        if (errors || !data) throw new Error(JSON.stringify(errors));
        yield data.notificationAdded;
      }
    } finally {
      await results.return?.();
    }
  })();
}

export async function take(
  told: AsyncGenerator<NotificationView, void>,
  count: number,
): Promise<NotificationView[]> {
  const seen: NotificationView[] = [];
  while (seen.length < count) {
    const { value, done } = await told.next();
    if (done) throw new Error('The subscription has completed.');
    seen.push(value);
  }
  return seen;
}
