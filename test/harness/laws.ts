import type { Client } from 'graphql-ws';

import { answerOf, type TestClient, type WireEvent } from './test-client.js';

/** How somebody watches a turn. */
export interface Watching {
  after: number;
  /** They leave after so many events, and come back for what is later than the last one they saw; once for each. */
  leavesAfter: number[];
  /** A socket that they share with others; without it, a new one each time they come. */
  socket?: Client;
}

/** A part of a message as it comes over the wire. */
interface WirePart {
  __typename: string;
  text?: string;
}

/** What TurnDone tells, as it can be queried. */
interface Told {
  status: string;
  finishReason: string;
  lastSequence: number;
  usage: object;
  error: object | null;
  answer: { id: string; text: string; status: string; parts: WirePart[] } | null;
  skillCalls: { id: string; skill: string; status: string; resultPreview: string; finishedAt: string }[];
  conversation: { activeTurn: { id: string } | null };
}

/** What somebody saw of a turn. */
export interface Sight {
  after: number;
  events: WireEvent[];
  /** What could be queried at the moment TurnDone came; null for a turn that was removed, or without TurnDone. */
  told: Told | null;
  /** Instead of the end. */
  error: string | null;
}

const TOLD = /* GraphQL */ `
  query ($id: ID!) {
    turn(id: $id) {
      status
      finishReason
      lastSequence
      usage {
        inputTokens
        outputTokens
        cachedInputTokens
        modelCalls
        skillCalls
        costUsd
      }
      error {
        code
        message
        retryable
      }
      answer {
        id
        text
        status
        parts {
          __typename
          ... on TextPart {
            text
          }
          ... on ReasoningPart {
            text
          }
          ... on DataPart {
            value
          }
        }
      }
      skillCalls {
        id
        skill
        status
        resultPreview
        finishedAt
      }
      conversation {
        activeTurn {
          id
        }
      }
    }
  }
`;

/** Watches a turn to its end. `begun` is called when the first event is there, or none will come. */
export async function watch(
  client: TestClient,
  turnId: string,
  { after, leavesAfter, socket }: Watching,
  begun: () => void = () => undefined,
): Promise<Sight> {
  const sight: Sight = { after, events: [], told: null, error: null };
  try {
    for (const count of [...leavesAfter, Infinity]) {
      const own = socket ?? client.socket();
      const isOver = await visit(client, turnId, own, sight, { count, begun });
      if (!socket) await own.dispose();
      if (isOver) break;
    }
  } catch (error) {
    // An error in the middle comes as the protocol's own message, which is no Error.
    sight.error = error instanceof Error ? error.message : JSON.stringify(error);
  }
  begun();
  return sight;
}

/** Sees at most `count` more events; true if the subscription completed. */
async function visit(
  client: TestClient,
  turnId: string,
  socket: Client,
  sight: Sight,
  { count, begun }: { count: number; begun: () => void },
): Promise<boolean> {
  const position = sight.events.at(-1)?.sequence ?? sight.after;
  let left = count;
  for await (const event of client.turnEvents(turnId, position, socket)) {
    sight.events.push(event);
    begun();
    if (event.__typename === 'TurnDone') {
      sight.told = await toldOf(client, turnId);
    }
    left -= 1;
    if (left === 0) return false;
  }
  return true;
}

/** What can be queried of the turn just now; null for one that was removed. Rejects with the errors' JSON. */
export async function toldOf(client: TestClient, turnId: string): Promise<Told | null> {
  const { data, errors = [] } = await client.send<{ turn: Told | null }>(TOLD, { id: turnId });
  // Between one part of the query and the next, a turn can be removed.
  const wrong = errors.filter(({ extensions }) => extensions.code !== 'NOT_FOUND');
  if (wrong.length > 0) throw new Error(JSON.stringify(wrong));
  return data?.turn ?? null;
}

/** The laws of the contract, for somebody who saw a turn from its first event to its end. */
export function checkEvents(turnId: string, { events, error }: Sight): void {
  expect(error).toBeNull();
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  expect(new Set(events.map((event) => event.turnId))).toEqual(new Set([turnId]));
  const types = events.map(({ __typename }) => __typename);
  expect(types.indexOf('TurnDone')).toBe(types.length - 1);
  for (const { __typename, text } of events) if (__typename.endsWith('Delta')) expect(text).not.toBe('');
}

/** The events of a turn, watched from now to its end, and seen again by somebody who comes later; by the laws. */
export async function seenToEnd(client: TestClient, turnId: string): Promise<WireEvent[]> {
  const whole = await watch(client, turnId, { after: 0, leavesAfter: [] });
  checkEvents(turnId, whole);
  checkTold(turnId, whole);
  const late = await watch(client, turnId, { after: 2, leavesAfter: [3] });
  expect(late.events).toEqual(whole.events.slice(2));
  return whole.events;
}

/** Whoever came later, left, or came back, saw the same, from where they asked. */
export function checkSame(whole: Sight, other: Sight, { isRemoved = false } = {}): void {
  expect(other.error).toBeNull();
  expect(other.events).toEqual(whole.events.slice(other.after));
  if (!isRemoved && other.events.length > 0) expect(other.told).toEqual(whole.told);
}

/** Of a turn that was removed one may have seen a part; then one is told that there is none. */
export function checkRemoved(whole: Sight, { after, events, error }: Sight): void {
  expect(error).toContain('NOT_FOUND');
  expect(events).toEqual(whole.events.slice(after, after + events.length));
}

/** What TurnDone says is what is stored: nothing of it comes later. */
export function checkTold(turnId: string, { events, told }: Sight): void {
  if (!told) throw new Error(`The turn ${turnId} could not be queried when it was done.`);
  const done = events.at(-1);
  const { status, finishReason, usage, error, lastSequence, answer } = told;
  expect({ status, finishReason, usage, error, lastSequence, messageId: answer?.id ?? null }).toEqual({
    status: done?.status,
    finishReason: done?.finishReason,
    usage: done?.usage,
    error: done?.error,
    lastSequence: events.length,
    messageId: done?.messageId,
  });
  expect(answer?.text ?? '').toBe(answerOf(events));
  if (answer) {
    expect(answer.text).not.toBe('');
    expect(textOf(answer.parts, 'TextPart')).toBe(answer.text);
    expect(textOf(answer.parts, 'ReasoningPart')).toBe(answerOf(events, 'ReasoningDelta'));
  }
  expect(told.conversation.activeTurn?.id).not.toBe(turnId);
  checkSkillCalls(events, told);
}

function textOf(parts: readonly WirePart[], type: string): string {
  return parts.map(({ __typename, text = '' }) => (__typename === type ? text : '')).join('');
}

function checkSkillCalls(events: readonly WireEvent[], { skillCalls }: Told): void {
  for (const call of skillCalls) expect(call.finishedAt).not.toBeNull();
  const of = (type: string): WireEvent[] => events.filter(({ __typename }) => __typename === type);
  const started = of('SkillStarted').map(({ callId, skill }) => ({ id: String(callId), skill }));
  // Calls are in the order of asking, and one that waited for people began later than it was asked for.
  if (of('InputResolved').length > 0) started.sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(skillCalls.map(({ id, skill }) => ({ id, skill }))).toEqual(started);
  const finished = of('SkillFinished').map(({ callId, callStatus, resultPreview }) => ({
    id: callId,
    status: callStatus,
    resultPreview,
  }));
  expect(skillCalls).toEqual(
    expect.arrayContaining(finished.map((call) => expect.objectContaining(call) as object)),
  );
}
