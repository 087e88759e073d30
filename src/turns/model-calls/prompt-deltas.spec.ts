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

it('gives every prompt back', () => {
  fc.assert(
    fc.property(fc.array(fc.array(message, { maxLength: 6 }), { maxLength: 6 }), (prompts) => {
      const deltas = new PromptDeltas();
      expect(wholePrompts(prompts.map((prompt) => deltas.next(prompt)))).toEqual(prompts);
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
