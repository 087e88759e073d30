import { checkInputs, type InputView, untilAsked } from './input-view.js';
import { seenToEnd } from './laws.js';
import { readRequest } from './provider-request.js';
import type { TestApp } from './start-app.js';
import type { TestClient, WireEvent } from './test-client.js';

/** What a question asked back, and all events of its turn once it has ended. */
interface Waiting {
  turnId: string;
  conversationId: string;
  asked: InputView[];
  ended: Promise<WireEvent[]>;
}

/** Asks `question`, which has the model ask back, and waits until it does. */
export async function askUntilAsked(
  asker: TestClient,
  question: string,
  input: { clientSkills?: object[] } = {},
): Promise<Waiting> {
  const asking = await asker.ask(question, { assistantKey: 'mefali', ...input });
  const ended = seenToEnd(asker, asking.turnId).then((events) => {
    checkInputs(events);
    return events;
  });
  return { ...asking, ended, asked: await untilAsked(asker, asking.turnId) };
}

export function onlyInput(asked: readonly InputView[]): InputView {
  const [input, ...others] = asked;
  if (!input || others.length > 0) throw new Error(`Not one input: ${JSON.stringify(asked)}`);
  return input;
}

/** Of the turn and of its inputs. */
export function inputStatuses(events: readonly WireEvent[]): unknown[] {
  return events.flatMap(({ __typename, status, inputStatus }) =>
    __typename === 'StatusChanged' ? [status] : __typename === 'InputResolved' ? [inputStatus] : [],
  );
}

/** The results that the model was told last, in their order. */
export function resultsToldTo(provider: TestApp['provider']): string[] {
  return readRequest(provider.requests.at(-1))
    .messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => content);
}

export async function expireInputs({ database }: TestApp, turnId: string): Promise<void> {
  await database.dataSource.query(`UPDATE pending_input SET expires_at = now() WHERE turn_id = $1`, [turnId]);
  await database.dataSource.query(
    `UPDATE pgboss.job SET start_after = now() WHERE name = 'expire-approvals' AND data ->> 'turnId' = $1`,
    [turnId],
  );
}
