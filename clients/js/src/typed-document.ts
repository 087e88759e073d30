import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';

/**
 * A document with the types of its result and its variables, as graphql-codegen's client preset makes them with
 * `documentMode: 'string'`.
 */
export type TypedDocument<Data, Variables> = DocumentTypeDecoration<Data, Variables> & { toString(): string };

/** One operation as it is sent. */
export interface Operation {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

/** One result of an operation as it comes. */
export interface Result {
  readonly data?: unknown;
  readonly errors?: unknown;
}
