import { graphql } from '../api/graphql.js';
import type { AssistantsScreenQuery } from '../gql/graphql.js';

export type ListedAssistant = AssistantsScreenQuery['assistants'][number];
export type PromptVersion = ListedAssistant['promptHistory'][number];

export const assistantsScreenQuery = graphql(`
  query AssistantsScreen {
    assistants {
      id
      key
      name
      language
      strategy
      model
      archived
      showsReasoning
      budget {
        maxSteps
        maxSeconds
        maxOutputTokens
      }
      prompt {
        version
        template
      }
      promptHistory {
        version
        template
        publishedAt
        publishedBy
        note
      }
    }
  }
`);

export const createAssistantMutation = graphql(`
  mutation CreateAssistant($input: CreateAssistantInput!) {
    createAssistant(input: $input) {
      id
      key
    }
  }
`);

export const copyAssistantMutation = graphql(`
  mutation CopyAssistant($key: String!, $newKey: String!, $name: String!) {
    copyAssistant(key: $key, newKey: $newKey, name: $name) {
      id
      key
    }
  }
`);

export const archiveAssistantMutation = graphql(`
  mutation ArchiveAssistant($key: String!, $archived: Boolean!) {
    archiveAssistant(key: $key, archived: $archived) {
      id
      archived
    }
  }
`);

export const updateAssistantMutation = graphql(`
  mutation UpdateAssistant($key: String!, $input: UpdateAssistantInput!) {
    updateAssistant(key: $key, input: $input) {
      id
    }
  }
`);

export const publishPromptMutation = graphql(`
  mutation PublishPrompt($assistantKey: String!, $template: String!, $note: String) {
    publishPrompt(assistantKey: $assistantKey, template: $template, note: $note) {
      version
    }
  }
`);

export const rollbackPromptMutation = graphql(`
  mutation RollbackPrompt($assistantKey: String!, $version: Int!) {
    rollbackPrompt(assistantKey: $assistantKey, version: $version) {
      version
    }
  }
`);
