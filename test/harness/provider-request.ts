import type { JsonObject } from '../../src/common/json.js';

/** What the model was sent, as far as tests look at it. */
export interface ProviderRequest {
  messages: {
    role: 'system' | 'user' | 'assistant' | 'tool';
    content: string;
    tool_call_id?: string;
    tool_calls?: { function: { name: string } }[];
  }[];
  tools?: { function: { name: string; parameters?: JsonObject } }[];
  tool_choice?: { function?: { name: string } };
}

export const readRequest = (body: JsonObject | undefined): ProviderRequest =>
  body as unknown as ProviderRequest;

/** What was said before the model speaks, without the system's message: who and what, in order. */
export const spokenIn = (body: JsonObject | undefined): string[] =>
  readRequest(body)
    .messages.filter(({ role }) => role !== 'system')
    .map(({ role, content }) => `${role}: ${content}`);

export const systemOf = (body: JsonObject | undefined): string =>
  readRequest(body).messages.find(({ role }) => role === 'system')?.content ?? '';

export const toolsOf = (body: JsonObject | undefined): string[] =>
  (readRequest(body).tools ?? []).map(({ function: { name } }) => name);

/** The last message: the question, or the result of a skill. */
export const lastOf = (body: JsonObject | undefined): ProviderRequest['messages'][number] =>
  readRequest(body).messages.at(-1) ?? { role: 'system', content: '' };

/** What a skill told the model: the JSON between the marks that say that it is data. */
export const resultIn = (content: string): unknown => {
  const [, json] = /^<result skill="[^"]*">\n(.*)\n<\/result>$/s.exec(content) ?? [];
  if (json === undefined) throw new Error(`This is no result of a skill: ${content}`);
  return JSON.parse(json);
};
