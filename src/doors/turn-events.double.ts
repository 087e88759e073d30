import fc from 'fast-check';

import {
  noUsage,
  type ShownInput,
  type TurnEvent,
  type TurnEventBody,
} from '../conversations/turns/turn-event.js';

const calls = ['c1', 'c2', 'c3'];
const ids = fc.constantFrom(...calls);
const words = fc.string({ minLength: 1, maxLength: 8 });
const given = fc.dictionary(fc.constantFrom('a', 'b'), fc.jsonValue() as fc.Arbitrary<string>);

const input = fc
  .tuple(fc.constantFrom('APPROVAL', 'QUESTION', 'CLIENT_SKILL', 'MCP_INPUT'), ids, words, given)
  .map(([kind, callId, text, args]): ShownInput => {
    const base = {
      id: `i-${kind}-${callId}`,
      turnId: 't',
      status: 'PENDING' as const,
      expiresAt: '2027-01-01T00:00:00.000Z',
      callId,
    };
    if (kind === 'QUESTION') return { ...base, kind, prompt: text, responseSchema: { type: 'object' } };
    if (kind === 'MCP_INPUT')
      return { ...base, kind, server: 's', message: text, responseSchema: null, url: null };
    if (kind === 'CLIENT_SKILL') return { ...base, kind, skill: 'read_page', arguments: args };
    return { ...base, kind: 'APPROVAL', skill: 'pay', arguments: args, reason: text };
  });

const event: fc.Arbitrary<TurnEventBody> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('text-delta' as const), text: words }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('reasoning-delta' as const), text: words }) },
  fc.record({
    type: fc.constant('text-reset' as const),
    cause: fc.constantFrom('RETRIED' as const, 'PREAMBLE' as const),
  }),
  fc.record({
    type: fc.constant('plan-decided' as const),
    action: fc.constant('CALL_SKILL' as const),
    nextSkill: fc.option(words),
    reason: fc.option(words),
  }),
  fc.record({ type: fc.constant('skill-started' as const), callId: ids, skill: words, arguments: given }),
  fc.record({
    type: fc.constant('skill-finished' as const),
    callId: ids,
    skill: words,
    callStatus: fc.constantFrom(
      'SUCCEEDED' as const,
      'FAILED' as const,
      'DENIED' as const,
      'UNKNOWN' as const,
    ),
    resultPreview: words,
    durationMs: fc.nat(),
  }),
  fc.record({ type: fc.constant('skill-loaded' as const), skill: words }),
  fc.record({
    type: fc.constant('sources-found' as const),
    sources: fc.array(
      fc.record({
        marker: fc.nat(),
        documentId: words,
        documentName: words,
        page: fc.option(fc.nat()),
        quote: words,
        score: fc.constant(0.5),
      }),
      { maxLength: 2 },
    ),
  }),
  fc.record({
    type: fc.constant('status-changed' as const),
    status: fc.constantFrom('RUNNING' as const, 'QUEUED' as const),
    detail: fc.option(words),
  }),
  fc.record({ type: fc.constant('moved-to-background' as const), reason: fc.option(words), message: words }),
);

/** What a turn asks for, its wait, and what becomes of it. */
const wait: fc.Arbitrary<TurnEventBody[]> = fc
  .uniqueArray(input, { minLength: 1, maxLength: 3, selector: ({ id }) => id })
  .map((inputs) => [
    ...inputs.map((one): TurnEventBody =>
      one.kind === 'APPROVAL'
        ? { type: 'approval-requested', approval: one }
        : { type: 'input-requested', input: one },
    ),
    { type: 'status-changed', status: 'WAITING_FOR_INPUT', detail: null },
    ...inputs.map(({ id }): TurnEventBody => ({
      type: 'input-resolved',
      inputId: id,
      inputStatus: 'DENIED',
    })),
    { type: 'status-changed', status: 'QUEUED', detail: 'DENIED' },
  ]);

const done = fc.record({
  type: fc.constant('turn-done' as const),
  status: fc.constantFrom('COMPLETED' as const, 'FAILED' as const, 'CANCELLED' as const),
  finishReason: fc.constantFrom('ANSWERED' as const, 'MAX_TOKENS' as const, 'ERROR' as const),
  messageId: fc.option(words),
  usage: fc
    .record({ inputTokens: fc.nat(), outputTokens: fc.nat() })
    .map((usage) => ({ ...noUsage, ...usage })),
  error: fc.option(fc.constant({ code: 'INTERNAL' as const, message: 'No.', retryable: false })),
});

/** Logs of whole turns: their events in any order, with waits between them, and their ends. */
export const turnLogs: fc.Arbitrary<TurnEvent[]> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 8, arbitrary: event.map((one) => [one]) }, wait), { maxLength: 25 }),
    done,
  )
  .map(([parts, end]) =>
    [...parts.flatMap((part, nth) => part.map((one) => named(one, nth))), end].map((body, index) => ({
      turnId: 't',
      sequence: index + 1,
      at: new Date(0),
      ...body,
    })),
  );

/** No two inputs, and no two calls that wait for one, have the same id. */
function named(body: TurnEventBody, nth: number): TurnEventBody {
  const own = (one: ShownInput): ShownInput => ({
    ...one,
    id: `${one.id}-${nth}`,
    callId: `${one.callId}-${nth}`,
  });
  if (body.type === 'approval-requested') return { ...body, approval: own(body.approval) };
  if (body.type === 'input-requested') return { ...body, input: own(body.input) };
  return body.type === 'input-resolved' ? { ...body, inputId: `${body.inputId}-${nth}` } : body;
}

/** The log as TurnsService gives it. */
export async function* played(log: readonly TurnEvent[]): AsyncGenerator<TurnEvent, undefined> {
  yield* log;
  return undefined;
}

/** The inputs that are asked for in each of the log's waits. */
export function waitsIn(log: readonly TurnEvent[]): Set<string>[] {
  const waits: Set<string>[] = [];
  let asked = new Set<string>();
  for (const one of log) {
    if (one.type === 'approval-requested') asked.add(one.approval.id);
    if (one.type === 'input-requested') asked.add(one.input.id);
    if (one.type !== 'status-changed' || !one.status.startsWith('WAITING')) continue;
    waits.push(asked);
    asked = new Set();
  }
  return waits;
}

/** The text that the log leaves: that after its last reset. */
export function textOf(log: readonly TurnEvent[]): string {
  const reset = log.findLastIndex(({ type }) => type === 'text-reset');
  return log
    .slice(reset + 1)
    .flatMap((one) => (one.type === 'text-delta' ? [one.text] : []))
    .join('');
}
