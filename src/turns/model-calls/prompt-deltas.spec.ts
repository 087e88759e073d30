import fc from 'fast-check';

import type { ChatMessage } from '../../llm/chat-model.js';
import { PromptDeltas, wholePrompts } from './prompt-deltas.js';

const word = fc.constantFrom('a', 'b');

const message: fc.Arbitrary<ChatMessage> = fc.oneof(
  fc.record({ role: fc.constant('system' as const), content: word }),
  fc.record({ role: fc.constant('user' as const), content: word }),
  fc.record({
    role: fc.constant('assistant' as const),
    content: word,
    toolCalls: fc.array(fc.record({ id: word, name: word, arguments: word }), { maxLength: 2 }),
  }),
  fc.record({ role: fc.constant('tool' as const), toolCallId: word, content: word }),
);

const own = fc.constantFrom('ANSWER', 'PLAN', 'SYNTHESIS');
const aside = fc.constantFrom('SUMMARY', 'TITLE', 'MEMORY', 'ANALYSIS');
const prompt = fc.array(message, { maxLength: 6 });
const call = fc.oneof(
  fc.record({ purpose: own, prompt, isAside: fc.constant(false) }),
  fc.record({ purpose: aside, prompt, isAside: fc.constant(true) }),
);

it('gives every prompt back, whatever was called beside the turn between them', () => {
  fc.assert(
    fc.property(fc.array(call, { maxLength: 6 }), (calls) => {
      const deltas = new PromptDeltas();
      const stored = calls.map(({ purpose, prompt: messages, isAside }) =>
        isAside ? { purpose, kept: 0, messages } : { purpose, ...deltas.next(messages) },
      );
      expect(wholePrompts(stored)).toEqual(calls.map(({ prompt: messages }) => messages));
    }),
  );
});

it('stores of a longer prompt only what was added, also when it was built anew', () => {
  const system: ChatMessage = { role: 'system', content: 'long' };
  const question: ChatMessage = { role: 'user', content: 'q' };
  const asked: ChatMessage = {
    role: 'assistant',
    content: '',
    toolCalls: [{ id: '1', name: 'n', arguments: '{}' }],
  };
  const deltas = new PromptDeltas();
  deltas.next([system, question]);
  expect(deltas.next(structuredClone([system, question, asked]))).toEqual({ kept: 2, messages: [asked] });
});
