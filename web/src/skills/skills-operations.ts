import { graphql } from '../api/graphql.js';
import type { ListedSkillFragment } from '../gql/graphql.js';

export type ListedSkill = ListedSkillFragment;

export const listedSkill = graphql(`
  fragment ListedSkill on Skill {
    id
    key
    name(language: $language)
    description(language: $language)
    kind
    category
    own
    active
    available
    unavailableReason(language: $language)
    requiresApproval
    exposed
    changes
    leastRole
    assistants
    warnings(language: $language)
    inputSchema
    lastWeek {
      calls
      failures
    }
  }
`);

export const skillsQuery = graphql(`
  query Skills($language: String!) {
    skills {
      ...ListedSkill
    }
    assistants {
      id
      key
      name
    }
  }
`);

export const setActiveMutation = graphql(`
  mutation SetSkillActive($key: String!, $active: Boolean!) {
    setSkillActive(key: $key, active: $active) {
      id
      active
    }
  }
`);

export const setApprovalMutation = graphql(`
  mutation SetSkillApproval($key: String!, $required: Boolean!) {
    setSkillApproval(key: $key, required: $required) {
      id
      requiresApproval
    }
  }
`);

export const setExposedMutation = graphql(`
  mutation SetSkillExposed($key: String!, $exposed: Boolean!) {
    setSkillExposed(key: $key, exposed: $exposed) {
      id
      exposed
    }
  }
`);

export const setAccessMutation = graphql(`
  mutation SetSkillAccess($key: String!, $leastRole: Role!, $assistants: [String!]) {
    setSkillAccess(key: $key, leastRole: $leastRole, assistants: $assistants) {
      id
      leastRole
      assistants
    }
  }
`);

export const deleteHttpSkillMutation = graphql(`
  mutation DeleteHttpSkill($key: String!) {
    deleteHttpSkill(key: $key)
  }
`);

export const deletePackMutation = graphql(`
  mutation DeletePack($key: String!) {
    deletePack(key: $key)
  }
`);

export const tryMutation = graphql(`
  mutation TryHttpSkill($key: String!, $arguments: JSON!) {
    tryHttpSkill(key: $key, arguments: $arguments) {
      durationMs
      error
      result
      request {
        method
        url
      }
      response {
        status
        mediaType
        bytes
        excerpt
      }
    }
  }
`);

export const previewMutation = graphql(`
  mutation PreviewOpenApi($input: OpenApiSourceInput!) {
    previewOpenApiImport(input: $input) {
      title
      serverUrl
      omitted
      credentials {
        name
        in
      }
      operations {
        operationId
        key
        method
        path
        summary
        isImportable
        problems
      }
    }
  }
`);

export const importMutation = graphql(`
  mutation ImportOpenApi($input: ImportOpenApiInput!) {
    importOpenApiOperations(input: $input) {
      skills {
        id
        name
      }
      refused {
        operationId
        reason
      }
    }
  }
`);

export const serversQuery = graphql(`
  query McpServers {
    mcpServersConnection(first: 100) {
      edges {
        node {
          id
          key
          url
          checkedAt
          failure
          notes
          authorization
          grantedAt
        }
      }
    }
    installedMcpServers {
      key
      state
      failure
      notes
      tools
    }
  }
`);

export const registerServerMutation = graphql(`
  mutation RegisterMcpServer($input: RegisterMcpServerInput!) {
    registerMcpServer(input: $input) {
      id
      failure
    }
  }
`);

export const refreshServerMutation = graphql(`
  mutation RefreshMcpServer($key: String!) {
    refreshMcpServer(key: $key) {
      id
      checkedAt
      failure
      notes
    }
  }
`);

export const deleteServerMutation = graphql(`
  mutation DeleteMcpServer($key: String!) {
    deleteMcpServer(key: $key)
  }
`);

export const refusedPacksQuery = graphql(`
  query RefusedPacks {
    refusedPacks {
      path
      reason
    }
  }
`);

export const uploadPackMutation = graphql(`
  mutation CreateSkillUpload($input: CreateSkillUploadInput!) {
    createSkillUpload(input: $input) {
      url
      method
      headers
    }
  }
`);

export const authorizeServerMutation = graphql(`
  mutation AuthorizeMcpServer($input: AuthorizeMcpServerInput!) {
    authorizeMcpServer(input: $input) {
      url
      server {
        id
        authorization
        grantedAt
        failure
      }
    }
  }
`);

export const deauthorizeServerMutation = graphql(`
  mutation DeauthorizeMcpServer($key: String!) {
    deauthorizeMcpServer(key: $key) {
      id
      authorization
      grantedAt
    }
  }
`);
