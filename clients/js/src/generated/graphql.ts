/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> =
  T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** The outcome of a client skill: a result or an error. */
export type AnswerClientSkillInput = {
  /** Why there is no result, for the model: at most 1000 characters. */
  error?: string | null | undefined;
  /** The id of the ClientSkillCall. */
  id: string;
  /** The result: at most 500000 characters of JSON. The model receives it as external data, cut to what it can read. */
  result?: unknown;
};

/** An answer, by the kind of the input. */
export type AnswerInputInput =
  | {
      /** The decision on an APPROVAL, as in resolveApproval. */
      approval: ResolveApprovalInput;
      clientSkill?: never;
      mcp?: never;
      question?: never;
    }
  | {
      approval?: never; /** The outcome of a CLIENT_SKILL. */
      clientSkill: AnswerClientSkillInput;
      mcp?: never;
      question?: never;
    }
  | {
      approval?: never;
      clientSkill?: never; /** The answer to an MCP_INPUT. */
      mcp: AnswerQuestionInput;
      question?: never;
    }
  | {
      approval?: never;
      clientSkill?: never;
      mcp?: never; /** The answer to a QUESTION. */
      question: AnswerQuestionInput;
    };

/** An answer to a question from the model or from an MCP server. */
export type AnswerQuestionInput = {
  /** True: the member declines to answer. The model is told. */
  declined?: boolean | null | undefined;
  /** The id of the question. */
  id: string;
  /** The answer, which fits responseSchema: at most 100000 characters of JSON. Omit it if that is null. */
  value?: unknown;
};

/** A skill that the client runs: see ClientSkillCall. */
export type ClientSkillInput = {
  /** For the model: what the skill does and when to use it. At most 2000 characters. */
  description: string;
  /** Its name for the model: 1 to 64 letters, digits, underscores and hyphens. Not a key of the company’s skills. */
  key: string;
  /** The JSON Schema (2020-12) of the arguments, of type object. */
  parameters: unknown;
  /** The client’s time to answer a call: 1 to 86400 seconds. Then the model is told that there was no answer. */
  timeoutSeconds?: number | null | undefined;
};

/** A file to upload for one conversation. */
export type CreateAttachmentUploadInput = {
  /** The size in bytes. The upload cannot exceed it. Images: at most 20000000. */
  bytes: number;
  /** One of the viewer’s conversations. Null: the one that startTurn will create, within a day. */
  conversationId?: string | null | undefined;
  /** The media type. image/png, image/jpeg, image/webp and image/gif are shown to the model; all other types are read. Empty if unknown: the name decides. */
  mediaType: string;
  /** The file name, with extension: at most 200 characters. */
  name: string;
};

/** A file to upload. */
export type CreateDocumentUploadInput = {
  /** The size in bytes. The upload cannot exceed it. */
  bytes: number;
  /** The media type, such as application/pdf. Empty if unknown. The actual type is detected from the bytes. */
  mediaType: string;
  /** The file name, with extension: at most 200 characters. */
  name: string;
};

/** The status of a document. */
export type DocumentStatus =
  /** It can be searched and cited. */
  | 'COMPLETED'
  /** It could not be processed: see error. Nothing of it can be found. */
  | 'FAILED'
  /** It waits for its bytes, or to be processed. */
  | 'PENDING'
  /** It is being processed. */
  | 'PROCESSING';

/** Why a turn ended. */
export type FinishReason =
  /** The model answered. */
  | 'ANSWERED'
  /** It was cancelled, or the asker lost access. */
  | 'CANCELLED'
  /** It failed. */
  | 'ERROR'
  /** The time budget was used up. It answered with what it had. */
  | 'MAX_SECONDS'
  /** The budget of model calls was used up. It answered with what it had. */
  | 'MAX_STEPS'
  /** The answer was cut off at the token limit. */
  | 'MAX_TOKENS'
  /** A later question in the conversation interrupted it. */
  | 'SUPERSEDED';

/** The kinds of input that a turn can wait for. */
export type PendingInputKind =
  /** Permission to run a skill. */
  | 'APPROVAL'
  /** The outcome of a skill that the client runs. */
  | 'CLIENT_SKILL'
  /** Information that an MCP server asks of the member. */
  | 'MCP_INPUT'
  /** An answer to the model’s question. */
  | 'QUESTION';

/** The status of an input that a turn waits for. */
export type PendingStatus =
  /** It was answered. For a client skill, this includes an error. */
  | 'ANSWERED'
  /** It was approved. */
  | 'APPROVED'
  /** Its turn has ended, so no answer is needed any more. */
  | 'CANCELLED'
  /** The member declined to answer. */
  | 'DECLINED'
  /** It was denied. */
  | 'DENIED'
  /** There was no answer in time, which counts as declined or denied. For an approval, also that its turn has ended. */
  | 'EXPIRED'
  /** It is not answered yet. */
  | 'PENDING';

/** The decision of a planner. */
export type PlanAction =
  /** Call a skill to find out more. */
  | 'CALL_SKILL'
  /** Continue without making the asker wait. */
  | 'CONTINUE_IN_BACKGROUND'
  /** Write the answer. */
  | 'SYNTHESIZE';

/** A question to answer again. */
export type RegenerateInput = {
  /** The assistant that answers. Default: the conversation’s, which answers later questions in any case. BAD_USER_INPUT if it is archived. */
  assistantKey?: string | null | undefined;
  /** The same key with the same payload returns the same turn, and with another payload IdempotencyConflict. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** The answer to regenerate, or its question. */
  messageId: string;
  /** What to do if the conversation is busy. A turn in the background does not make it busy. */
  whenBusy?: WhenBusy | null | undefined;
};

/** The decision on an approval. */
export type ResolveApprovalInput = {
  /** The id of the approval. */
  approvalId: string;
  /** True: run the skill. False: do not run it. */
  approve: boolean;
  /** Replaces the model’s arguments: a JSON object that fits the skill’s schema. CONFLICT if the call was already approved with others. */
  arguments?: unknown;
  /** The reason for the decision, for the model: at most 1000 characters. */
  comment?: string | null | undefined;
};

/** The status of a skill call. */
export type SkillCallStatus =
  /** A person denied it. */
  | 'DENIED'
  /** It returned an error, and the model was told. */
  | 'FAILED'
  /** It is running. */
  | 'RUNNING'
  /** It returned a result. */
  | 'SUCCEEDED'
  /** It was interrupted. Its effects are unknown. */
  | 'UNKNOWN';

/** A question. */
export type StartTurnInput = {
  /** The JSON Schema (2020-12) of the answer: type object, at most 64000 characters, local references only. The answer is then JSON with a DataPart. If it does not fit, the turn fails with ANSWER_INVALID. Null: free text. */
  answerSchema?: unknown;
  /** The assistant that answers. Required for a new conversation. Otherwise it must be the conversation’s own. */
  assistantKey?: string | null | undefined;
  /** Attachments of the viewer, at most 20, of this conversation or of none yet. Null with replacesMessageId: those of that question. */
  attachmentIds?: Array<string> | null | undefined;
  /** The skills that the client runs for this turn: at most 20, and 64000 characters of JSON in total. regenerate keeps them. */
  clientSkills?: Array<ClientSkillInput> | null | undefined;
  /** The conversation. Null: a new one with assistantKey. NOT_FOUND if it is not the viewer’s. */
  conversationId?: string | null | undefined;
  /** Limits the turn to these documents, at most 100. It reads no others. Documents that are still being processed do not delay it; the answer mentions them. */
  documentIds?: Array<string> | null | undefined;
  /** The same key with the same payload returns the same turn, and with another payload IdempotencyConflict. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** 1 to 100000 characters, at least one of them visible. */
  message: string;
  /** The message before the question. Null: the last message of the shown path. Existing replies to it stay as another branch. */
  parentId?: string | null | undefined;
  /** The question to replace. The new version becomes another branch in the same place. Not allowed together with parentId. */
  replacesMessageId?: string | null | undefined;
  /** What to do if the conversation is busy. A turn in the background does not make it busy. */
  whenBusy?: WhenBusy | null | undefined;
};

/** Why text is discarded. */
export type TextResetReason =
  /** The text came before a skill call. It is not the answer. */
  | 'PREAMBLE'
  /** The step runs again, or the text was the model’s reasoning. */
  | 'RETRIED';

/** The status of a turn. */
export type TurnStatus =
  /** It was ended early. If the answer had begun, that part is kept. */
  | 'CANCELLED'
  /** It was answered. */
  | 'COMPLETED'
  /** It failed: see error. */
  | 'FAILED'
  /** It continues in the background. Nobody has to wait. */
  | 'IN_BACKGROUND'
  /** It waits to run. */
  | 'QUEUED'
  /** It is running. */
  | 'RUNNING'
  /** It waits only for approvals. */
  | 'WAITING_FOR_APPROVAL'
  /** It waits for input from its member, and possibly for approvals: see pendingInputs. */
  | 'WAITING_FOR_INPUT';

/** What to do if the conversation is busy: if it has a turn that is running, queued or waiting for people. A turn in the background does not make it busy. */
export type WhenBusy =
  /** Queue the turn, in order of asking. */
  | 'ENQUEUE'
  /** End the turns that keep it busy as SUPERSEDED, and run first. Background turns continue; cancelTurn ends them. */
  | 'INTERRUPT'
  /** Return TurnInProgress and store nothing. */
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
  language?: string;
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
    subscription DocumentProgress($documentId: ID!, $language: String! = "en") {
  documentProgress(documentId: $documentId) {
    id
    name
    status
    progress
    pages
    passages
    error(language: $language)
    warnings(language: $language)
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
