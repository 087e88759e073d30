import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import type { ChatMessage } from '../../../llm/chat-model.js';
import { pairToolCalls } from './tool-pairs.js';

const id = fc.constantFrom('a', 'b', 'c', 'd');
const call = id.map((callId) => ({ id: callId, name: 'look', arguments: '{}' }));
const anyMessage: fc.Arbitrary<ChatMessage> = fc.oneof(
  fc.record({ role: fc.constant('user' as const), content: fc.string() }),
  fc.record({ role: fc.constant('assistant' as const), content: fc.string() }),
  fc.record({ role: fc.constant('assistant' as const), content: fc.string(), toolCalls: fc.array(call) }),
  fc.record({ role: fc.constant('tool' as const), toolCallId: id, content: fc.string() }),
);
const conversation = fc.array(anyMessage, { maxLength: 20 });

/** The ids, in order, of calls that are not answered directly behind them, and of results that answer no call. */
function unpaired(messages: ChatMessage[]): string[] {
  const alone: string[] = [];
  let awaited: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool' && message.toolCallId === awaited[0]) awaited.shift();
    else if (message.role === 'tool') alone.push(message.toolCallId);
    else {
      alone.push(...awaited);
      awaited = message.role === 'assistant' ? (message.toolCalls ?? []).map((each) => each.id) : [];
    }
  }
  return [...alone, ...awaited];
}

describe('pairToolCalls', () => {
  it('leaves no call without its result and no result without its call', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        expect(unpaired(pairToolCalls(messages, () => 'lost'))).toEqual([]);
      }),
    );
  });

  it('keeps every other message, in order, and changes nothing the second time', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const paired = pairToolCalls(messages, () => 'lost');
        const others = (list: ChatMessage[]) => list.filter(({ role }) => role !== 'tool');
        expect(others(paired)).toEqual(others(messages));
        expect(pairToolCalls(paired, () => 'lost')).toEqual(paired);
      }),
    );
  });

  it('mends in both directions and puts results into the order of the calls', () => {
    const toolCalls = ['a', 'b', 'c'].map((callId) => ({ id: callId, name: 'look', arguments: '{}' }));
    const question: ChatMessage = { role: 'user', content: 'Where?' };
    const asking: ChatMessage = { role: 'assistant', content: '', toolCalls };
    const result = (toolCallId: string, content: string): ChatMessage => ({
      role: 'tool',
      toolCallId,
      content,
    });
    expect(
      pairToolCalls(
        [result('a', 'orphan'), asking, result('c', '3'), result('x', '?'), result('a', '1'), question],
        () => 'lost',
      ),
    ).toEqual([asking, result('a', '1'), result('b', 'lost'), result('c', '3'), question]);
  });
});
