/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> =
  T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
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

/** How a question to a person stands. */
export type PendingStatus =
  /** It was allowed. */
  | 'APPROVED'
  /** It was not allowed. */
  | 'DENIED'
  /** Nobody answered in time, which counts as not allowed. */
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

/** An answer to a question. */
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
  /** Who is to answer; needed for a new conversation only. */
  assistantKey?: string | null | undefined;
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
  /** It waits for a person to allow a skill. */
  | 'WAITING_FOR_APPROVAL';

/** What to do when the conversation is busy: when it has a turn under way, waiting for approval, or in line. One that was moved to the background does not keep it busy. */
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
export const StartTurnDocument = new TypedDocumentString(
  `
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
}`,
  { hash: 'sha256:c29d56fd913833c8337595a6b7816635c7cd065616826a5cbe9078d9e4d8eaeb' },
) as unknown as TypedDocumentString<StartTurnMutation, StartTurnMutationVariables>;
export const RegenerateDocument = new TypedDocumentString(
  `
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
}`,
  { hash: 'sha256:ad616a9b9d007f3f96e489e5e24e2c1b2317aa52dea4b8883035c0ccc4015250' },
) as unknown as TypedDocumentString<RegenerateMutation, RegenerateMutationVariables>;
export const CancelTurnDocument = new TypedDocumentString(
  `
    mutation CancelTurn($id: ID!) {
  cancelTurn(id: $id) {
    id
    status
  }
}
    `,
  { hash: 'sha256:251204a6502a6b4f6e80713801196fa5829e8557bdda066b7225282e94a5f4cf' },
) as unknown as TypedDocumentString<CancelTurnMutation, CancelTurnMutationVariables>;
export const ResolveApprovalDocument = new TypedDocumentString(
  `
    mutation ResolveApproval($input: ResolveApprovalInput!) {
  resolveApproval(input: $input) {
    id
    status
  }
}
    `,
  { hash: 'sha256:859c6cc971bb0297e348afc6f4fbc0f75ea669c488bf6e62d4dadba0bc90b45a' },
) as unknown as TypedDocumentString<ResolveApprovalMutation, ResolveApprovalMutationVariables>;
export const CreateDocumentUploadDocument = new TypedDocumentString(
  `
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
    `,
  { hash: 'sha256:a21328f713973b324e85d594dfa1b8948283459d89ea2b9c8848cadb82a1e256' },
) as unknown as TypedDocumentString<CreateDocumentUploadMutation, CreateDocumentUploadMutationVariables>;
export const DocumentProgressDocument = new TypedDocumentString(
  `
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
    `,
  { hash: 'sha256:9a3ee313e76de677243386bb59903470bca53a13a2e1709f213623b5a2d019d1' },
) as unknown as TypedDocumentString<DocumentProgressSubscription, DocumentProgressSubscriptionVariables>;
export const TurnEventsDocument = new TypedDocumentString(
  `
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
    `,
  { hash: 'sha256:495cc59b0dc374e400a2cd602a0bcb6e58177609c868a5cb2dd71c46d7a20d6e' },
) as unknown as TypedDocumentString<TurnEventsSubscription, TurnEventsSubscriptionVariables>;
