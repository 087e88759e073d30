import type { GraphQLAnswer } from './test-client.js';

export interface Posted extends GraphQLAnswer<unknown> {
  status: number;
}

/** Sends a body as it is, well-formed or not, and gives what came back as JSON. */
export async function post(url: string, body: string, headers: Record<string, string> = {}): Promise<Posted> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return { ...((await response.json()) as GraphQLAnswer<unknown>), status: response.status };
}
