import { graphql } from '../api/graphql.js';
import type { SchedulesQuery } from '../gql/graphql.js';

export const schedulesQuery = graphql(`
  query Schedules($after: String, $ofCompany: Boolean) {
    schedules(first: 20, after: $after, ofCompany: $ofCompany) {
      edges {
        node {
          id
          status
          pausedReason
          cron
          at
          timeZone
          nextAt
          message
          memberId
          missedRuns
          assistant {
            id
            name
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export type ListedSchedule = SchedulesQuery['schedules']['edges'][number]['node'];

export const scheduleRunsQuery = graphql(`
  query ScheduleRuns($id: ID!) {
    node(id: $id) {
      id
      ... on Schedule {
        runs(first: 50) {
          edges {
            cursor
            node {
              dueAt
              outcome
              reason
              turn {
                id
                status
                conversation {
                  id
                }
              }
            }
          }
        }
      }
    }
  }
`);

export const createScheduleMutation = graphql(`
  mutation CreateSchedule($input: CreateScheduleInput!) {
    createSchedule(input: $input) {
      id
    }
  }
`);

export const updateScheduleMutation = graphql(`
  mutation UpdateSchedule($input: UpdateScheduleInput!) {
    updateSchedule(input: $input) {
      id
    }
  }
`);

export const setScheduleActiveMutation = graphql(`
  mutation SetScheduleActive($id: ID!, $active: Boolean!) {
    setScheduleActive(id: $id, active: $active) {
      id
    }
  }
`);

export const runScheduleMutation = graphql(`
  mutation RunSchedule($id: ID!) {
    runSchedule(id: $id) {
      ... on TurnAccepted {
        conversation {
          id
        }
      }
      ... on Refusal {
        message
      }
    }
  }
`);

export const deleteScheduleMutation = graphql(`
  mutation DeleteSchedule($id: ID!) {
    deleteSchedule(id: $id)
  }
`);
