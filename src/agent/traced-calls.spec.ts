import type { ChatPart, ChatRequest } from '@palabre/llm-client';

import { RecordedTracing } from '../platform/tracing/recorded-tracing.double.js';
import { within } from '../platform/tracing/span.js';
import { InputNeeded } from '../skills/skill.js';
import { tracedModelCall, tracedSkillCall } from './traced-calls.js';

const request: ChatRequest & { model: string } = {
  model: 'm',
  messages: [
    { role: 'user', content: 'My key is sk-0123456789abcdef' },
    { role: 'tool', toolCallId: 'c', content: '{"password":"hidden","city":"Dakar"}' },
  ],
  tools: [],
  maxOutputTokens: 10,
};
const usage = { inputTokens: 3, outputTokens: 2, cachedInputTokens: 1, source: 'PROVIDER' as const };

async function* answer(): AsyncGenerator<ChatPart> {
  yield { type: 'text', text: 'Oui.' };
  yield { type: 'finish', reason: 'stop', usage, model: 'm-2' };
}

async function call(tracing: RecordedTracing, purpose: 'ANSWER' | 'PLAN'): Promise<ChatPart[]> {
  const parts = within(tracing.receive(null), () => tracedModelCall({ ...request, purpose }, answer));
  return Array.fromAsync(parts);
}

it('tells what a model call is about, and nothing of what is said', async () => {
  const tracing = new RecordedTracing();
  expect(await call(tracing, 'ANSWER')).toEqual(await Array.fromAsync(answer()));
  const [span, ...others] = tracing.spans();
  expect(others).toEqual([]);
  expect(span?.attributes).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'm',
    'gen_ai.request.max_tokens': 10,
    'gen_ai.request.stream': true,
    'gen_ai.output.type': 'text',
    'gen_ai.response.model': 'm-2',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.response.time_to_first_chunk': expect.any(Number),
    'gen_ai.usage.input_tokens': 3,
    'gen_ai.usage.output_tokens': 2,
    'gen_ai.usage.cache_read.input_tokens': 1,
  });
});

it('has a call that plans in the span of a plan', async () => {
  const tracing = new RecordedTracing();
  await call(tracing, 'PLAN');
  expect(tracing.tree(tracing.span('plan').spanContext().traceId)).toBe('plan\n  chat m');
});

it('tells what is said where that is asked for, without secrets', async () => {
  const tracing = new RecordedTracing({ capturesContent: true });
  await call(tracing, 'ANSWER');
  const { attributes } = tracing.span('chat m');
  expect(JSON.parse(String(attributes['gen_ai.input.messages']))).toEqual([
    { role: 'user', parts: [{ type: 'text', content: 'My key is [redacted]' }] },
    {
      role: 'tool',
      parts: [{ type: 'tool_call_response', id: 'c', response: { password: '[redacted]', city: 'Dakar' } }],
    },
  ]);
  expect(JSON.parse(String(attributes['gen_ai.output.messages']))).toEqual([
    { role: 'assistant', parts: [{ type: 'text', content: 'Oui.' }], finish_reason: 'stop' },
  ]);
});

it('hears the text that goes past the reader', async () => {
  const tracing = new RecordedTracing({ capturesContent: true });
  const taken: string[] = [];
  const textSink = { isReady: true, take: (text: string) => void taken.push(text) };
  await within(tracing.receive(null), () =>
    Array.fromAsync(
      tracedModelCall({ ...request, textSink }, async function* (sent) {
        sent.textSink?.take('Oui.');
        yield { type: 'finish', reason: 'stop', usage, model: null };
      }),
    ),
  );
  expect(taken).toEqual(['Oui.']);
  expect(tracing.span('chat m').attributes['gen_ai.output.messages']).toContain('"Oui."');
});

it('costs nothing where nothing is traced', () => {
  const parts = answer();
  expect(tracedModelCall(request, () => parts)).toBe(parts);
});

const skill = { callId: 'c', key: 'look_up', arguments: '{"name":"Awa"}' };

it.each<[string, () => Promise<{ status: 'SUCCEEDED' | 'FAILED'; result: string }>, unknown]>([
  ['has succeeded', () => Promise.resolve({ status: 'SUCCEEDED', result: '{}' }), undefined],
  ['has failed', () => Promise.resolve({ status: 'FAILED', result: '{}' }), 'SKILL_FAILED'],
  ['broke off', () => Promise.reject(new DOMException('Stop', 'AbortError')), expect.anything()],
  ['needs a person', () => Promise.reject(new InputNeeded([], null)), undefined],
])('tells of a skill call that %s', async (_, work, failure) => {
  const tracing = new RecordedTracing();
  const traced = within(tracing.receive(null), () => tracedSkillCall(skill, work));
  const [outcome, expected] = await Promise.allSettled([traced, work()]);
  expect(outcome).toEqual(expected);
  const { attributes } = tracing.span('execute_tool look_up');
  expect(attributes).toMatchObject({ 'gen_ai.tool.name': 'look_up', 'gen_ai.tool.call.id': 'c' });
  expect(attributes['error.type']).toEqual(failure);
  expect(attributes).not.toHaveProperty('gen_ai.tool.call.arguments');
});
