import { ArgsType, Field, InputType, InterfaceType, ObjectType } from '@nestjs/graphql';
import type { JsonObject, JsonValue } from '@palabre/json';

import { connectionOf, ForwardPageArguments } from '../../../common/schema/page.js';
import { Node, Nullable, DateTime, ID, Json } from '../../../common/schema/fields.js';
import { PendingInputKind, PendingStatus } from '../turn.model.js';

@InterfaceType('PendingInput', {
  description:
    'Something that a turn waits for. The turn stands still, over restarts, until all of it is answered, or has expired, which counts as declined.',
  resolveType: (input: { kind?: PendingInputKind }) => inputTypeName(input),
})
export class PendingInputModel {
  @Field(() => ID, { description: 'For answerInput.' })
  id!: string;

  @Field(() => ID, { description: 'The turn that waits.' })
  turnId!: string;

  @Field(() => PendingInputKind, { description: 'What is to be given.' })
  kind!: PendingInputKind;

  @Field(() => PendingStatus, { description: 'How it stands.' })
  status!: PendingStatus;

  @Field(() => DateTime, { description: 'From then on it counts as declined, or as not allowed.' })
  expiresAt!: Date;
}

const implementing = { implements: () => [Node, PendingInputModel] };

@ObjectType('Approval', {
  ...implementing,
  description: 'Whether a skill may be carried out. To be answered by an admin, or also by the asker.',
})
export class ApprovalModel extends PendingInputModel {
  @Field(() => String, { description: 'The skill’s key.' })
  skill!: string;

  @Field(() => Json, { description: 'What it would be called with.' })
  arguments!: JsonObject;

  @Nullable(() => String, 'Why the model wants it; null when it did not say.')
  reason!: string | null;
}

@ObjectType({ ...implementing, description: 'A question that the model asks back.' })
export class Question extends PendingInputModel {
  @Field(() => String, { description: 'The question, in the model’s words.' })
  prompt!: string;

  @Field(() => Json, {
    description:
      'A flat JSON Schema of the answer: an object of texts, numbers, booleans, choices, and lists of choices.',
  })
  responseSchema!: JsonObject;
}

@ObjectType({
  ...implementing,
  description: 'A skill of startTurn(clientSkills) that the model calls: the front end carries it out.',
})
export class ClientSkillCall extends PendingInputModel {
  @Field(() => ID, { description: 'The id of the skill call, in later events too.' })
  callId!: string;

  @Field(() => String, { description: 'The skill’s key.' })
  skill!: string;

  @Field(() => Json, { description: 'What it is called with: it fits the skill’s parameters.' })
  arguments!: JsonObject;
}

@ObjectType({
  ...implementing,
  description:
    'What an MCP server wants to know before it does what the model has called it for. Its words are the server’s: do not give it secrets.',
})
export class McpInputRequest extends PendingInputModel {
  @Field(() => String, { description: 'The server’s key.' })
  server!: string;

  @Field(() => String, { description: 'What it wants, in the server’s words.' })
  message!: string;

  @Nullable(() => Json, 'A flat JSON Schema of the answer; null when there is nothing to fill in.')
  responseSchema!: JsonObject | null;

  @Nullable(
    () => String,
    'A page that the server wants the member to open: show where it leads, and open it only if the member says so. An answer without a value confirms. Null: none.',
  )
  url!: string | null;
}

const typeNames = {
  APPROVAL: 'Approval',
  QUESTION: 'Question',
  CLIENT_SKILL: 'ClientSkillCall',
  MCP_INPUT: 'McpInputRequest',
} as const satisfies Record<PendingInputKind, string>;

/** The GraphQL type of an input; events of earlier versions do not tell their kind. */
export function inputTypeName({ kind = 'APPROVAL' }: { kind?: PendingInputKind }): string {
  return typeNames[kind];
}

export const pendingInputModels = [ApprovalModel, Question, ClientSkillCall, McpInputRequest];

@ObjectType({ description: 'A page of what the viewer may answer, oldest first.' })
export class PendingInputConnection extends connectionOf(PendingInputModel, 'PendingInput') {}

@ArgsType()
export class PendingInputsArguments extends ForwardPageArguments {
  @Nullable(() => ID, 'Of this turn alone. Left out: of all.')
  turnId?: string | null;
}

@InputType({ description: 'An answer to an approval.' })
export class ResolveApprovalInput {
  @Field(() => ID, { description: 'An approval’s id.' })
  approvalId!: string;

  @Field(() => Boolean, { description: 'True: the skill is carried out. False: it is not.' })
  approve!: boolean;

  @Nullable(
    () => Json,
    'Instead of the arguments that the model wrote: a JSON object that fits the skill’s schema. CONFLICT when it was allowed with others.',
  )
  arguments?: JsonObject | null;

  @Nullable(() => String, 'For the model, why it was answered so: at most 1000 characters.')
  comment?: string | null;
}

@InputType({ description: 'An answer to a question of the model, or of an MCP server.' })
export class AnswerQuestionInput {
  @Field(() => ID, { description: 'The id of what was asked.' })
  id!: string;

  @Nullable(
    () => Json,
    'What fits responseSchema: at most 100,000 characters of JSON. Left out where that is null.',
  )
  value?: JsonValue;

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'True: the member does not want to answer, which the model is told.',
  })
  declined?: boolean | null;
}

@InputType({ description: 'What came of a client skill: a result or an error.' })
export class AnswerClientSkillInput {
  @Field(() => ID, { description: 'The id of the ClientSkillCall.' })
  id!: string;

  @Nullable(
    () => Json,
    'The result: at most 500,000 characters of JSON. The model is given it as data from outside, and as much as it can read.',
  )
  result?: JsonValue;

  @Nullable(() => String, 'Why there is no result, for the model: at most 1000 characters.')
  error?: string | null;
}

@InputType({ isOneOf: true, description: 'An answer, by the kind of what was asked.' })
export class AnswerInputInput {
  @Nullable(() => ResolveApprovalInput, 'To an APPROVAL, as resolveApproval.')
  approval?: ResolveApprovalInput;

  @Nullable(() => AnswerQuestionInput, 'To a QUESTION.')
  question?: AnswerQuestionInput;

  @Nullable(() => AnswerClientSkillInput, 'To a CLIENT_SKILL.')
  clientSkill?: AnswerClientSkillInput;

  @Nullable(() => AnswerQuestionInput, 'To an MCP_INPUT.')
  mcp?: AnswerQuestionInput;
}
