import {
  type ASTVisitor,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';

/** Comparing two fields takes a microsecond or two. Two hundred of one name in one place are as many pairs. */
const MAX_PAIRS = 20_000;
/** Fragments in fragments may show more than can be counted in time. */
const MAX_FIELDS = 10_000;

/**
 * Refuses documents that ask for the same fields too often in the same place, because GraphQL's validation compares
 * each two of them. Nothing else of such a document is checked.
 */
export function repeatedFieldsRule(context: ValidationContext): ASTVisitor {
  return {
    Document(document) {
      if (!new FieldPairs(document).isTooMany()) return undefined;
      const message = 'The document asks for the same fields too often in the same place: ask for each once.';
      context.reportError(new GraphQLError(message));
      // In a visit by several rules, no rule sees what is taken out.
      return null;
    },
  };
}

interface Part {
  set: SelectionSetNode;
  /** The names of the fragments that it is in. */
  within: readonly string[];
}

interface Field {
  field: FieldNode;
  within: readonly string[];
}

/** Counts the fields that have the same name in the same place, over all fragments that are spread there. */
class FieldPairs {
  private pairs = 0;
  private fields = 0;
  private readonly fragments = new Map<string, FragmentDefinitionNode>();
  private readonly reached = new Set<string>();

  constructor(private readonly document: DocumentNode) {
    for (const one of document.definitions)
      if (one.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(one.name.value, one);
  }

  isTooMany(): boolean {
    for (const one of this.document.definitions)
      if (one.kind === Kind.OPERATION_DEFINITION) this.count([{ set: one.selectionSet, within: [] }]);
    // What no operation uses is validated as well.
    for (const [name, { selectionSet }] of this.fragments)
      if (!this.reached.has(name)) this.count([{ set: selectionSet, within: [name] }]);
    return this.isOver();
  }

  private isOver(): boolean {
    return this.pairs > MAX_PAIRS || this.fields > MAX_FIELDS;
  }

  /** Of one place, and of the places in it. */
  private count(place: readonly Part[]): void {
    if (this.isOver()) return;
    const fields = new Map<string, Field[]>();
    const spread = new Set<string>();
    for (const part of place) this.collect(part, fields, spread);
    for (const same of fields.values()) {
      this.fields += same.length;
      this.pairs += (same.length * (same.length - 1)) / 2;
    }
    for (const same of fields.values()) {
      const inner = same.flatMap(({ field: { selectionSet: set }, within }) =>
        set ? [{ set, within }] : [],
      );
      if (inner.length > 0) this.count(inner);
    }
  }

  private collect({ set, within }: Part, fields: Map<string, Field[]>, spread: Set<string>): void {
    for (const selection of set.selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT)
        this.collect({ set: selection.selectionSet, within }, fields, spread);
      else if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value;
        const same = fields.get(name);
        if (same) same.push({ field: selection, within });
        else fields.set(name, [{ field: selection, within }]);
      } else this.collectFragment(selection.name.value, within, fields, spread);
    }
  }

  /** Once in a place. One within itself is told by another rule. */
  private collectFragment(
    name: string,
    within: readonly string[],
    fields: Map<string, Field[]>,
    spread: Set<string>,
  ): void {
    this.reached.add(name);
    const fragment = this.fragments.get(name);
    if (!fragment || spread.has(name) || within.includes(name)) return;
    spread.add(name);
    this.collect({ set: fragment.selectionSet, within: [...within, name] }, fields, spread);
  }
}
