import { graphql } from '../api/graphql.js';
import type { ListedSkillFragment } from '../gql/graphql.js';

export type ListedSkill = ListedSkillFragment;

export const listedSkill = graphql(`
  fragment ListedSkill on Skill {
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
    changes
    leastRole
    assistants
    warnings
    inputSchema
  }
`);

export const skillsQuery = graphql(`
  query Skills {
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

export const setAccessMutation = graphql(`
  mutation SetSkillAccess($key: String!, $leastRole: Role!, $assistants: [String!]) {
    setSkillAccess(key: $key, leastRole: $leastRole, assistants: $assistants) {
      id
      leastRole
      assistants
    }
  }
`);
