/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> =
  T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** What came of a client skill: a result or an error. */
export type AnswerClientSkillInput = {
  /** Why there is no result, for the model: at most 1000 characters. */
  error?: string | null | undefined;
  /** The id of the ClientSkillCall. */
  id: string;
  /** The result: at most 500,000 characters of JSON. The model is given it as data from outside, and as much as it can read. */
  result?: unknown;
};

/** An answer, by the kind of what was asked. */
export type AnswerInputInput =
  | {
      /** To an APPROVAL, as resolveApproval. */
      approval: ResolveApprovalInput;
      clientSkill?: never;
      mcp?: never;
      question?: never;
    }
  | {
      approval?: never; /** To a CLIENT_SKILL. */
      clientSkill: AnswerClientSkillInput;
      mcp?: never;
      question?: never;
    }
  | {
      approval?: never;
      clientSkill?: never; /** To an MCP_INPUT. */
      mcp: AnswerQuestionInput;
      question?: never;
    }
  | {
      approval?: never;
      clientSkill?: never;
      mcp?: never; /** To a QUESTION. */
      question: AnswerQuestionInput;
    };

/** An answer to a question of the model, or of an MCP server. */
export type AnswerQuestionInput = {
  /** True: the member does not want to answer, which the model is told. */
  declined?: boolean | null | undefined;
  /** The id of what was asked. */
  id: string;
  /** What fits responseSchema: at most 100,000 characters of JSON. Left out where that is null. */
  value?: unknown;
};

/** A skill that the front end of a turn carries out: see ClientSkillCall. */
export type ClientSkillInput = {
  /** For the model, what it does and when to use it: at most 2000 characters. */
  description: string;
  /** Its name for the model: 1 to 64 letters, digits, underscores and hyphens. Not that of a skill of the company. */
  key: string;
  /** JSON Schema (2020-12) of its arguments, of type object. */
  parameters: unknown;
  /** How long the front end has to answer a call: 1 to 86400 seconds. Then the model is told that nothing came. */
  timeoutSeconds?: number | null | undefined;
};

/** A file that is going to be sent for one conversation. */
export type CreateAttachmentUploadInput = {
  /** Its size. No more than this is taken; of an image at most 20000000. */
  bytes: number;
  /** A conversation of the viewer’s. Null: for the one that startTurn will make, within a day. */
  conversationId?: string | null | undefined;
  /** Its media type: image/png, image/jpeg, image/webp and image/gif are shown to the model, all else is read. Empty: not known, so that the name decides. */
  mediaType: string;
  /** Its file name, with its extension: at most 200 characters. */
  name: string;
};

/** A file that is going to be sent. */
export type CreateDocumentUploadInput = {
  /** Its size. No more than this is taken. */
  bytes: number;
  /** Its media type, such as application/pdf; empty: not known. What it really is, its bytes tell later. */
  mediaType: string;
  /** Its file name, with its extension: at most 200 characters. */
  name: string;
};

/** How far a document is. */
export type DocumentStatus =
  /** It can be searched and cited. */
  | 'COMPLETED'
  /** It cannot be read: error says why. Nothing of it is found. */
  | 'FAILED'
  /** Its bytes are waited for, or it waits to be read. */
  | 'PENDING'
  /** It is being read. */
  | 'PROCESSING';

/** Why a turn ended. */
export type FinishReason =
  /** The model had answered. */
  | 'ANSWERED'
  /** Somebody cancelled it. */
  | 'CANCELLED'
  /** It failed. */
  | 'ERROR'
  /** Its budget of time was spent; it answered with what it had. */
  | 'MAX_SECONDS'
  /** Its budget of model calls was spent; it answered with what it had. */
  | 'MAX_STEPS'
  /** The answer was cut at the limit of tokens. */
  | 'MAX_TOKENS'
  /** A later question of the conversation interrupted it. */
  | 'SUPERSEDED';

/** What a turn waits for somebody to give. */
export type PendingInputKind =
  /** Leave to carry out a skill. */
  | 'APPROVAL'
  /** What came of a skill that the front end carries out. */
  | 'CLIENT_SKILL'
  /** What an MCP server wants to know of the member. */
  | 'MCP_INPUT'
  /** An answer to a question of the model. */
  | 'QUESTION';

/** How something stands that a turn waits for. */
export type PendingStatus =
  /** It was given, or by a front end told why it cannot be. */
  | 'ANSWERED'
  /** It was allowed. */
  | 'APPROVED'
  /** Its turn has ended: no answer is needed any more. */
  | 'CANCELLED'
  /** The member did not want to give it. */
  | 'DECLINED'
  /** It was not allowed. */
  | 'DENIED'
  /** Nobody answered in time, which counts as declined or not allowed; of an approval also that its turn has ended. */
  | 'EXPIRED'
  /** Nobody has answered yet. */
  | 'PENDING';

/** What a planner chose. */
export type PlanAction =
  /** To find out more by a skill. */
  | 'CALL_SKILL'
  /** To go on without the asker having to wait. */
  | 'CONTINUE_IN_BACKGROUND'
  /** To write the answer. */
  | 'SYNTHESIZE';

/** A question to be answered once more. */
export type RegenerateInput = {
  /** The conversation’s assistant, or null; no other one is let in. */
  assistantKey?: string | null | undefined;
  /** Same key and same payload: the same turn; another payload: IdempotencyConflict. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** An answer, or the question itself. */
  messageId: string;
  /** What to do when the conversation is busy, which a turn in the background does not make it. */
  whenBusy?: WhenBusy | null | undefined;
};

/** An answer to an approval. */
export type ResolveApprovalInput = {
  /** An approval’s id. */
  approvalId: string;
  /** True: the skill is carried out. False: it is not. */
  approve: boolean;
  /** Instead of the arguments that the model wrote: a JSON object that fits the skill’s schema. CONFLICT when it was allowed with others. */
  arguments?: unknown;
  /** For the model, why it was answered so: at most 1000 characters. */
  comment?: string | null | undefined;
};

/** How a skill call stands. */
export type SkillCallStatus =
  /** A person did not allow it. */
  | 'DENIED'
  /** It gave an error, which the model was told. */
  | 'FAILED'
  /** It is being carried out. */
  | 'RUNNING'
  /** It gave a result. */
  | 'SUCCEEDED'
  /** It was broken off: nobody knows what it did. */
  | 'UNKNOWN';

/** A question. */
export type StartTurnInput = {
  /** What the answer has to fit: a JSON Schema (2020-12) of type object, at most 64,000 characters, with local references alone. The answer then is JSON with a DataPart; one that does not fit fails the turn with ANSWER_INVALID. Null: the answer is free. */
  answerSchema?: unknown;
  /** Who is to answer; needed for a new conversation only. */
  assistantKey?: string | null | undefined;
  /** Attachments of the viewer’s, at most 20: of this conversation, or of none yet. Null with replacesMessageId: those of that question. */
  attachmentIds?: Array<string> | null | undefined;
  /** What whoever follows the turn carries out for it: at most 20 skills, of 64,000 characters of JSON together. regenerate keeps them. */
  clientSkills?: Array<ClientSkillInput> | null | undefined;
  /** Null: a new conversation, with assistantKey. NOT_FOUND for any other that is not the viewer’s. */
  conversationId?: string | null | undefined;
  /** Restricts the turn to these documents, at most 100; others are not read in it. One that is still being read does not hold it up: the answer says so. */
  documentIds?: Array<string> | null | undefined;
  /** Same key and same payload: the same turn; another payload: IdempotencyConflict. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** 1 to 100000 characters, of which people see some. */
  message: string;
  /** The message that the question follows; null: the last of the path that is shown. What followed it so far stays, as another branch. */
  parentId?: string | null | undefined;
  /** The question is a new version of this one: it stands in its place, as another branch. Not together with parentId. */
  replacesMessageId?: string | null | undefined;
  /** What to do when the conversation is busy, which a turn in the background does not make it. */
  whenBusy?: WhenBusy | null | undefined;
};

/** Why text is withdrawn. */
export type TextResetReason =
  /** The text led up to a skill call and is not the answer. */
  | 'PREAMBLE'
  /** The step is being run again, or the text was thoughts of the model. */
  | 'RETRIED';

/** How a turn stands. */
export type TurnStatus =
  /** It was ended early; what there was of the answer is kept. */
  | 'CANCELLED'
  /** It was answered. */
  | 'COMPLETED'
  /** It could not be answered: see error. */
  | 'FAILED'
  /** It goes on without anybody having to wait for it. */
  | 'IN_BACKGROUND'
  /** It waits to be run. */
  | 'QUEUED'
  /** It is being answered. */
  | 'RUNNING'
  /** It waits for people to allow skills, and for nothing else. */
  | 'WAITING_FOR_APPROVAL'
  /** It waits for its member to give something, and maybe for approvals: see pendingInputs. */
  | 'WAITING_FOR_INPUT';

/** What to do when the conversation is busy: when it has a turn under way, waiting for people, or in line. One that was moved to the background does not keep it busy. */
export type WhenBusy =
  /** Wait in line, in the order of asking. */
  | 'ENQUEUE'
  /** End the turns that keep it busy as SUPERSEDED, and go first. One in the background goes on; cancelTurn ends it. */
  | 'INTERRUPT'
  /** Answer TurnInProgress and store nothing. */
  | 'REJECT';

export type StartTurnMutationVariables = Exact<{
  input: StartTurnInput;
}>;

export type StartTurnMutation = {
  startTurn:
    | { __typename: 'IdempotencyConflict'; message: string; firstTurn: { id: string } }
    | { __typename: 'QuotaExceeded'; message: string; resetsAt: string | null }
    | { __typename: 'TurnAccepted'; turn: { id: string }; conversation: { id: string } }
    | { __typename: 'TurnInProgress'; message: string; activeTurn: { id: string } };
};

export type RegenerateMutationVariables = Exact<{
  input: RegenerateInput;
}>;

export type RegenerateMutation = {
  regenerate:
    | { __typename: 'IdempotencyConflict'; message: string; firstTurn: { id: string } }
    | { __typename: 'QuotaExceeded'; message: string; resetsAt: string | null }
    | { __typename: 'TurnAccepted'; turn: { id: string }; conversation: { id: string } }
    | { __typename: 'TurnInProgress'; message: string; activeTurn: { id: string } };
};

type StartTurnResult_IdempotencyConflict_Fragment = {
  __typename: 'IdempotencyConflict';
  message: string;
  firstTurn: { id: string };
};

type StartTurnResult_QuotaExceeded_Fragment = {
  __typename: 'QuotaExceeded';
  message: string;
  resetsAt: string | null;
};

type StartTurnResult_TurnAccepted_Fragment = {
  __typename: 'TurnAccepted';
  turn: { id: string };
  conversation: { id: string };
};

type StartTurnResult_TurnInProgress_Fragment = {
  __typename: 'TurnInProgress';
  message: string;
  activeTurn: { id: string };
};

export type StartTurnResultFragment =
  | StartTurnResult_IdempotencyConflict_Fragment
  | StartTurnResult_QuotaExceeded_Fragment
  | StartTurnResult_TurnAccepted_Fragment
  | StartTurnResult_TurnInProgress_Fragment;

export type CancelTurnMutationVariables = Exact<{
  id: string;
}>;

export type CancelTurnMutation = { cancelTurn: { id: string; status: TurnStatus } };

export type ResolveApprovalMutationVariables = Exact<{
  input: ResolveApprovalInput;
}>;

export type ResolveApprovalMutation = { resolveApproval: { id: string; status: PendingStatus } };

export type AnswerInputMutationVariables = Exact<{
  input: AnswerInputInput;
}>;

export type AnswerInputMutation = {
  answerInput:
    | { id: string; status: PendingStatus }
    | { id: string; status: PendingStatus }
    | { id: string; status: PendingStatus }
    | { id: string; status: PendingStatus };
};

export type CreateAttachmentUploadMutationVariables = Exact<{
  input: CreateAttachmentUploadInput;
}>;

export type CreateAttachmentUploadMutation = {
  createAttachmentUpload: { url: string; method: string; headers: unknown; attachment: { id: string } };
};

export type CreateDocumentUploadMutationVariables = Exact<{
  input: CreateDocumentUploadInput;
}>;

export type CreateDocumentUploadMutation = {
  createDocumentUpload: { url: string; method: string; headers: unknown; document: { id: string } };
};

export type DocumentProgressSubscriptionVariables = Exact<{
  documentId: string;
}>;

export type DocumentProgressSubscription = {
  documentProgress: {
    id: string;
    name: string;
    status: DocumentStatus;
    progress: number;
    pages: number | null;
    passages: number | null;
    error: string | null;
    warnings: Array<string>;
  };
};

export type TurnEventsSubscriptionVariables = Exact<{
  turnId: string;
  after: number;
}>;

export type TurnEventsSubscription = {
  turnEvents:
    | {
        __typename: 'ApprovalRequested';
        turnId: string;
        sequence: number;
        at: string;
        approval: {
          id: string;
          turnId: string;
          skill: string;
          arguments: unknown;
          reason: string | null;
          status: PendingStatus;
          expiresAt: string;
        };
      }
    | {
        __typename: 'InputRequested';
        turnId: string;
        sequence: number;
        at: string;
        input:
          | {
              id: string;
              turnId: string;
              kind: PendingInputKind;
              status: PendingStatus;
              expiresAt: string;
              askedByName: string | null;
              askedIn: string | null;
            }
          | {
              callId: string;
              skill: string;
              arguments: unknown;
              id: string;
              turnId: string;
              kind: PendingInputKind;
              status: PendingStatus;
              expiresAt: string;
              askedByName: string | null;
              askedIn: string | null;
            }
          | {
              server: string;
              message: string;
              url: string | null;
              id: string;
              turnId: string;
              kind: PendingInputKind;
              status: PendingStatus;
              expiresAt: string;
              askedByName: string | null;
              askedIn: string | null;
              schema: unknown;
            }
          | {
              prompt: string;
              responseSchema: unknown;
              id: string;
              turnId: string;
              kind: PendingInputKind;
              status: PendingStatus;
              expiresAt: string;
              askedByName: string | null;
              askedIn: string | null;
            };
      }
    | {
        __typename: 'InputResolved';
        inputId: string;
        inputStatus: PendingStatus;
        turnId: string;
        sequence: number;
        at: string;
      }
    | {
        __typename: 'MovedToBackground';
        reason: string | null;
        message: string;
        turnId: string;
        sequence: number;
        at: string;
      }
    | {
        __typename: 'PlanDecided';
        action: PlanAction;
        nextSkill: string | null;
        reason: string | null;
        turnId: string;
        sequence: number;
        at: string;
      }
    | { __typename: 'ReasoningDelta'; text: string; turnId: string; sequence: number; at: string }
    | {
        __typename: 'SkillFinished';
        callId: string;
        skill: string;
        callStatus: SkillCallStatus;
        resultPreview: string;
        durationMs: number;
        turnId: string;
        sequence: number;
        at: string;
      }
    | { __typename: 'SkillLoaded'; skill: string; turnId: string; sequence: number; at: string }
    | {
        __typename: 'SkillStarted';
        callId: string;
        skill: string;
        arguments: unknown;
        turnId: string;
        sequence: number;
        at: string;
      }
    | {
        __typename: 'SourcesFound';
        turnId: string;
        sequence: number;
        at: string;
        sources: Array<{
          marker: number;
          documentId: string;
          documentName: string;
          page: number | null;
          quote: string;
          score: number;
        }>;
      }
    | {
        __typename: 'StatusChanged';
        status: TurnStatus;
        detail: string | null;
        turnId: string;
        sequence: number;
        at: string;
      }
    | { __typename: 'TextDelta'; text: string; turnId: string; sequence: number; at: string }
    | { __typename: 'TextReset'; cause: TextResetReason; turnId: string; sequence: number; at: string }
    | {
        __typename: 'TurnDone';
        status: TurnStatus;
        finishReason: FinishReason;
        messageId: string | null;
        turnId: string;
        sequence: number;
        at: string;
        usage: {
          inputTokens: number;
          outputTokens: number;
          cachedInputTokens: number;
          modelCalls: number;
          skillCalls: number;
          costUsd: number | null;
        };
        error: { code: string; message: string; retryable: boolean } | null;
      };
};

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, unknown> | undefined;

  constructor(value: string, __meta__?: Record<string, unknown> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const StartTurnResultFragmentDoc = new TypedDocumentString(
  `
    fragment StartTurnResult on StartTurnResult {
  __typename
  ... on TurnAccepted {
    turn {
      id
    }
    conversation {
      id
    }
  }
  ... on Refusal {
    message
  }
  ... on TurnInProgress {
    activeTurn {
      id
    }
  }
  ... on IdempotencyConflict {
    firstTurn {
      id
    }
  }
  ... on QuotaExceeded {
    resetsAt
  }
}
    `,
  { fragmentName: 'StartTurnResult' },
) as unknown as TypedDocumentString<StartTurnResultFragment, unknown>;
export const StartTurnDocument = new TypedDocumentString(`
    mutation StartTurn($input: StartTurnInput!) {
  startTurn(input: $input) {
    ...StartTurnResult
  }
}
    fragment StartTurnResult on StartTurnResult {
  __typename
  ... on TurnAccepted {
    turn {
      id
    }
    conversation {
      id
    }
  }
  ... on Refusal {
    message
  }
  ... on TurnInProgress {
    activeTurn {
      id
    }
  }
  ... on IdempotencyConflict {
    firstTurn {
      id
    }
  }
  ... on QuotaExceeded {
    resetsAt
  }
}`) as unknown as TypedDocumentString<StartTurnMutation, StartTurnMutationVariables>;
export const RegenerateDocument = new TypedDocumentString(`
    mutation Regenerate($input: RegenerateInput!) {
  regenerate(input: $input) {
    ...StartTurnResult
  }
}
    fragment StartTurnResult on StartTurnResult {
  __typename
  ... on TurnAccepted {
    turn {
      id
    }
    conversation {
      id
    }
  }
  ... on Refusal {
    message
  }
  ... on TurnInProgress {
    activeTurn {
      id
    }
  }
  ... on IdempotencyConflict {
    firstTurn {
      id
    }
  }
  ... on QuotaExceeded {
    resetsAt
  }
}`) as unknown as TypedDocumentString<RegenerateMutation, RegenerateMutationVariables>;
export const CancelTurnDocument = new TypedDocumentString(`
    mutation CancelTurn($id: ID!) {
  cancelTurn(id: $id) {
    id
    status
  }
}
    `) as unknown as TypedDocumentString<CancelTurnMutation, CancelTurnMutationVariables>;
export const ResolveApprovalDocument = new TypedDocumentString(`
    mutation ResolveApproval($input: ResolveApprovalInput!) {
  resolveApproval(input: $input) {
    id
    status
  }
}
    `) as unknown as TypedDocumentString<ResolveApprovalMutation, ResolveApprovalMutationVariables>;
export const AnswerInputDocument = new TypedDocumentString(`
    mutation AnswerInput($input: AnswerInputInput!) {
  answerInput(input: $input) {
    id
    status
  }
}
    `) as unknown as TypedDocumentString<AnswerInputMutation, AnswerInputMutationVariables>;
export const CreateAttachmentUploadDocument = new TypedDocumentString(`
    mutation CreateAttachmentUpload($input: CreateAttachmentUploadInput!) {
  createAttachmentUpload(input: $input) {
    attachment {
      id
    }
    url
    method
    headers
  }
}
    `) as unknown as TypedDocumentString<
  CreateAttachmentUploadMutation,
  CreateAttachmentUploadMutationVariables
>;
export const CreateDocumentUploadDocument = new TypedDocumentString(`
    mutation CreateDocumentUpload($input: CreateDocumentUploadInput!) {
  createDocumentUpload(input: $input) {
    document {
      id
    }
    url
    method
    headers
  }
}
    `) as unknown as TypedDocumentString<CreateDocumentUploadMutation, CreateDocumentUploadMutationVariables>;
export const DocumentProgressDocument = new TypedDocumentString(`
    subscription DocumentProgress($documentId: ID!) {
  documentProgress(documentId: $documentId) {
    id
    name
    status
    progress
    pages
    passages
    error
    warnings
  }
}
    `) as unknown as TypedDocumentString<DocumentProgressSubscription, DocumentProgressSubscriptionVariables>;
export const TurnEventsDocument = new TypedDocumentString(`
    subscription TurnEvents($turnId: ID!, $after: Int!) {
  turnEvents(turnId: $turnId, after: $after) {
    __typename
    turnId
    sequence
    at
    ... on StatusChanged {
      status
      detail
    }
    ... on TextDelta {
      text
    }
    ... on TextReset {
      cause
    }
    ... on ReasoningDelta {
      text
    }
    ... on PlanDecided {
      action
      nextSkill
      reason
    }
    ... on SkillStarted {
      callId
      skill
      arguments
    }
    ... on SkillFinished {
      callId
      skill
      callStatus
      resultPreview
      durationMs
    }
    ... on SkillLoaded {
      skill
    }
    ... on SourcesFound {
      sources {
        marker
        documentId
        documentName
        page
        quote
        score
      }
    }
    ... on ApprovalRequested {
      approval {
        id
        turnId
        skill
        arguments
        reason
        status
        expiresAt
      }
    }
    ... on InputRequested {
      input {
        id
        turnId
        kind
        status
        expiresAt
        askedByName
        askedIn
        ... on Question {
          prompt
          responseSchema
        }
        ... on ClientSkillCall {
          callId
          skill
          arguments
        }
        ... on McpInputRequest {
          server
          message
          schema: responseSchema
          url
        }
      }
    }
    ... on InputResolved {
      inputId
      inputStatus
    }
    ... on MovedToBackground {
      reason
      message
    }
    ... on TurnDone {
      status
      finishReason
      messageId
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
    }
  }
}
    `) as unknown as TypedDocumentString<TurnEventsSubscription, TurnEventsSubscriptionVariables>;
