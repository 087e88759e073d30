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

/** Types of independent events. Those of waits and ends are made below. */
type SingleType = Exclude<
  TurnEventBody['type'],
  'approval-requested' | 'input-requested' | 'input-resolved' | 'turn-done'
>;
type Single = {
  [Type in SingleType]: fc.Arbitrary<Omit<Extract<TurnEventBody, { type: Type }>, 'type'>>;
};

const bodies: Single = {
  'text-delta': fc.record({ text: words }),
  'reasoning-delta': fc.record({ text: words }),
  'text-reset': fc.record({ cause: fc.constantFrom('RETRIED', 'PREAMBLE') }),
  'plan-decided': fc.record({
    action: fc.constant('CALL_SKILL'),
    nextSkill: fc.option(words),
    reason: fc.option(words),
  }),
  'skill-started': fc.record({ callId: ids, skill: words, arguments: given }),
  'skill-finished': fc.record({
    callId: ids,
    skill: words,
    callStatus: fc.constantFrom('SUCCEEDED', 'FAILED', 'DENIED', 'UNKNOWN'),
    resultPreview: words,
    durationMs: fc.nat(),
  }),
  'skill-loaded': fc.record({ skill: words }),
  'sources-found': fc.record({
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
  'status-changed': fc.record({
    status: fc.constantFrom('RUNNING', 'QUEUED'),
    detail: fc.option(words),
  }),
  'moved-to-background': fc.record({ reason: fc.option(words), message: words }),
};

/** Answers have more text than anything else. */
const weights: Partial<Record<SingleType, number>> = { 'text-delta': 5, 'reasoning-delta': 2 };

const event = fc.oneof(
  ...(Object.keys(bodies) as SingleType[]).map((type) => ({
    weight: weights[type] ?? 1,
    arbitrary: bodies[type].map((body) => ({ type, ...body }) as TurnEventBody),
  })),
);

/** An input, its wait, and its answer. */
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

/** Inputs, and calls that wait for one, have unique ids. */
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

/** The text of the log after the last reset. */
export function textOf(log: readonly TurnEvent[]): string {
  const reset = log.findLastIndex(({ type }) => type === 'text-reset');
  return log
    .slice(reset + 1)
    .flatMap((one) => (one.type === 'text-delta' ? [one.text] : []))
    .join('');
}

/** The end of a turn that failed and has no error to tell of. */
export const failedTurn: TurnEvent = {
  turnId: 't',
  sequence: 1,
  at: new Date(0),
  type: 'turn-done',
  status: 'FAILED',
  finishReason: 'ERROR',
  messageId: null,
  usage: noUsage,
  error: null,
};
