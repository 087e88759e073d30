import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { buildSchema, Kind, OperationTypeNode, parse } from 'graphql';

const root = fileURLToPath(new URL('..', import.meta.url));

function read(path: string): string {
  return readFileSync(`${root}${path}`, 'utf8');
}

/** What can be done by the API alone, and why the console has nothing for it. */
const withoutScreen: Record<string, string> = {
  deleteConversations: 'conversations are deleted one by one',
  deleteFile: 'the console lists no files',
  deleteSkillRecord: 'the console lists no records of plugins',
  eraseCompany: 'for operators, whose tool is the terminal',
  eraseMember: 'cannot be undone: deactivating is what a screen offers',
  eraseMyData: 'cannot be undone, and is asked of the company',
  exportMyData: 'the console lists no files',
  importConversation: 'for programs that bring conversations along',
  markAllNotificationsRead: 'opening the inbox is what shows them',
  pinProject: 'projects are found by what is asked',
  registerHttpSkill: 'a form of twenty fields: services describe themselves by OpenAPI',
  setWebhookActive: 'a webhook is removed and added',
  testWebhook: 'for whoever writes the receiver',
  updateDocument: 'documents are added to the company as they are',
};

function mutationsIn(text: string): string[] {
  return parse(text).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION && definition.operation === OperationTypeNode.MUTATION
      ? definition.selectionSet.selections.flatMap((field) =>
          field.kind === Kind.FIELD ? [field.name.value] : [],
        )
      : [],
  );
}

/** By documents of the console, and by the client that it is built on. */
function usedByConsole(): Set<string> {
  const sources = globSync('web/src/**/*.{ts,tsx}', { cwd: root }).map(read);
  const documents = sources.flatMap((source) =>
    [...source.matchAll(/graphql\(`([^`]+)`\)/g)].map(([, text = '']) => text),
  );
  const all = [...documents, read('clients/js/src/operations.graphql')];
  return new Set(all.flatMap(mutationsIn));
}

const fields = Object.values(buildSchema(read('schema.graphql')).getMutationType()!.getFields());

it('every mutation can be done in the console, or it says here why not', () => {
  const used = usedByConsole();
  const current = fields.filter(({ deprecationReason }) => !deprecationReason).map(({ name }) => name);
  const missing = current.filter((name) => !used.has(name));
  expect(missing.toSorted()).toEqual(Object.keys(withoutScreen).toSorted());
});

it('the console does nothing by a mutation that goes away', () => {
  const used = usedByConsole();
  const deprecated = fields.filter(({ deprecationReason }) => deprecationReason).map(({ name }) => name);
  expect(deprecated.filter((name) => used.has(name))).toEqual([]);
});
