/** What the driver asks; the server that stores nothing knows all of it but `after` and CANCEL. */
export const START = /* GraphQL */ `
  mutation ($input: StartTurnInput!) {
    startTurn(input: $input) {
      __typename
      ... on TurnAccepted {
        turn {
          id
        }
      }
    }
  }
`;

export const CANCEL = /* GraphQL */ `
  mutation ($id: ID!) {
    cancelTurn(id: $id) {
      status
    }
  }
`;

export const ACTIVE_SKILLS = /* GraphQL */ `
  {
    skills {
      key
      active
    }
  }
`;

export const SWITCH_OFF = /* GraphQL */ `
  mutation ($key: String!) {
    setSkillActive(key: $key, active: false) {
      active
    }
  }
`;

function events(variables, argumentList) {
  /* GraphQL */
  return `
  subscription (${variables}) {
    turnEvents(${argumentList}) {
      __typename
      sequence
      ... on SkillStarted { callId skill }
      ... on SkillFinished { callId resultPreview }
      ... on TextDelta { text }
      ... on TurnDone { status finishReason }
    }
  }
`;
}
export const EVENTS = events('$turnId: ID!', 'turnId: $turnId');
export const EVENTS_AFTER = events('$turnId: ID!, $after: Int', 'turnId: $turnId, after: $after');
