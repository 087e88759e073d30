import {
  initialTurn,
  reduceTurn,
  type StartTurnInput,
  type TurnEvent,
  type TurnState,
} from '@palabre/client';
import { createClient } from 'graphql-ws';
import {
  commitMutation,
  Environment,
  graphql,
  Network,
  Observable,
  RecordSource,
  requestSubscription,
  Store,
} from 'relay-runtime';

import type { askStartTurnMutation } from './__generated__/askStartTurnMutation.graphql.js';
import type { askTurnEventsSubscription } from './__generated__/askTurnEventsSubscription.graphql.js';

export function connect(url: string, token: string): Environment {
  const headers = { authorization: `Bearer ${token}` };
  const socketUrl = `${url.replace(/^http/, 'ws')}/graphql`;
  const socket = createClient({ url: socketUrl, connectionParams: headers, shouldRetry: () => true });
  const network = Network.create(
    async ({ text: query }, variables) => {
      const body = JSON.stringify({ query, variables });
      const given = { ...headers, 'content-type': 'application/json' };
      return (await fetch(`${url}/graphql`, { method: 'POST', headers: given, body })).json();
    },
    ({ text }, variables) =>
      Observable.create((sink) =>
        socket.subscribe(
          { query: text ?? '', variables },
          { ...sink, next: (result) => sink.next(result as never) },
        ),
      ),
  );
  return new Environment({ network, store: new Store(new RecordSource()) });
}

const startTurn = graphql`
  mutation askStartTurnMutation($input: StartTurnInput!) {
    startTurn(input: $input) {
      __typename
      ... on TurnAccepted {
        turn {
          id
        }
      }
      ... on Refusal {
        message
      }
    }
  }
`;

const turnEvents = graphql`
  subscription askTurnEventsSubscription($turnId: ID!, $after: Int!) {
    turnEvents(turnId: $turnId, after: $after) {
      __typename
      turnId
      sequence
      at
      ... on TextDelta {
        text
      }
      ... on TextReset {
        cause
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
      ... on TurnDone {
        status
        finishReason
        messageId
        error {
          code
          message
          retryable
        }
      }
    }
  }
`;

/** Asks, and shows the turn as it goes. After a lost connection events come again: the reducer drops them. */
export async function ask(
  environment: Environment,
  input: StartTurnInput,
  show: (state: TurnState) => void,
): Promise<TurnState> {
  const turnId = await start(environment, input);
  return new Promise((resolve, reject) => {
    let state = initialTurn;
    requestSubscription<askTurnEventsSubscription>(environment, {
      subscription: turnEvents,
      variables: { turnId, after: 0 },
      onNext(data) {
        // What is not asked for above is not in the state.
        if (data) state = reduceTurn(state, data.turnEvents as unknown as TurnEvent);
        show(state);
      },
      onError: reject,
      onCompleted: () => resolve(state),
    });
  });
}

function start(environment: Environment, input: StartTurnInput): Promise<string> {
  return new Promise((resolve, reject) => {
    commitMutation<askStartTurnMutation>(environment, {
      mutation: startTurn,
      variables: { input: input as askStartTurnMutation['variables']['input'] },
      onCompleted({ startTurn }) {
        if (startTurn.turn) resolve(startTurn.turn.id);
        else reject(new Error(startTurn.message));
      },
      onError: reject,
    });
  });
}
