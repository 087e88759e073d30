import type { JsonObject } from '../../src/common/json.js';
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

export const tryToRemember = (
  client: TestClient,
  input: RememberInput,
): Promise<GraphQLAnswer<{ remember: MemoryView }>> => client.send(REMEMBER, { input });

export const remember = async (client: TestClient, input: RememberInput): Promise<MemoryView> =>
  (await client.get<{ remember: MemoryView }>(REMEMBER, { input })).remember;

export const tryToUpdate = (
  client: TestClient,
  id: string,
  changes: { content?: string | null; attributes?: unknown },
): Promise<GraphQLAnswer<{ updateMemory: MemoryView }>> => client.send(UPDATE, { id, ...changes });

export const update = async (
  client: TestClient,
  id: string,
  changes: { content?: string; attributes?: JsonObject },
): Promise<MemoryView> =>
  (await client.get<{ updateMemory: MemoryView }>(UPDATE, { id, ...changes })).updateMemory;

export const tryToForget = (client: TestClient, id: string): Promise<GraphQLAnswer<{ forget: string }>> =>
  client.send(FORGET, { id });

export const forget = async (client: TestClient, id: string): Promise<string> =>
  (await client.get<{ forget: string }>(FORGET, { id })).forget;

export const memoryNode = async (client: TestClient, id: string): Promise<MemoryView | null> =>
  (await client.get<{ node: MemoryView | null }>(NODE, { id })).node;

export const memoryPage = async (client: TestClient, variables: object = {}): Promise<MemoryPage> =>
  (await client.get<{ memories: MemoryPage }>(LIST_MEMORIES, variables)).memories;

export const memoriesOf = async (client: TestClient, variables: object = {}): Promise<MemoryView[]> =>
  (await memoryPage(client, { first: 100, ...variables })).edges.map(({ node }) => node);
