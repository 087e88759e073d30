import { z } from 'zod';

const base = { turnId: z.string(), sequence: z.int().min(1), at: z.string() };

function event<Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) {
  return z.object({ __typename: z.literal(name), ...base, ...shape });
}

const Source = z.object({
  marker: z.int(),
  documentId: z.string(),
  documentName: z.string(),
  page: z.int().nullable(),
  quote: z.string(),
  score: z.number(),
});

const Approval = z.object({
  id: z.string(),
  turnId: z.string(),
  skill: z.string(),
  arguments: z.unknown(),
  reason: z.string().nullable(),
  status: z.string(),
  expiresAt: z.string(),
});

const Usage = z.object({
  inputTokens: z.int(),
  outputTokens: z.int(),
  cachedInputTokens: z.int(),
  modelCalls: z.int(),
  skillCalls: z.int(),
  costUsd: z.number().nullable(),
});

const TurnError = z.object({ code: z.string(), message: z.string(), retryable: z.boolean() });

const TurnEvent = z.discriminatedUnion('__typename', [
  event('StatusChanged', { status: z.string(), detail: z.string().nullable() }),
  event('TextDelta', { text: z.string() }),
  event('ReasoningDelta', { text: z.string() }),
  event('TextReset', { cause: z.string() }),
  event('PlanDecided', {
    action: z.string(),
    nextSkill: z.string().nullable(),
    reason: z.string().nullable(),
  }),
  event('SkillStarted', { callId: z.string(), skill: z.string(), arguments: z.unknown() }),
  event('SkillFinished', {
    callId: z.string(),
    skill: z.string(),
    callStatus: z.string(),
    resultPreview: z.string(),
    durationMs: z.int(),
  }),
  event('SkillLoaded', { skill: z.string() }),
  event('SourcesFound', { sources: z.array(Source) }),
  event('ApprovalRequested', { approval: Approval }),
  event('MovedToBackground', { reason: z.string().nullable(), message: z.string() }),
  event('TurnDone', {
    status: z.string(),
    finishReason: z.string(),
    messageId: z.string().nullable(),
    usage: Usage,
    error: TurnError.nullable(),
  }),
]);

/** An event as the public API sends it. Enum values are plain text: a newer server may have more of them. */
export type TurnEvent = z.infer<typeof TurnEvent>;
export type TurnDone = Extract<TurnEvent, { __typename: 'TurnDone' }>;

/** A received event: as it came, and as this client understands it. */
export interface ReceivedEvent {
  readonly sequence: number;
  readonly raw: object;
  /** null: a newer server has events that this client does not know. */
  readonly event: TurnEvent | null;
}

const AnyEvent = z.looseObject({ __typename: z.string(), ...base });
const knownNames = new Set<string>(TurnEvent.options.map((option) => option.shape.__typename.value));

/** Checks an event that came over the wire. Throws when it is not what the contract says. */
export function receiveEvent(value: unknown): ReceivedEvent {
  const raw = AnyEvent.parse(value);
  return {
    sequence: raw.sequence,
    raw,
    event: knownNames.has(raw.__typename) ? TurnEvent.parse(value) : null,
  };
}

/** The GraphQL selection of a shape, without the fields that every event has. */
function selectionOf(shape: z.ZodRawShape): string {
  const fields = Object.entries(shape).filter(([name]) => name !== '__typename' && !(name in base));
  return fields.map(([name, type]) => `${name}${nestedSelection(type)}`).join(' ');
}

function nestedSelection(type: unknown): string {
  if (type instanceof z.ZodNullable) return nestedSelection(type.unwrap());
  if (type instanceof z.ZodArray) return nestedSelection(type.element);
  return type instanceof z.ZodObject ? ` { ${Object.keys(type.shape).join(' ')} }` : '';
}

/** Selects every field of every kind of event; the contract lets one selection do so without aliases. */
export const turnEventsSubscription = `
  subscription TurnEvents($turnId: ID!, $after: Int) {
    turnEvents(turnId: $turnId, after: $after) {
      __typename turnId sequence at
      ${TurnEvent.options.map(({ shape }) => `... on ${shape.__typename.value} { ${selectionOf(shape)} }`).join('\n      ')}
    }
  }
`;
