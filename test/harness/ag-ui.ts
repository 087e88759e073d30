import type { JsonObject } from '@palabre/json';

import type { TestClient } from './test-client.js';

/** An event of AG-UI as it comes over the wire. */
export type AgUiEvent = { type: string; metadata?: { sequence?: number } } & JsonObject;

export function postAgUi(
  client: TestClient,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${client.url}/ag-ui/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${client.token}`, ...headers },
    body: JSON.stringify(body),
  });
}

/** The frames of a stream: their ids and their events. */
export function framesIn(stream: string): { id: string | undefined; event: AgUiEvent }[] {
  return stream
    .split('\n\n')
    .filter((frame) => frame.includes('data: '))
    .map((frame) => ({
      id: /^id: (.*)$/m.exec(frame)?.[1],
      event: JSON.parse(/^data: (.*)$/m.exec(frame)![1]!) as AgUiEvent,
    }));
}

export function conversationIn(events: readonly AgUiEvent[]): string {
  return String((events.find(({ type }) => type === 'RUN_STARTED')!.metadata as JsonObject).conversationId);
}

/** The messages of the path that a conversation shows. */
export async function messagesOf(client: TestClient, conversationId: string) {
  const query = `query ($id: ID!) { conversation(id: $id) { messages(last: 50) { edges { node {
    id role text versions { id } } } } } }`;
  const { conversation } = await client.get<{
    conversation: {
      messages: { edges: { node: { id: string; role: string; text: string; versions: unknown[] } }[] };
    };
  }>(query, { id: conversationId });
  return conversation.messages.edges.map(({ node }) => node);
}
