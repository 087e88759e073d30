/**
 * @generated SignedSource<<4cf2bcb8680d5fa85b403796340b86bf>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type FinishReason = "ANSWERED" | "CANCELLED" | "ERROR" | "MAX_SECONDS" | "MAX_STEPS" | "MAX_TOKENS" | "SUPERSEDED" | "%future added value";
export type SkillCallStatus = "DENIED" | "FAILED" | "RUNNING" | "SUCCEEDED" | "UNKNOWN" | "%future added value";
export type TextResetReason = "PREAMBLE" | "RETRIED" | "%future added value";
export type TurnStatus = "CANCELLED" | "COMPLETED" | "FAILED" | "IN_BACKGROUND" | "QUEUED" | "RUNNING" | "WAITING_FOR_APPROVAL" | "WAITING_FOR_INPUT" | "%future added value";
export type askTurnEventsSubscription$variables = {
  after: number;
  turnId: string;
};
export type askTurnEventsSubscription$data = {
  readonly turnEvents: {
    readonly __typename: string;
    readonly arguments?: unknown;
    readonly at: string;
    readonly callId?: string;
    readonly callStatus?: SkillCallStatus;
    readonly cause?: TextResetReason;
    readonly durationMs?: number;
    readonly error?: {
      readonly code: string;
      readonly message: string;
      readonly retryable: boolean;
    } | null | undefined;
    readonly finishReason?: FinishReason;
    readonly messageId?: string | null | undefined;
    readonly resultPreview?: string;
    readonly sequence: number;
    readonly skill?: string;
    readonly status?: TurnStatus;
    readonly text?: string;
    readonly turnId: string;
  };
};
export type askTurnEventsSubscription = {
  response: askTurnEventsSubscription$data;
  variables: askTurnEventsSubscription$variables;
};

const node: ConcreteRequest = (function(){
var v0 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "after"
},
v1 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "turnId"
},
v2 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "callId",
  "storageKey": null
},
v3 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "skill",
  "storageKey": null
},
v4 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "after",
        "variableName": "after"
      },
      {
        "kind": "Variable",
        "name": "turnId",
        "variableName": "turnId"
      }
    ],
    "concreteType": null,
    "kind": "LinkedField",
    "name": "turnEvents",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "__typename",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "turnId",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "sequence",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "at",
        "storageKey": null
      },
      {
        "kind": "InlineFragment",
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "text",
            "storageKey": null
          }
        ],
        "type": "TextDelta",
        "abstractKey": null
      },
      {
        "kind": "InlineFragment",
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "cause",
            "storageKey": null
          }
        ],
        "type": "TextReset",
        "abstractKey": null
      },
      {
        "kind": "InlineFragment",
        "selections": [
          (v2/*:: as any*/),
          (v3/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "arguments",
            "storageKey": null
          }
        ],
        "type": "SkillStarted",
        "abstractKey": null
      },
      {
        "kind": "InlineFragment",
        "selections": [
          (v2/*:: as any*/),
          (v3/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "callStatus",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "resultPreview",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "durationMs",
            "storageKey": null
          }
        ],
        "type": "SkillFinished",
        "abstractKey": null
      },
      {
        "kind": "InlineFragment",
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "status",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "finishReason",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "messageId",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "concreteType": "TurnError",
            "kind": "LinkedField",
            "name": "error",
            "plural": false,
            "selections": [
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "code",
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "message",
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "retryable",
                "storageKey": null
              }
            ],
            "storageKey": null
          }
        ],
        "type": "TurnDone",
        "abstractKey": null
      }
    ],
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": [
      (v0/*:: as any*/),
      (v1/*:: as any*/)
    ],
    "kind": "Fragment",
    "metadata": null,
    "name": "askTurnEventsSubscription",
    "selections": (v4/*:: as any*/),
    "type": "Subscription",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [
      (v1/*:: as any*/),
      (v0/*:: as any*/)
    ],
    "kind": "Operation",
    "name": "askTurnEventsSubscription",
    "selections": (v4/*:: as any*/)
  },
  "params": {
    "cacheID": "951d87cfd50db5f7a2223374c885d015",
    "id": null,
    "metadata": {},
    "name": "askTurnEventsSubscription",
    "operationKind": "subscription",
    "text": "subscription askTurnEventsSubscription(\n  $turnId: ID!\n  $after: Int!\n) {\n  turnEvents(turnId: $turnId, after: $after) {\n    __typename\n    turnId\n    sequence\n    at\n    ... on TextDelta {\n      text\n    }\n    ... on TextReset {\n      cause\n    }\n    ... on SkillStarted {\n      callId\n      skill\n      arguments\n    }\n    ... on SkillFinished {\n      callId\n      skill\n      callStatus\n      resultPreview\n      durationMs\n    }\n    ... on TurnDone {\n      status\n      finishReason\n      messageId\n      error {\n        code\n        message\n        retryable\n      }\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "69053cc2c79258faf29faef91728bbed";

export default node;
