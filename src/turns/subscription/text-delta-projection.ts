import {
  type DocumentNode,
  type ExecutionArgs,
  type FragmentDefinitionNode,
  getOperationAST,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';

import { DateTime } from '../../common/schema/scalars.js';
import type { TurnEvent } from '../turn-event.js';

type TextDelta = Extract<TurnEvent, { type: 'text-delta' }>;

/** What a subscription shows of a piece of text: the value of its one root field's response. */
export type TextDeltaProjection = (event: TextDelta) => Record<string, unknown>;

const FIELD = 'turnEvents';

/** A TextDelta's fields, as graphql-js would complete them. */
const readers: Record<string, (event: TextDelta) => unknown> = {
  __typename: () => 'TextDelta',
  turnId: ({ turnId }) => turnId,
  sequence: ({ sequence }) => sequence,
  at: ({ at }) => DateTime.serialize(at),
  text: ({ text }) => text,
};

/**
 * How to show pieces of text without executing the operation for each of them: nearly all events of a turn are text,
 * and graphql-js works out anew for each one what the selection says. Null: the operation asks in a way that is left
 * to graphql-js, such as with directives or for something else besides.
 */
export const textDeltaProjection = ({
  schema,
  document,
  operationName,
}: Pick<ExecutionArgs, 'schema' | 'document' | 'operationName'>): TextDeltaProjection | null => {
  const operation = getOperationAST(document, operationName);
  const [root, ...others] = operation?.selectionSet.selections ?? [];
  if (operation?.operation !== 'subscription' || root?.kind !== Kind.FIELD || others.length > 0) return null;
  if (root.name.value !== FIELD || !root.selectionSet || (root.directives ?? []).length > 0) return null;
  const fields = new Map<string, (event: TextDelta) => unknown>();
  const isObject = (name: string): boolean => isObjectType(schema.getType(name));
  if (!collect(root.selectionSet, fragmentsOf(document), isObject, fields)) return null;
  const response = root.alias?.value ?? FIELD;
  const entries = [...fields];
  return (event) => ({
    [response]: Object.fromEntries(entries.map(([name, read]) => [name, read(event)])),
  });
};

const fragmentsOf = (document: DocumentNode): Map<string, FragmentDefinitionNode> =>
  new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );

/** Adds what the selection shows of a TextDelta to `fields`, in its order. False: it is left to graphql-js. */
const collect = (
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  isObject: (typeName: string) => boolean,
  fields: Map<string, (event: TextDelta) => unknown>,
): boolean =>
  selections.every((selection) => {
    if ((selection.directives ?? []).length > 0) return false;
    if (selection.kind === Kind.FIELD) {
      const read = readers[selection.name.value];
      if (read) fields.set(selection.alias?.value ?? selection.name.value, read);
      return read !== undefined;
    }
    const fragment =
      selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
    const on = fragment?.typeCondition?.name.value ?? 'TurnEvent';
    if (!fragment) return false;
    if (on === 'TurnEvent' || on === 'TextDelta') {
      return collect(fragment.selectionSet, fragments, isObject, fields);
    }
    // Of another event's type, and so not of this one; other interfaces are left to graphql-js.
    return isObject(on);
  });
