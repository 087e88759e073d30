import { type ASTVisitor, GraphQLError, type SelectionSetNode, type ValidationContext } from 'graphql';

const CONDITIONS = new Set(['include', 'skip']);

/**
 * Refuses `@skip` and `@include` on a subscription's field, as newer editions of the GraphQL specification do: graphql-js
 * would look for the events of a field that is not there. To be asked before its own rules, which throw at some of these.
 */
export const unconditionalEventsRule = (context: ValidationContext): ASTVisitor => {
  const check = ({ selections }: SelectionSetNode, seen: ReadonlySet<string>): void => {
    for (const selection of selections) {
      const condition = selection.directives?.find(({ name }) => CONDITIONS.has(name.value));
      if (condition) {
        const message = `A subscription takes no @${condition.name.value} on its field: leave out the operation instead.`;
        context.reportError(new GraphQLError(message, { nodes: condition }));
      }
      if (selection.kind === 'InlineFragment') check(selection.selectionSet, seen);
      if (selection.kind !== 'FragmentSpread' || seen.has(selection.name.value)) continue;
      const fragment = context.getFragment(selection.name.value);
      if (fragment) check(fragment.selectionSet, new Set([...seen, selection.name.value]));
    }
  };
  return {
    OperationDefinition({ operation, selectionSet }) {
      if (operation === 'subscription') check(selectionSet, new Set());
      return false;
    },
  };
};
