import type { JsonObject } from '@palabre/json';

/** What the model was sent, as far as tests look at it. */
export interface ProviderRequest {
  messages: {
    role: 'system' | 'user' | 'assistant' | 'tool';
    content: string;
    tool_call_id?: string;
    tool_calls?: { function: { name: string } }[];
  }[];
  tools?: { function: { name: string; parameters?: JsonObject } }[];
  /** Of chat completions, or of the Responses API. */
  tool_choice?: { function?: { name: string }; name?: string };
}

export function readRequest(body: JsonObject | undefined): ProviderRequest {
  return body as unknown as ProviderRequest;
}

/** What was said before the model speaks, without the system's message: who and what, in order. */
export function spokenIn(body: JsonObject | undefined): string[] {
  return readRequest(body)
    .messages.filter(({ role }) => role !== 'system')
    .map(({ role, content }) => `${role}: ${content}`);
}

export function systemOf(body: JsonObject | undefined): string {
  return readRequest(body).messages.find(({ role }) => role === 'system')?.content ?? '';
}

/** The user's last message, and before it what is remembered. */
export function questionOf(body: JsonObject | undefined): string {
  return readRequest(body).messages.findLast(({ role }) => role === 'user')?.content ?? '';
}

export function toolsOf(body: JsonObject | undefined): string[] {
  return (readRequest(body).tools ?? []).map(({ function: { name } }) => name);
}

/** The last message: the question, or the result of a skill. */
export function lastOf(body: JsonObject | undefined): ProviderRequest['messages'][number] {
  return readRequest(body).messages.at(-1) ?? { role: 'system', content: '' };
}

/** What a skill told the model: the JSON between the marks that say that it is data. */
export function resultIn(content: string): unknown {
  const [, json] = /^<result skill="[^"]*">\n(.*)\n<\/result>$/s.exec(content) ?? [];
  if (json === undefined) throw new Error(`This is no result of a skill: ${content}`);
  return JSON.parse(json);
}

/** What a model is asked for once a turn is over: its tool is chosen for it. */
export const upkeepTools = ['keep_summary', 'name_conversation', 'note_memories'] as const;

export function isUpkeep(body: JsonObject): boolean {
  const { tool_choice: choice } = readRequest(body);
  const chosen = choice?.function?.name ?? choice?.name;
  return upkeepTools.some((tool) => tool === chosen);
}
