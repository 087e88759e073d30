import { describe, expect, it } from '@jest/globals';

import type { ChatMessage } from '../../llm/chat-model.js';
import { digestsIn, fromStored, toolsFromStored, toStored } from './stored-messages.js';

const long: ChatMessage = { role: 'system', content: 'You are Mefali. '.repeat(50) };
const short: ChatMessage = { role: 'system', content: 'Be brief.' };
const question: ChatMessage = { role: 'user', content: 'How much?' };
const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }];

const storedOf = (messages: ChatMessage[], hasSummary = false) => toStored({ messages, tools, hasSummary });

describe('a stored prompt', () => {
  it('is given back as it was', () => {
    const stored = storedOf([long, short, question]);
    expect(stored.messages[0]).not.toHaveProperty('content');
    expect(digestsIn(stored)).toEqual([...stored.texts.keys()]);
    expect(fromStored(stored.messages, stored.texts)).toEqual([long, short, question]);
    expect(toolsFromStored(stored.tools, stored.texts)).toEqual(tools);
  });

  it('refers to the same text whenever it is the same', () => {
    expect(digestsIn(storedOf([long, question]))).toEqual(digestsIn(storedOf([long])));
  });

  it('shares nothing that was said: with a summary in it, only the tools', () => {
    const stored = storedOf([long, question], true);
    expect(stored.messages).toEqual([long, question]);
    expect([...stored.texts.keys()]).toEqual([stored.tools]);
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
    expect(fromStored(stored.messages, new Map())).toEqual([
      { role: 'system', content: '[no longer kept]' },
      question,
    ]);
    expect(toolsFromStored(stored.tools, new Map())).toEqual([]);
  });

  it('holds nothing that PostgreSQL refuses', () => {
    const { messages, texts } = toStored({
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
