import fc from 'fast-check';

export interface MessageView {
  id: string;
  role: 'USER' | 'ASSISTANT';
  text: string;
  parent: { id: string } | null;
  versions: { id: string }[];
}

const MESSAGE = 'id role text parent { id } versions { id }';
export const SHOWN = `query ($id: ID!, $leaf: ID, $first: Int, $after: String) { conversation(id: $id) {
  head { id }
  messages(first: $first, after: $after, leaf: $leaf) { edges { cursor node { ${MESSAGE} } } } } }`;

export interface Shown {
  conversation: {
    head: { id: string } | null;
    messages: { edges: { cursor: string; node: MessageView }[] };
  };
}

export const REGENERATE = `mutation ($input: RegenerateInput!) { regenerate(input: $input) {
  __typename ... on TurnAccepted { turn { id status } conversation { id title } }
  ... on IdempotencyConflict { firstTurn { id } } ... on TurnInProgress { activeTurn { id } } } }`;
export const SELECT = 'mutation ($id: ID!) { selectMessage(id: $id) { id head { id } } }';

/** A conversation as it has to be. */
export class Tree {
  readonly nodes: { id: string; parent: string | null; role: MessageView['role']; text: string }[] = [];
  head = '';

  constructor(shown: readonly MessageView[]) {
    for (const { id, role, text, parent } of shown) {
      this.nodes.push({ id, parent: parent?.id ?? null, role, text });
      this.head = id;
    }
  }

  pathTo(id: string): typeof this.nodes {
    const node = this.nodes.find((one) => one.id === id)!;
    return [...(node.parent === null ? [] : this.pathTo(node.parent)), node];
  }

  /** As the path to a message has to be shown. */
  viewOf(leaf: string): MessageView[] {
    return this.pathTo(leaf).map(({ id, role, text, parent }) => ({
      id,
      role,
      text,
      parent: parent === null ? null : { id: parent },
      versions: this.nodes
        .filter((other) => other.parent === parent && other.role === role)
        .map((other) => ({ id: other.id })),
    }));
  }

  /** The message said last among those that come after this one, or itself. */
  newestAfter(id: string): string {
    return this.nodes.findLast((node) => this.pathTo(node.id).some((one) => one.id === id))!.id;
  }
}

export type TreeStep = { kind: 'ask' | 'follow' | 'edit' | 'regenerate' | 'select'; pick: number };

export const treeStep = fc.record({
  kind: fc.constantFrom<TreeStep['kind'][]>('ask', 'follow', 'edit', 'regenerate', 'select'),
  pick: fc.nat(),
});

/** How somebody does what a step says; what is asked is answered when it resolves. */
export interface TreeActions {
  ask(message: string, input: object): Promise<void>;
  regenerate(messageId: string): Promise<void>;
  select(messageId: string): Promise<void>;
  shown(): Promise<MessageView[]>;
}

/** Does it, and gives what the model has to be told: the path. Null: it is not asked. */
export async function carryOut(
  tree: Tree,
  conversationId: string,
  { kind, pick }: TreeStep,
  at: number,
  actions: TreeActions,
): Promise<string[] | null> {
  const of = (role?: MessageView['role']): Tree['nodes'][number] => {
    const found = tree.nodes.filter((node) => role === undefined || node.role === role);
    return found[pick % found.length]!;
  };
  if (kind === 'select') {
    const { id } = of();
    await actions.select(id);
    tree.head = tree.newestAfter(id);
    return null;
  }
  const message = `question ${at}`;
  let parent = tree.head;
  if (kind === 'regenerate') {
    const chosen = of();
    parent = chosen.role === 'USER' ? chosen.id : chosen.parent!;
    await actions.regenerate(chosen.id);
  } else if (kind === 'edit') {
    const replaced = of('USER');
    parent = replaced.parent ?? '';
    await actions.ask(message, { replacesMessageId: replaced.id });
  } else if (kind === 'follow') {
    parent = of('ASSISTANT').id;
    await actions.ask(message, { conversationId, parentId: parent });
  } else await actions.ask(message, { conversationId });
  const said = (await actions.shown()).slice(kind === 'regenerate' ? -1 : -2);
  for (const { id, role, text } of said) {
    tree.nodes.push({ id, parent: parent || null, role, text });
    parent = id;
  }
  tree.head = parent;
  return tree
    .pathTo(parent)
    .slice(0, -1)
    .map(({ role, text }) => `${role.toLowerCase()}: ${text}`);
}
