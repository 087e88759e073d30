import type { JsonObject } from '@palabre/json';

import { isUpkeep, readRequest } from './provider-request.js';
import { askedIn } from './script-book.js';
import type { TestApp } from './start-app.js';
import type { TestClient, WireEvent } from './test-client.js';

/** A skill as the API shows it. */
export interface SkillView {
  id: string;
  key: string;
  name: string;
  description: string;
  kind: string;
  category: string | null;
  own: boolean;
  active: boolean;
  available: boolean;
  unavailableReason: string | null;
  leastRole: string;
  assistants: string[] | null;
  warnings: string[];
}

const FIELDS = `id key name description kind category own active available unavailableReason leastRole assistants
  warnings`;

export const SET_ACTIVE = `mutation ($key: String!, $active: Boolean!) {
  setSkillActive(key: $key, active: $active) { ${FIELDS} } }`;
export const SET_ACCESS = `mutation ($key: String!, $leastRole: Role!, $assistants: [String!]) {
  setSkillAccess(key: $key, leastRole: $leastRole, assistants: $assistants) { ${FIELDS} } }`;
export const REGISTER_HTTP = `mutation ($input: RegisterHttpSkillInput!) { registerHttpSkill(input: $input) { id key } }`;

export async function skillsOf(client: TestClient): Promise<SkillView[]> {
  return (await client.get<{ skills: SkillView[] }>(`{ skills { ${FIELDS} } }`)).skills;
}

/** The skill of this key; undefined when the company has none. */
export async function skillOf(client: TestClient, key: string): Promise<SkillView | undefined> {
  return (await skillsOf(client)).find((skill) => skill.key === key);
}

export function setActive(client: TestClient, key: string, active: boolean): Promise<unknown> {
  return client.get(SET_ACTIVE, { key, active });
}

/** Has a skill carried out without anybody being asked, whatever it does. */
export function unasked(client: TestClient, key: string): Promise<unknown> {
  return client.get('mutation ($key: String!) { setSkillApproval(key: $key, required: false) { key } }', {
    key,
  });
}

/** What became of the skills of a turn, an event a word: `SkillFinished load_skill FAILED`. */
export function skillStory(events: readonly WireEvent[]): string[] {
  return events
    .filter(({ skill }) => skill !== undefined)
    .map(({ __typename, skill, callStatus }) =>
      [__typename, skill, callStatus].filter((word) => typeof word === 'string').join(' '),
    );
}

/** The model calls that were made to answer a question, in order. */
export function requestsFor(app: Pick<TestApp, 'provider'>, question: string): JsonObject[] {
  return app.provider.requests.filter((body) => askedIn(body).question === question && !isUpkeep(body));
}

/** The packs that a model call may load. */
export function loadableIn(body: JsonObject | undefined): unknown {
  const { parameters } =
    readRequest(body).tools?.find(({ function: tool }) => tool.name === 'load_skill')?.function ?? {};
  const properties = parameters?.['properties'] as { skill: { enum?: string[] } } | undefined;
  return properties?.skill.enum ?? null;
}

/** The packs whose instructions stand in a system message. */
export function loadedIn(system: string): string[] {
  return Array.from(system.matchAll(/<skill_content name="([^"]*)">/g), ([, key = '']) => key);
}
