import { BREAK, type DocumentNode, GraphQLError, visit } from 'graphql';

import type { Introspection } from '../common/config/config.js';
import { DomainError } from '../common/errors/domain-error.js';
import type { Viewer } from '../companies/auth/viewer.js';

const SCHEMA_FIELDS = new Set(['__schema', '__type']);

/** Cached for documents that clients send repeatedly. */
const known = new WeakMap<DocumentNode, boolean>();

function asksForSchema(document: DocumentNode): boolean {
  let asks = known.get(document) ?? false;
  if (known.has(document)) return asks;
  visit(document, {
    Field({ name }) {
      asks = SCHEMA_FIELDS.has(name.value);
      return asks ? BREAK : undefined;
    },
  });
  known.set(document, asks);
  return asks;
}

/** Throws FORBIDDEN if the viewer may not read the schema. Strangers are refused before this, unless everybody may. */
export function requireSchema(shownTo: Introspection, viewer: Pick<Viewer, 'role'> | null): void {
  if (shownTo === 'on' || (shownTo === 'admins' && viewer !== null && viewer.role !== 'MEMBER')) return;
  const whom = shownTo === 'admins' ? 'admins alone' : 'nobody';
  throw new DomainError('FORBIDDEN', `This server shows its schema to ${whom}: see INTROSPECTION.`);
}

/** Why the document is refused: it reads the schema, which the viewer may not. Null: not refused. */
export function schemaError(
  document: DocumentNode,
  shownTo: Introspection,
  viewer: Pick<Viewer, 'role'> | null,
): GraphQLError | null {
  if (shownTo === 'on' || !asksForSchema(document)) return null;
  try {
    requireSchema(shownTo, viewer);
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { message, code } = error;
    return new GraphQLError(message, { originalError: error, extensions: { code, http: { status: 400 } } });
  }
}
