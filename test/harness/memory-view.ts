import type { JsonObject } from '@palabre/json';

import type { GraphQLAnswer, TestClient } from './test-client.js';

const FIELDS = `id kind subject content attributes active shared source sourceMessageId validFrom supersededBy createdAt
  history { id content supersededBy }`;
const REMEMBER = `mutation ($input: RememberInput!) { remember(input: $input) { ${FIELDS} } }`;
const UPDATE = `mutation ($id: ID!, $content: String, $attributes: JSON) {
  updateMemory(id: $id, content: $content, attributes: $attributes) { ${FIELDS} } }`;
const FORGET = 'mutation ($id: ID!) { forget(id: $id) }';
const NODE = `query ($id: ID!) { node(id: $id) { __typename ... on Memory { ${FIELDS} } } }`;
export const LIST_MEMORIES = `query ($kind: MemoryKind, $active: Boolean, $first: Int, $after: String) {
  memories(kind: $kind, active: $active, first: $first, after: $after) {
    edges { cursor node { ${FIELDS} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;

export interface MemoryView {
  id: string;
  kind: string;
  subject: string;
  content: string;
  attributes: JsonObject;
  active: boolean;
  shared: boolean;
  source: string;
  sourceMessageId: string | null;
  validFrom: string;
  supersededBy: string | null;
  createdAt: string;
  history: { id: string; content: string; supersededBy: string | null }[];
}

export interface MemoryPage {
  edges: { cursor: string; node: MemoryView }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
}

export interface RememberInput {
  kind: string;
  subject: string;
  content: string;
  attributes?: unknown;
  shared?: boolean | null;
}

export function tryToRemember(
  client: TestClient,
  input: RememberInput,
): Promise<GraphQLAnswer<{ remember: MemoryView }>> {
  return client.send(REMEMBER, { input });
}

export async function remember(client: TestClient, input: RememberInput): Promise<MemoryView> {
  return (await client.get<{ remember: MemoryView }>(REMEMBER, { input })).remember;
}

export function tryToUpdate(
  client: TestClient,
  id: string,
  changes: { content?: string | null; attributes?: unknown },
): Promise<GraphQLAnswer<{ updateMemory: MemoryView }>> {
  return client.send(UPDATE, { id, ...changes });
}

export async function update(
  client: TestClient,
  id: string,
  changes: { content?: string; attributes?: JsonObject },
): Promise<MemoryView> {
  return (await client.get<{ updateMemory: MemoryView }>(UPDATE, { id, ...changes })).updateMemory;
}

export function tryToForget(client: TestClient, id: string): Promise<GraphQLAnswer<{ forget: string }>> {
  return client.send(FORGET, { id });
}

export async function forget(client: TestClient, id: string): Promise<string> {
  return (await client.get<{ forget: string }>(FORGET, { id })).forget;
}

export async function memoryNode(client: TestClient, id: string): Promise<MemoryView | null> {
  return (await client.get<{ node: MemoryView | null }>(NODE, { id })).node;
}

export async function memoryPage(client: TestClient, variables: object = {}): Promise<MemoryPage> {
  return (await client.get<{ memories: MemoryPage }>(LIST_MEMORIES, variables)).memories;
}

export async function memoriesOf(client: TestClient, variables: object = {}): Promise<MemoryView[]> {
  return (await memoryPage(client, { first: 100, ...variables })).edges.map(({ node }) => node);
}
