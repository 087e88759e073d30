/**
 * @generated SignedSource<<6e4205047926f4e6882251a85a99be5c>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type WhenBusy = "ENQUEUE" | "INTERRUPT" | "REJECT" | "%future added value";
export type StartTurnInput = {
  answerSchema?: unknown | null | undefined;
  assistantKey?: string | null | undefined;
  attachmentIds?: ReadonlyArray<string> | null | undefined;
  clientSkills?: ReadonlyArray<ClientSkillInput> | null | undefined;
  conversationId?: string | null | undefined;
  documentIds?: ReadonlyArray<string> | null | undefined;
  idempotencyKey?: string | null | undefined;
  message: string;
  parentId?: string | null | undefined;
  replacesMessageId?: string | null | undefined;
  whenBusy?: WhenBusy | null | undefined;
};
export type ClientSkillInput = {
  description: string;
  key: string;
  parameters: unknown;
  timeoutSeconds?: number | null | undefined;
};
export type askStartTurnMutation$variables = {
  input: StartTurnInput;
};
export type askStartTurnMutation$data = {
  readonly startTurn: {
    readonly __typename: string;
    readonly message?: string;
    readonly turn?: {
      readonly id: string;
    };
  };
};
export type askStartTurnMutation = {
  response: askStartTurnMutation$data;
  variables: askStartTurnMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "input"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "input",
        "variableName": "input"
      }
    ],
    "concreteType": null,
    "kind": "LinkedField",
    "name": "startTurn",
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
        "kind": "InlineFragment",
        "selections": [
          {
            "alias": null,
            "args": null,
            "concreteType": "Turn",
            "kind": "LinkedField",
            "name": "turn",
            "plural": false,
            "selections": [
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "id",
                "storageKey": null
              }
            ],
            "storageKey": null
          }
        ],
        "type": "TurnAccepted",
        "abstractKey": null
      },
      {
        "kind": "InlineFragment",
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "message",
            "storageKey": null
          }
        ],
        "type": "Refusal",
        "abstractKey": "__isRefusal"
      }
    ],
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "askStartTurnMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "askStartTurnMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "0cd6991d0f6441049ecf2c0dd14bbfdb",
    "id": null,
    "metadata": {},
    "name": "askStartTurnMutation",
    "operationKind": "mutation",
    "text": "mutation askStartTurnMutation(\n  $input: StartTurnInput!\n) {\n  startTurn(input: $input) {\n    __typename\n    ... on TurnAccepted {\n      turn {\n        id\n      }\n    }\n    ... on Refusal {\n      __isRefusal: __typename\n      message\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "e0c3d409285a96e1e3abbc5d3be9d81f";

export default node;
