import {
  buildClientSchema,
  getIntrospectionQuery,
  GraphQLObjectType,
  type IntrospectionQuery,
} from 'graphql';
import { format } from 'prettier';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { signToken } from '../../src/companies/auth/token-signer.js';
import { NotificationStream } from '../../src/companies/notifications/notifications.service.js';
import { newId } from '../../src/common/ids.js';
import { ConversationStream } from '../../src/conversations/conversation-stream.js';
import {
  byId,
  changes,
  changesNothing,
  fieldsWithoutId,
  follows,
  idArguments,
  ofTheInstallation,
  shows,
  withoutTrace,
} from '../harness/api-operations.js';
import {
  authorisationPage,
  type Cell,
  expectedCell,
  identities,
  type Identity,
  type Line,
  lines,
} from '../harness/authorisation-lines.js';
import { AuthorisationObjects, CHANGE } from '../harness/authorisation-objects.js';
import { identityOf, nextBegun } from '../harness/notification-view.js';
import { spokenIn } from '../harness/provider-request.js';
import { SECRET, shareApp, type TestApp } from '../harness/start-app.js';
import type { GraphQLAnswer, TestClient } from '../harness/test-client.js';

type Answer = Pick<GraphQLAnswer<Record<string, unknown>>, 'data' | 'errors'>;

interface Caller {
  client: TestClient;
  /** Of the member; null: nobody. */
  id: string | null;
  /** A conversation of their own, for what takes an id besides it. */
  conversation: string;
}

let app: TestApp;
let ours: AuthorisationObjects;
let theirs: AuthorisationObjects;
let admin: TestClient;
let company: string;
const callers = new Map<string, Caller>();

function reply(request: JsonObject): ProviderReply {
  return (spokenIn(request).at(-1) ?? '').endsWith(CHANGE)
    ? [toolCall('update_company_profile', { city: 'Thiès' }), finish()]
    : [text('Bonjour.'), finish()];
}

beforeAll(async () => {
  app = await shareApp(reply);
  company = app.home;
  admin = await app.client({ sub: 'root' });
  ours = await AuthorisationObjects.of(app, company);
  theirs = await AuthorisationObjects.of(app, await app.company());
  for (const identity of identities) callers.set(identity.name, await callerOf(identity));
});
afterAll(() => app[Symbol.asyncDispose]());
afterEach(() => void vi.restoreAllMocks());

/** Somebody new of that kind. */
async function callerOf({ name, role, scopes }: Identity): Promise<Caller> {
  if (name === 'no token') return nobody(app.clientWith(null));
  const claims = { sub: newId(), company, role: role ?? 'ADMIN' } as const;
  if (name === 'expired token') return nobody(app.clientWith(await signToken(SECRET, claims, -1)));
  if (scopes === null) {
    const client = app.clientWith(await signToken(SECRET, claims, 3600));
    const { id } = await identityOf(client);
    if (role !== null) return somebody(client, id);
    await admin.get('mutation ($id: ID!) { deactivateMember(id: $id) { id } }', { id });
    return nobody(client);
  }
  const { createApiKey } = await admin.get<{
    createApiKey: { secret: string; apiKey: { memberId: string } };
  }>('mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret apiKey { memberId } } }', {
    input: { name, role, scopes },
  });
  return somebody(app.clientWith(createApiKey.secret), createApiKey.apiKey.memberId);
}
function nobody(client: TestClient): Caller {
  return { client, id: null, conversation: newId() };
}
async function somebody(client: TestClient, id: string): Promise<Caller> {
  return {
    client,
    id,
    conversation: await ours.makeFor('conversation', id),
  };
}

/** The first that a subscription tells, or that there is nothing to be told yet. */
async function follow(client: TestClient, query: string, variables: object): Promise<Answer> {
  const begun = [NotificationStream, ConversationStream].map((stream) =>
    nextBegun(stream).then((): Answer => ({ data: { begun: true } })),
  );
  const socket = client.socket();
  const results = socket.iterate({ query, variables: { ...variables } });
  const first = results.next().then(
    ({ value }) => (value ?? { data: null }) as Answer,
    (closed: { code?: number }): Answer => {
      if (closed.code !== 4403) throw closed;
      return { data: null, errors: [{ message: '', extensions: { code: 'UNAUTHENTICATED' } }] };
    },
  );
  const told = await Promise.race([first, ...begun]);
  // Of whoever was refused, nothing has begun: the next one is not to be taken for it.
  vi.restoreAllMocks();
  await socket.dispose();
  return told;
}

function ask({ client, conversation }: Caller, { operation }: Line, id: string | null): Promise<Answer> {
  const [argument = ''] = operation.split(': ');
  if (id === null) {
    const field = argument.replace(/^\w+\./, '');
    if (argument.startsWith('Subscription.')) return follow(client, follows[field]!, {});
    const query = shows[field] ?? ofTheInstallation[field] ?? withoutTrace[field];
    return client.send(query ?? `mutation ${changes[field] ?? changesNothing[field]}`);
  }
  const [query, variables] = byId[argument]!(id, conversation);
  return argument.startsWith('Subscription.')
    ? follow(client, query, variables)
    : client.send(query, variables);
}

/** What an answer says, with nothing in it that depends on which id was asked for. */
function shapeOf(answer: Answer, id: string): string {
  return JSON.stringify([answer.data, answer.errors]).replaceAll(JSON.stringify(id), '"the id"');
}

function refusalIn({ errors }: Answer): Cell | null {
  const refusal = errors?.find(({ extensions }) => /^(UNAUTHENTICATED|FORBIDDEN)$/.test(extensions.code));
  if (!refusal) return null;
  if (refusal.extensions.code === 'UNAUTHENTICATED') return 'sign in';
  return refusal.extensions.scopes ? 'scope' : 'role';
}

/** What is not there is named by the argument with its id. */
function expectNamed({ errors = [] }: Answer, { operation }: Line): void {
  const argument = /\((.*)\)/.exec(operation)![1];
  for (const { extensions } of errors.filter((error) => error.extensions.code === 'NOT_FOUND')) {
    expect(extensions.argument).toMatch(new RegExp(`^${argument}(\\.\\d+)?$`));
  }
}

function isHidden({ data, errors = [] }: Answer): boolean {
  return (
    errors.some(({ extensions }) => extensions.code === 'NOT_FOUND') ||
    (errors.length === 0 && Object.values(data ?? { nothing: null }).every((value) => value === null))
  );
}

/** What the caller meets, as the table calls it. */
async function observe(line: Line, caller: Caller): Promise<Cell | string> {
  if (line.object === null || caller.id === null) {
    return refusalIn(await ask(caller, line, line.object && newId())) ?? 'yes';
  }
  const { kind, reach } = line.object;
  const absentId = newId();
  const absentAnswer = await ask(caller, line, absentId);
  const refusal = refusalIn(absentAnswer);
  if (refusal !== null) return refusal;
  const absent = shapeOf(absentAnswer, absentId);
  expectNamed(absentAnswer, line);
  if (!isHidden(absentAnswer)) return `what never was is answered ${absent}`;
  /** Whether it is reached; else it has to be like what never was. */
  const reaches = async (id: string, isSeen = false): Promise<boolean> => {
    const answer = await ask(caller, line, id);
    if (!isHidden(answer) && refusalIn(answer) === null) return true;
    // Of what they see anyway, they may be told that it is not theirs.
    if (!isSeen) expect(shapeOf(answer, id)).toBe(absent);
    return false;
  };
  if (await reaches(await theirs.any(kind))) return 'another company’s';
  if (!(await reaches(await ours.makeFor(kind, caller.id)))) return 'none';
  if (ours.isOfTheCompany(kind)) return 'company';
  // What is only looked for in vain is still there for the next one.
  const colleagues = reach === 'own' ? ours.any(kind) : ours.make(kind);
  return (await reaches(await colleagues, kind === 'document')) ? 'company' : 'own';
}

it('has a line for every operation, every argument that takes an id, and every Node', async () => {
  const schema = buildClientSchema(await admin.get<IntrospectionQuery>(getIntrospectionQuery()));
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  // A leaf is looked for in its conversation alone (message-tree.e2e-spec), whoever changed something in the company's
  // entries alone, also when they are no member any more (audit.e2e-spec).
  const elsewhere = new Set([
    'Query.node(id)',
    'Conversation.messages(leaf)',
    'Query.auditEntries(filter.memberId)',
  ]);
  const ids = idArguments(schema).filter((argument) => !elsewhere.has(argument));
  const nodes = Object.values(schema.getTypeMap())
    .filter(
      (type) => type instanceof GraphQLObjectType && type.getInterfaces().some(({ name }) => name === 'Node'),
    )
    .map(({ name }) => `Query.node(id): ${name}`);
  const withoutId = roots.flatMap((type) => fieldsWithoutId(type).map((field) => `${type?.name}.${field}`));
  // These are asked by id or without.
  const orWithout = ['Mutation.setQuota', 'Query.auditEntries', 'Query.documentStorage', 'Query.turns'];
  expect(lines.map(({ operation }) => operation).toSorted()).toEqual(
    [...ids, ...nodes, ...withoutId, ...orWithout].toSorted(),
  );
});

it.each(lines)('$operation', async (line) => {
  const met: Record<string, string> = {};
  const expected: Record<string, string> = {};
  for (const identity of identities) {
    // Whoever is erased is somebody else afterwards.
    const caller =
      line.operation === 'Mutation.eraseMyData' ? await callerOf(identity) : callers.get(identity.name)!;
    met[identity.name] = await observe(line, caller);
    expected[identity.name] = expectedCell(line, identity);
  }
  expect(met).toEqual(expected);
});

it('is what docs/authorisation.md says (vitest --update writes it)', async () => {
  const page = await format(authorisationPage(), { parser: 'markdown' });
  await expect(page).toMatchFileSnapshot('../../docs/authorisation.md');
});
