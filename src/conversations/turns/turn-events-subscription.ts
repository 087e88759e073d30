import {
  createSourceEventStream,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  subscribe,
  type DocumentNode,
  type FragmentDefinitionNode,
  getOperationAST,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';

import { DateTime } from '../../common/schema/fields.js';
import type { GraphQLContext, ResultSink } from '../../companies/auth/graphql-context.js';
import { type TextDeltaSink, TurnEvents } from './log/turn-events.js';
import type { TextDelta, TurnEvent } from './turn-event.js';

/** graphql-js's `subscribe`, except that TextDelta events are projected and sent directly where possible. */
export const subscribeToEvents: typeof subscribe = async (args) => {
  const project = textDeltaProjection(args);
  if (!project) return subscribe(args);
  const source = await createSourceEventStream(args);
  return Symbol.asyncIterator in source
    ? new Projected(source as AsyncIterable<TurnEvent>, args, project)
    : source;
};

/** Not a generator function, because one that awaits a silent turn stops only at the next event. */
class Projected implements AsyncGenerator<ExecutionResult, undefined> {
  private readonly events: AsyncIterator<TurnEvent>;

  constructor(
    source: AsyncIterable<TurnEvent>,
    private readonly args: ExecutionArgs,
    private readonly project: TextDeltaProjection,
  ) {
    this.events = source[Symbol.asyncIterator]();
    const context = args.contextValue as GraphQLContext | undefined;
    if (context?.results && source instanceof TurnEvents) source.handTextTo(textTo(context.results, project));
  }

  async next(): Promise<IteratorResult<ExecutionResult, undefined>> {
    const { done, value: event } = await this.events.next();
    if (done) return { done: true, value: undefined };
    const value =
      event.type === 'text-delta'
        ? { data: this.project(event) }
        : await execute({ ...this.args, rootValue: event });
    return { done: false, value };
  }

  async return(): Promise<IteratorResult<ExecutionResult, undefined>> {
    await this.events.return?.();
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<never> {
    await this.events.return?.();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }
}

function textTo(results: ResultSink, project: TextDeltaProjection): TextDeltaSink {
  return {
    get isReady() {
      return results.isReady;
    },
    take: (event) => results.take({ data: project(event) }),
  };
}

/** The response of a subscription to a TextDelta. */
type TextDeltaProjection = (event: TextDelta) => Record<string, unknown>;

const FIELD = 'turnEvents';

/** A TextDelta's fields, as graphql-js would complete them. */
const readers: Record<string, (event: TextDelta) => unknown> = {
  __typename: () => 'TextDelta',
  turnId: ({ turnId }) => turnId,
  sequence: ({ sequence }) => sequence,
  at: ({ at }) => DateTime.serialize(at),
  text: ({ text }) => text,
};

/** A fast way: nearly all events are text, and graphql-js collects the fields anew for each. Null: not possible. */
export function textDeltaProjection({
  schema,
  document,
  operationName,
}: Pick<ExecutionArgs, 'schema' | 'document' | 'operationName'>): TextDeltaProjection | null {
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
}

function fragmentsOf(document: DocumentNode): Map<string, FragmentDefinitionNode> {
  return new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );
}

/** Adds the selected fields of a TextDelta to `fields`, in order. False: only graphql-js can. */
function collect(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  isObject: (typeName: string) => boolean,
  fields: Map<string, (event: TextDelta) => unknown>,
): boolean {
  return selections.every((selection) => {
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
    if (on === 'TurnEvent' || on === 'TextDelta')
      return collect(fragment.selectionSet, fragments, isObject, fields);
    // A fragment on another event's type selects nothing here. graphql-js handles other interfaces.
    return isObject(on);
  });
}
