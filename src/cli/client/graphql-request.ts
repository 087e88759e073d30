import { z } from 'zod';

import { GraphQLErrors, refusalOf } from './request-refused.js';
import { ServerUnreachable } from './server-unreachable.js';

const TIMEOUT_MS = 30_000;
const MAX_CHARACTERS = 1_000_000;

const Answer = z.union([z.object({ errors: GraphQLErrors }), z.object({ data: z.looseObject({}) })]);

/** Sends one query or mutation and gives its data, unchecked. */
export const graphqlRequest = async (endpoint: string, token: string, body: object): Promise<object> => {
  const { status, text } = await post(endpoint, token, JSON.stringify(body));
  const answer = Answer.safeParse(parsedOrNull(text));
  // GraphQL tells what is not found with another status: this address is none of ours, though Palabre may be near.
  if (!answer.success || status === 404) {
    throw new ServerUnreachable(`What answers at ${endpoint} is no Palabre server (HTTP ${status}).`);
  }
  if ('errors' in answer.data) throw refusalOf(answer.data.errors);
  return answer.data.data;
};

const post = async (
  endpoint: string,
  token: string,
  body: string,
): Promise<{ status: number; text: string }> => {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/graphql-response+json, application/json',
    authorization: `Bearer ${token}`,
  };
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(endpoint, { method: 'POST', headers, body, signal });
    return { status: response.status, text: await limitedText(response) };
  } catch (error) {
    throw new ServerUnreachable(
      `No Palabre server answers at ${new URL(endpoint).origin}: start one with npm start, or set PALABRE_URL.`,
      { cause: error },
    );
  }
};

const limitedText = async (response: Response): Promise<string> => {
  let text = '';
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (text.length > MAX_CHARACTERS)
      throw new Error(`The answer is longer than ${MAX_CHARACTERS} characters.`);
  }
  return text;
};

const parsedOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
