import type { GraphQLAnswer, TestClient } from './test-client.js';

const FIELDS = `text tokens budget omitted cached
  items { section text tokens score memory { id subject } messages { id text } }`;
const CONTEXT = `query ($message: String!, $conversationId: ID, $assistantKey: String) {
  memoryContext(message: $message, conversationId: $conversationId, assistantKey: $assistantKey) { ${FIELDS} } }`;
const PIN = `mutation ($conversationId: ID!, $memoryId: ID) {
  pinProject(conversationId: $conversationId, memoryId: $memoryId) { id activeProject { id subject } } }`;
const ACTIVE = `query ($id: ID!) { conversation(id: $id) { activeProject { id subject content } } }`;

export interface ContextView {
  text: string;
  tokens: number;
  budget: number;
  omitted: number;
  cached: boolean;
  items: {
    section: string;
    text: string;
    tokens: number;
    score: number;
    memory: { id: string; subject: string } | null;
    messages: { id: string; text: string }[];
  }[];
}

export interface Asked {
  conversationId?: string | null;
  assistantKey?: string | null;
}

interface ProjectView {
  id: string;
  subject: string;
}

export function tryContext(
  client: TestClient,
  message: string,
  asked: Asked = {},
): Promise<GraphQLAnswer<{ memoryContext: ContextView }>> {
  return client.send(CONTEXT, { message, ...asked });
}

export async function contextOf(
  client: TestClient,
  message: string,
  asked: Asked = {},
): Promise<ContextView> {
  return (await client.get<{ memoryContext: ContextView }>(CONTEXT, { message, ...asked })).memoryContext;
}

/** What is told, by section. */
export function toldIn({ items }: ContextView): Record<string, string[]> {
  return Object.fromEntries(
    [...Map.groupBy(items, ({ section }) => section)].map(([section, told]) => [
      section,
      told.flatMap(({ memory, messages }) => memory?.subject ?? messages.map(({ text }) => text)),
    ]),
  );
}

export function tryToPin(
  client: TestClient,
  conversationId: string,
  memoryId: string | null,
): Promise<GraphQLAnswer<{ pinProject: { id: string; activeProject: ProjectView | null } }>> {
  return client.send(PIN, { conversationId, memoryId });
}

export async function pin(
  client: TestClient,
  conversationId: string,
  memoryId: string | null,
): Promise<ProjectView | null> {
  return (
    await client.get<{ pinProject: { activeProject: ProjectView | null } }>(PIN, { conversationId, memoryId })
  ).pinProject.activeProject;
}

export async function activeProjectOf(
  client: TestClient,
  id: string,
): Promise<(ProjectView & { content: string }) | null> {
  return (
    await client.get<{ conversation: { activeProject: (ProjectView & { content: string }) | null } }>(
      ACTIVE,
      {
        id,
      },
    )
  ).conversation.activeProject;
}
