import type { MemoryKind } from '../gql/graphql.js';

export const memoryKinds = ['PREFERENCE', 'PROJECT', 'CONTACT', 'FACT'] as const satisfies MemoryKind[];
