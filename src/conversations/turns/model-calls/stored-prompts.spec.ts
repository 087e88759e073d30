import fc from 'fast-check';
import type { ChatMessage } from '@palabre/llm-client';

import {
  digestsIn,
  restoreMessages,
  restoreTools,
  toStoredPrompt,
  PromptDeltas,
  rebuildPrompts,
} from './stored-prompts.js';

const long: ChatMessage = { role: 'system', content: 'You are Mefali. '.repeat(50) };
const short: ChatMessage = { role: 'system', content: 'Be brief.' };
const question: ChatMessage = { role: 'user', content: 'How much?' };
const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }];

function storedOf(messages: ChatMessage[], hasSummary = false) {
  return toStoredPrompt({ messages, tools, hasSummary });
}

describe('a stored prompt', () => {
  it('is given back as it was', () => {
    const stored = storedOf([long, short, question]);
    expect(stored.messages[0]).not.toHaveProperty('content');
    expect(digestsIn(stored)).toEqual([...stored.texts.keys()]);
    expect(restoreMessages(stored.messages, stored.texts)).toEqual([long, short, question]);
    expect(restoreTools(stored.tools, stored.texts)).toEqual(tools);
  });

  it('refers to the same text whenever it is the same', () => {
    expect(digestsIn(storedOf([long, question]))).toEqual(digestsIn(storedOf([long])));
  });

  it('shares nothing that was said: with a summary in it, only the tools', () => {
    const stored = storedOf([long, question], true);
    expect(stored.messages).toEqual([long, question]);
    expect([...stored.texts.keys()]).toEqual([stored.tools]);
  });

  it('names what is attached, and does not hold it', () => {
    const files = [{ type: 'text', text: 'A secret.' } as const];
    const asked: ChatMessage = { role: 'user', content: '[document a.md]\nHow much?', files };
    expect(storedOf([asked]).messages).toEqual([{ role: 'user', content: '[document a.md]\nHow much?' }]);
  });

  it('is without what a model got back of its own', () => {
    const said: ChatMessage = {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }],
    };
    const { messages } = storedOf([question, { ...said, echo: { model: 'm', data: 'She drinks tea.' } }]);
    expect(messages).toEqual([question, said]);
    expect(JSON.stringify(messages)).not.toContain('tea');
  });

  it('says so where a text is no longer kept', () => {
    const stored = storedOf([long, question]);
    expect(restoreMessages(stored.messages, new Map())).toEqual([
      { role: 'system', content: '[no longer kept]' },
      question,
    ]);
    expect(restoreTools(stored.tools, new Map())).toEqual([]);
  });

  it('holds nothing that PostgreSQL refuses', () => {
    const { messages, texts } = toStoredPrompt({
      messages: [
        { ...long, content: `${long.content}\0` },
        { ...question, content: 'a\0\uD800b' },
      ],
      tools: [],
      hasSummary: false,
    });
    expect([...texts.values()]).toEqual([long.content]);
    expect(messages[1]).toEqual({ role: 'user', content: 'a\uFFFDb' });
  });
});

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
      expect(rebuildPrompts(stored)).toEqual(calls.map(({ prompt: messages }) => messages));
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
