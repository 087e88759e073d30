import { newId } from '../../common/ids.js';
import { noUsage, type TurnEvent, type TurnEventBody } from '../../conversations/turns/turn-event.js';
import { failedTurn } from '../turn-events.double.js';
import { echoOf } from './response-object.js';
import { addressOf, idBehind, prefixed, responseId } from './openai-ids.js';
import { type ResponseEvent, ResponseMapper } from './response-mapper.js';

const turnId = newId();
const at = new Date('2026-11-28T12:00:00Z');

function mapped(bodies: readonly TurnEventBody[]): { events: ResponseEvent[]; mapper: ResponseMapper } {
  const mapper = new ResponseMapper({
    address: { turnId, from: 0 },
    createdAt: at,
    model: 'mefali',
    language: 'fr',
    conversationId: newId(),
    clientSkills: [{ key: 'read_page', description: 'Reads.', parameters: {}, timeoutSeconds: 1 }],
    echo: echoOf({}, null),
  });
  const events = mapper.begin();
  for (const [index, body] of bodies.entries()) {
    const event: TurnEvent = { turnId, sequence: index + 1, at, ...body };
    events.push(...mapper.take(event, 7));
  }
  return { events, mapper };
}

function said(text: string): TurnEventBody {
  return { type: 'text-delta', text };
}

function done(more: Partial<Extract<TurnEventBody, { type: 'turn-done' }>> = {}): TurnEventBody {
  return {
    type: 'turn-done',
    status: 'COMPLETED',
    finishReason: 'ANSWERED',
    messageId: newId(),
    usage: { ...noUsage, inputTokens: 3, outputTokens: 2 },
    error: null,
    ...more,
  };
}

describe('ResponseMapper', () => {
  it('has the answer as the only text, whatever was withdrawn', () => {
    const { mapper } = mapped([
      said('I look it up.'),
      { type: 'text-reset', cause: 'PREAMBLE' },
      said('Bon'),
      { type: 'reasoning-delta', text: 'Hm.' },
      said('jour'),
      { type: 'text-reset', cause: 'RETRIED' },
      said('Bonsoir.'),
      done(),
    ]);
    const { output } = mapper.response;
    expect(output).toMatchObject([
      { type: 'message', status: 'incomplete', phase: 'commentary', content: [] },
      { type: 'message', status: 'incomplete', content: [] },
      { type: 'reasoning', summary: [{ text: 'Hm.' }] },
      { type: 'message', status: 'incomplete', content: [] },
      { type: 'message', status: 'completed', phase: 'final_answer', content: [{ text: 'Bonsoir.' }] },
    ]);
    expect(mapper.response['usage']).toMatchObject({
      total_tokens: 5,
      output_tokens_details: { reasoning_tokens: 7 },
    });
  });

  it('numbers what it tells without a gap, and ends what it begins', () => {
    const { events } = mapped([said('a'), { type: 'reasoning-delta', text: 'b' }, said('c'), done()]);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
    const count = (type: string): number => events.filter((event) => event.type === type).length;
    expect(count('response.output_item.added')).toBe(count('response.output_item.done'));
    expect(events.at(-1)?.type).toBe('response.completed');
  });

  it('shows our skills at work, and not those of the client', () => {
    const [ours, theirs] = [newId(), newId()];
    const call = { arguments: { a: 1 } };
    const end = { callStatus: 'SUCCEEDED', resultPreview: 'Two.', durationMs: 5 } as const;
    const { mapper } = mapped([
      { type: 'skill-started', callId: ours, skill: 'search_web', ...call },
      { type: 'skill-started', callId: theirs, skill: 'read_page', ...call },
      { type: 'skill-finished', callId: ours, skill: 'search_web', ...end },
      { type: 'skill-finished', callId: theirs, skill: 'read_page', ...end },
      done(),
    ]);
    expect(mapper.response['output']).toMatchObject([
      {
        type: 'mcp_call',
        name: 'search_web',
        arguments: '{"a":1}',
        output: 'Two.',
        status: 'completed',
      },
    ]);
    expect(mapper.response['output']).toHaveLength(1);
  });

  it('ends where the turn waits, with what it waits for', () => {
    const base = { turnId, status: 'PENDING' as const, expiresAt: at.toISOString() };
    const ids = [newId(), newId(), newId()] as const;
    const { events, mapper } = mapped([
      {
        type: 'approval-requested',
        approval: { ...base, id: ids[0], kind: 'APPROVAL', skill: 'send', arguments: {}, reason: null },
      },
      {
        type: 'input-requested',
        input: { ...base, id: ids[1], kind: 'QUESTION', prompt: 'Which?', responseSchema: {} },
      },
      {
        type: 'input-requested',
        input: {
          ...base,
          id: ids[2],
          kind: 'CLIENT_SKILL',
          callId: newId(),
          skill: 'read_page',
          arguments: {},
        },
      },
      { type: 'status-changed', status: 'WAITING_FOR_INPUT', detail: null },
    ]);
    expect(mapper.isOver).toBe(true);
    expect(events.at(-1)?.type).toBe('response.completed');
    expect(mapper.response['output']).toMatchObject([
      { type: 'mcp_approval_request', id: prefixed('apr', ids[0]), name: 'send' },
      { type: 'function_call', call_id: prefixed('call', ids[1]), name: 'ask_user' },
      { type: 'function_call', call_id: prefixed('call', ids[2]), name: 'read_page', arguments: '{}' },
    ]);
  });

  it('cites the sources that the text refers to', () => {
    const documentId = newId();
    const source = { marker: 2, documentId, documentName: 'a.pdf', page: 4, quote: 'q', score: 1 };
    const { mapper } = mapped([
      { type: 'sources-found', sources: [source] },
      said('As it says [2], not [3].'),
      done(),
    ]);
    const annotations = [{ type: 'file_citation', filename: 'a.pdf', index: 11, page: 4 }];
    expect(mapper.response['output']).toMatchObject([{ content: [{ annotations }] }]);
  });

  it.each([
    [{ status: 'CANCELLED', finishReason: 'CANCELLED' }, 'response.incomplete', 'cancelled'],
    [{ finishReason: 'MAX_TOKENS' }, 'response.incomplete', 'incomplete'],
    [
      {
        status: 'FAILED',
        finishReason: 'ERROR',
        error: { code: 'RATE_LIMITED', message: 'x', retryable: true },
      },
      'response.failed',
      'failed',
    ],
  ] as const)('of a turn that ended as %j', (end, type, status) => {
    const { events } = mapped([said('As far'), done(end)]);
    expect(events.at(-1)).toMatchObject({ type, response: { status, output: [{ status: 'incomplete' }] } });
  });

  it('says in the language of its assistant that its turn failed without an error', () => {
    const { events } = mapped([failedTurn]);
    expect(events.at(-1)).toMatchObject({ response: { error: { message: 'La demande a échoué.' } } });
  });
});

describe('ids', () => {
  it.each([0, 12])('of a response that begins after %i lead back to it', (from) => {
    expect(addressOf(responseId({ turnId, from }))).toEqual({ turnId, from });
  });

  it.each(['', 'resp_', `resp_${turnId}`, `resp_${'g'.repeat(32)}`, `${responseId({ turnId, from: 0 })}_0`])(
    'are not %s',
    (id) => expect(addressOf(id)).toBeNull(),
  );

  it('lead back to what they are of', () => {
    expect(idBehind('call', prefixed('call', turnId))).toBe(turnId);
    expect(idBehind('msg', `${prefixed('msg', turnId)}_0_2`)).toBe(turnId);
    expect(idBehind('call', prefixed('apr', turnId))).toBeNull();
  });
});
