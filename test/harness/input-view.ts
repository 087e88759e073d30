import type { JsonObject } from '@palabre/json';

import type { GraphQLAnswer, TestClient, WireEvent } from './test-client.js';

const FIELDS = `__typename id turnId kind status expiresAt askedByName askedIn
  ... on Approval { skill arguments }
  ... on Question { prompt responseSchema }
  ... on ClientSkillCall { callId skill arguments }
  ... on McpInputRequest { server message schema: responseSchema url }`;
export const ANSWER = `mutation ($input: AnswerInputInput!) { answerInput(input: $input) { ${FIELDS} } }`;
const PENDING = `query ($turnId: ID, $first: Int, $after: String) {
  pendingInputs(turnId: $turnId, first: $first, after: $after) {
    edges { cursor node { ${FIELDS} } } pageInfo { hasNextPage } } }`;

export interface InputView extends JsonObject {
  __typename: string;
  id: string;
  turnId: string;
  kind: string;
  status: string;
  expiresAt: string;
}

interface InputPage {
  edges: { cursor: string; node: InputView }[];
  pageInfo: { hasNextPage: boolean };
}

export async function answerInput(client: TestClient, input: object): Promise<InputView> {
  return (await client.get<{ answerInput: InputView }>(ANSWER, { input })).answerInput;
}

/** The refusal of an answer: its code, the argument that it is about, and how it stands. */
export async function refusalOf(client: TestClient, input: object): Promise<object | undefined> {
  const { errors }: GraphQLAnswer<unknown> = await client.send(ANSWER, { input });
  const { code, argument, status }: Record<string, unknown> = errors?.[0]?.extensions ?? {};
  return { code, ...(argument !== undefined && { argument }), ...(status !== undefined && { status }) };
}

export async function pendingInputs(client: TestClient, variables: object = {}): Promise<InputPage> {
  return (await client.get<{ pendingInputs: InputPage }>(PENDING, { ...variables })).pendingInputs;
}

export async function inputsOf(client: TestClient, turnId: string): Promise<InputView[]> {
  const query = `query ($turnId: ID!) { turn(id: $turnId) { pendingInputs { ${FIELDS} } } }`;
  return (await client.get<{ turn: { pendingInputs: InputView[] } }>(query, { turnId })).turn.pendingInputs;
}

/** Follows a turn until it waits for people, and gives what they are asked. */
export async function untilAsked(client: TestClient, turnId: string): Promise<InputView[]> {
  const asked: InputView[] = [];
  for await (const event of client.turnEvents(turnId)) {
    if (event.input ?? event.approval) asked.push((event.input ?? event.approval) as InputView);
    if (String(event.status).startsWith('WAITING')) return asked;
  }
  throw new Error('The turn has ended without waiting for anybody.');
}

export function skillEnd(events: readonly WireEvent[]): WireEvent | undefined {
  return events.find(({ __typename }) => __typename === 'SkillFinished');
}

/** What has to hold of the events of any turn: what is asked for is resolved once, later, and before the turn's end. */
export function checkInputs(events: readonly WireEvent[]): void {
  const asked = events.flatMap(({ input, approval, sequence }) => {
    const { id } = (input ?? approval ?? {}) as Partial<InputView>;
    return id === undefined ? [] : [{ id, sequence }];
  });
  const resolved = events.filter(({ __typename }) => __typename === 'InputResolved');
  expect(resolved.map(({ inputId }) => inputId).toSorted()).toEqual(asked.map(({ id }) => id).toSorted());
  for (const { id, sequence } of asked) {
    expect(resolved.find(({ inputId }) => inputId === id)?.sequence).toBeGreaterThan(sequence);
  }
}
