import { ArgsType, Field, InputType, InterfaceType, ObjectType } from '@nestjs/graphql';
import type { JsonObject, JsonValue } from '@palabre/json';

import { connectionOf, ForwardPageArguments } from '../../../common/schema/page.js';
import { Node, Nullable, DateTime, ID, Json } from '../../../common/schema/fields.js';
import { PendingInputKind, PendingStatus } from '../turn.model.js';
import { MAX_COMMENT_CHARACTERS, MAX_RESULT_CHARACTERS, MAX_VALUE_CHARACTERS } from './input-answers.js';

@InterfaceType('PendingInput', {
  description:
    'An input that a turn waits for. The turn pauses, even over restarts, until all its inputs are answered or have expired. Expired counts as declined.',
  resolveType: (input: { kind?: PendingInputKind }) => inputTypeName(input),
})
export class PendingInputModel {
  @Field(() => ID, { description: 'The id, for answerInput.' })
  id!: string;

  @Field(() => ID, { description: 'The turn that is waiting.' })
  turnId!: string;

  @Field(() => PendingInputKind, { description: 'The kind of input.' })
  kind!: PendingInputKind;

  @Field(() => PendingStatus, { description: 'The current status.' })
  status!: PendingStatus;

  @Field(() => DateTime, { description: 'After this time it counts as declined or denied.' })
  expiresAt!: Date;
}

const implementing = { implements: () => [Node, PendingInputModel] };

@ObjectType('Approval', {
  ...implementing,
  description: 'A request to run a skill. Answered by an admin, or also by the asker if the skill allows it.',
})
export class ApprovalModel extends PendingInputModel {
  @Field(() => String, { description: 'The key of the skill.' })
  skill!: string;

  @Field(() => Json, { description: 'The arguments of the call.' })
  arguments!: JsonObject;

  @Nullable(() => String, 'Why the model wants to run it. Null if it gave no reason.')
  reason!: string | null;
}

@ObjectType({ ...implementing, description: 'A question from the model to the member.' })
export class Question extends PendingInputModel {
  @Field(() => String, { description: 'The question, in the model’s words.' })
  prompt!: string;

  @Field(() => Json, {
    description:
      'A flat JSON Schema of the answer: an object with strings, numbers, booleans, choices, and lists of choices.',
  })
  responseSchema!: JsonObject;
}

@ObjectType({
  ...implementing,
  description: 'A call of a skill from startTurn(clientSkills). The client runs the skill.',
})
export class ClientSkillCall extends PendingInputModel {
  @Field(() => ID, { description: 'The id of the skill call, also used in later events.' })
  callId!: string;

  @Field(() => String, { description: 'The key of the skill.' })
  skill!: string;

  @Field(() => Json, { description: 'The arguments, which fit the skill’s parameters.' })
  arguments!: JsonObject;
}

@ObjectType({
  ...implementing,
  description:
    'A request from an MCP server for input, before it runs the tool that the model called. The text comes from the server: do not enter secrets.',
})
export class McpInputRequest extends PendingInputModel {
  @Field(() => String, { description: 'The key of the server.' })
  server!: string;

  @Field(() => String, { description: 'The request, in the server’s words.' })
  message!: string;

  @Nullable(() => Json, 'A flat JSON Schema of the answer. Null if there is nothing to fill in.')
  responseSchema!: JsonObject | null;

  @Nullable(
    () => String,
    'A page that the server asks the member to open. Show its address, and open it only with their consent. An answer without a value confirms. Null if none.',
  )
  url!: string | null;
}

const typeNames = {
  APPROVAL: 'Approval',
  QUESTION: 'Question',
  CLIENT_SKILL: 'ClientSkillCall',
  MCP_INPUT: 'McpInputRequest',
} as const satisfies Record<PendingInputKind, string>;

export const inputTypeNames: readonly string[] = Object.values(typeNames);

/** The GraphQL type of an input. Events of earlier versions do not have its kind. */
export function inputTypeName({ kind = 'APPROVAL' }: { kind?: PendingInputKind }): string {
  return typeNames[kind];
}

export const pendingInputModels = [ApprovalModel, Question, ClientSkillCall, McpInputRequest];

@ObjectType({ description: 'A page of inputs that the viewer may give, oldest first.' })
export class PendingInputConnection extends connectionOf(PendingInputModel, 'PendingInput') {}

@ArgsType()
export class PendingInputsArguments extends ForwardPageArguments {
  @Nullable(() => ID, 'Only the inputs of this turn. Default: all turns.')
  turnId?: string | null;
}

@InputType({ description: 'The decision on an approval.' })
export class ResolveApprovalInput {
  @Field(() => ID, { description: 'The id of the approval.' })
  approvalId!: string;

  @Field(() => Boolean, { description: 'True: run the skill. False: do not run it.' })
  approve!: boolean;

  @Nullable(
    () => Json,
    'Replaces the model’s arguments: a JSON object that fits the skill’s schema. CONFLICT if the call was already approved with others.',
  )
  arguments?: JsonObject | null;

  @Nullable(
    () => String,
    `The reason for the decision, for the model: at most ${MAX_COMMENT_CHARACTERS} characters.`,
  )
  comment?: string | null;
}

@InputType({ description: 'An answer to a question from the model or from an MCP server.' })
export class AnswerQuestionInput {
  @Field(() => ID, { description: 'The id of the question.' })
  id!: string;

  @Nullable(
    () => Json,
    `The answer, which fits responseSchema: at most ${MAX_VALUE_CHARACTERS} characters of JSON. Omit it if that is null.`,
  )
  value?: JsonValue;

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'True: the member declines to answer. The model is told.',
  })
  declined?: boolean | null;
}

@InputType({ description: 'The outcome of a client skill: a result or an error.' })
export class AnswerClientSkillInput {
  @Field(() => ID, { description: 'The id of the ClientSkillCall.' })
  id!: string;

  @Nullable(
    () => Json,
    `The result: at most ${MAX_RESULT_CHARACTERS} characters of JSON. The model receives it as external data, cut to what it can read.`,
  )
  result?: JsonValue;

  @Nullable(
    () => String,
    `Why there is no result, for the model: at most ${MAX_COMMENT_CHARACTERS} characters.`,
  )
  error?: string | null;
}

@InputType({ isOneOf: true, description: 'An answer, by the kind of the input.' })
export class AnswerInputInput {
  @Nullable(() => ResolveApprovalInput, 'The decision on an APPROVAL, as in resolveApproval.')
  approval?: ResolveApprovalInput;

  @Nullable(() => AnswerQuestionInput, 'The answer to a QUESTION.')
  question?: AnswerQuestionInput;

  @Nullable(() => AnswerClientSkillInput, 'The outcome of a CLIENT_SKILL.')
  clientSkill?: AnswerClientSkillInput;

  @Nullable(() => AnswerQuestionInput, 'The answer to an MCP_INPUT.')
  mcp?: AnswerQuestionInput;
}
