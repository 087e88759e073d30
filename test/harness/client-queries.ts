const SKILL =
  'id key name description kind category active available unavailableReason requiresApproval inputSchema';
const PROMPT = 'version template publishedAt publishedBy note';
const APPROVAL = 'id turnId skill arguments reason status expiresAt';
const MEMORY = 'id kind subject content attributes active shared validFrom supersededBy createdAt';
const COMPANY =
  'id name sector country city headcount revenue { amount currency } profile { environmentalPractices declaredGoals attributes } language createdAt';
const PAGE = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

const ASSISTANT = `
  id key name language strategy model budget { maxSteps maxSeconds maxOutputTokens }
  prompt { ${PROMPT} } promptHistory { ${PROMPT} } skills { ${SKILL} }`;

const TURN = `
  id status finishReason lastSequence createdAt startedAt finishedAt error { code message retryable }
  usage { inputTokens outputTokens cachedInputTokens modelCalls skillCalls costUsd }
  skillCalls { id skill arguments status resultPreview startedAt finishedAt }
  approvals { ${APPROVAL} }`;

const MESSAGE = `
  id role status text createdAt turn { ${TURN} }
  citations { marker documentId documentName page quote score }`;

function conversations(first: number, messages: number): string {
  return `
  conversations(first: ${first}) {
    edges {
      cursor
      node {
        id title summary indexProgress createdAt updatedAt
        assistant { id key name } activeTurn { ${TURN} } activeProject { ${MEMORY} }
        messages(first: ${messages}) { edges { cursor node { ${MESSAGE} } } ${PAGE} }
      }
    }
    ${PAGE}
  }`;
}

/** All that the contract promises, asked for at once, as somebody does who writes a client by it. */
export const EVERYTHING = `{
  viewer { id name email role company { ${COMPANY} } }
  company { ${COMPANY} }
  assistants { ${ASSISTANT} }
  skills { ${SKILL} }
  pendingApprovals { ${APPROVAL} }
  ${conversations(100, 20)}
  memories(first: 100) { edges { cursor node { ${MEMORY} } } ${PAGE} }
  documents(first: 100) {
    edges { cursor node { id name mediaType bytes status error pages passages language progress createdAt } }
    ${PAGE}
  }
  notifications(first: 100) {
    edges { cursor node { id kind title body readAt createdAt turn { ${TURN} } } }
    ${PAGE}
  }
}`;

/** What a page shows that opens fifty conversations at once. */
export const FIFTY_CONVERSATIONS = `{ ${conversations(50, 50)} }`;

/** A page of an application, with fragments for all that it shows. */
export const APPLICATION = /* GraphQL */ `
  query Application {
    viewer {
      id
      name
      email
      role
      company {
        ...CompanyParts
      }
    }
    assistants {
      ...AssistantParts
    }
    skills {
      ...SkillParts
    }
    conversations(first: 20) {
      edges {
        cursor
        node {
          ...ConversationParts
        }
      }
      pageInfo {
        ...PageParts
      }
    }
  }
  fragment CompanyParts on Company {
    id
    name
    sector
    country
    city
    headcount
    language
    createdAt
    revenue {
      amount
      currency
    }
    profile {
      environmentalPractices
      declaredGoals
      attributes
    }
  }
  fragment SkillParts on Skill {
    id
    key
    name
    description
    kind
    category
    active
    available
    unavailableReason
    requiresApproval
    inputSchema
  }
  fragment AssistantParts on Assistant {
    id
    key
    name
    language
    strategy
    model
    budget {
      maxSteps
      maxSeconds
      maxOutputTokens
    }
  }
  fragment PageParts on PageInfo {
    hasNextPage
    hasPreviousPage
    startCursor
    endCursor
  }
  fragment ConversationParts on Conversation {
    id
    title
    summary
    createdAt
    updatedAt
    assistant {
      ...AssistantParts
    }
    activeTurn {
      ...TurnParts
    }
    messages(last: 20) {
      edges {
        cursor
        node {
          ...MessageParts
        }
      }
      pageInfo {
        ...PageParts
      }
    }
  }
  fragment MessageParts on Message {
    id
    role
    status
    text
    createdAt
    citations {
      marker
      documentId
      documentName
      page
      quote
      score
    }
    turn {
      ...TurnParts
    }
  }
  fragment TurnParts on Turn {
    id
    status
    finishReason
    lastSequence
    createdAt
    startedAt
    finishedAt
    usage {
      inputTokens
      outputTokens
      cachedInputTokens
      modelCalls
      skillCalls
      costUsd
    }
    skillCalls {
      id
      skill
      arguments
      status
      resultPreview
      startedAt
      finishedAt
    }
    error {
      code
      message
      retryable
    }
  }
`;
