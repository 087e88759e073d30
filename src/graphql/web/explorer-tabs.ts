export interface ExplorerTab {
  query: string;
  variables: string;
}

const ask = `# 1. Poser une question ;
# la réponse arrive dans l'onglet « Suivre ».
mutation Demander($input: StartTurnInput!) {
  startTurn(input: $input) {
    __typename
    ... on TurnAccepted {
      turn { id status }
      conversation { id title }
    }
    ... on Refusal { message }
  }
}
`;

const follow = `# 2. Suivre la réponse.
# turnId vide : le dernier tour lancé dans cette page.
# after: 0 rejoue tout, même si le tour est fini.
subscription Suivre($turnId: ID!, $after: Int = 0) {
  turnEvents(turnId: $turnId, after: $after) {
    __typename
    sequence
    ... on TextDelta { text }
    ... on TextReset { cause }
    ... on SkillStarted { skill arguments }
    ... on SkillFinished { skill callStatus resultPreview }
    ... on TurnDone {
      status
      finishReason
      usage { inputTokens outputTokens skillCalls }
      error { code message }
    }
  }
}
`;

const lookAround = `# 3. Qui suis-je, quels assistants,
# quelles conversations ?
query Visite {
  viewer { name role company { name country sector } }
  assistants { key name language strategy }
  conversations(first: 5) {
    edges { node { id title updatedAt } }
    pageInfo { hasNextPage endCursor }
  }
}
`;

/** The tabs at the first visit: a question, its answer as a stream, and a look around. */
export function explorerTabs({
  assistantKey,
  question,
}: {
  assistantKey: string;
  question: string;
}): ExplorerTab[] {
  return [
    { query: ask, variables: JSON.stringify({ input: { assistantKey, message: question } }, null, 2) },
    { query: follow, variables: JSON.stringify({ turnId: '', after: 0 }, null, 2) },
    { query: lookAround, variables: '' },
  ];
}
