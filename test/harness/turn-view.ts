import type { TestClient } from './test-client.js';

/** A turn as its asker can query it. */
export interface TurnView {
  id: string;
  status: string;
  finishReason: string | null;
  lastSequence: number;
  error: { code: string; message: string; retryable: boolean } | null;
  question: { id: string; text: string };
  answer: { id: string; text: string; status: string } | null;
  skillCalls: { id: string; skill: string; status: string; resultPreview: string | null }[];
  usage: { modelCalls: number; skillCalls: number; inputTokens: number };
}

export const TURN_FIELDS = `id status finishReason lastSequence error { code message retryable }
  question { id text } answer { id text status } skillCalls { id skill status resultPreview }
  usage { modelCalls skillCalls inputTokens }`;

export async function turnOf(client: TestClient, id: string): Promise<TurnView> {
  return (
    await client.get<{ turn: TurnView }>(`query ($id: ID!) { turn(id: $id) { ${TURN_FIELDS} } }`, { id })
  ).turn;
}

export async function cancelTurn(client: TestClient, id: string): Promise<TurnView> {
  return (
    await client.get<{ cancelTurn: TurnView }>(
      `mutation ($id: ID!) { cancelTurn(id: $id) { ${TURN_FIELDS} } }`,
      { id },
    )
  ).cancelTurn;
}

/** What was said in a conversation, in its order. */
export async function messagesOf(client: TestClient, id: string): Promise<string[]> {
  const { conversation } = await client.get<{
    conversation: { messages: { edges: { node: { role: string; status: string; text: string } }[] } };
  }>(
    `query ($id: ID!) { conversation(id: $id) { messages(first: 100) { edges { node { role status text } } } } }`,
    { id },
  );
  return conversation.messages.edges.map(({ node: { role, status, text } }) => `${role} ${status}: ${text}`);
}
