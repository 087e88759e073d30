import { AbstractAgent, type BaseEvent } from '@ag-ui/client';
import { EventSchema } from '@ag-ui/core/schemas';
import { AbstractAgent as AbstractAgent0 } from 'ag-ui-client-0';
import { EventSchemas as EventSchemas0 } from 'ag-ui-core-0';
import fc from 'fast-check';
import { from } from 'rxjs';

import { wordingIn } from '../../common/wording/wording.js';
import { failedTurn, played, textOf, turnLogs, waitsIn } from '../turn-events.double.js';
import { type FramePosition, readPosition, type RunPart, turnFrames } from '../turn-frames.js';
import type { TurnEvent } from '../../conversations/turns/turn-event.js';
import { AgUiMapping, type AgUiMessage, type AgUiObject } from './ag-ui-mapping.js';

const turn = { id: 't', conversationId: 'k', answerId: 'a' };
const whole: RunPart = { answered: new Set(), passesUntil: Number.MAX_SAFE_INTEGER, followsBackground: true };
const question: AgUiMessage = { id: 'q', role: 'user', content: 'Why?' };

interface Asked {
  isCurrent: boolean;
  part?: RunPart;
  after?: FramePosition | null;
  history?: AgUiMessage[];
}

async function framesOf(
  log: readonly TurnEvent[],
  { isCurrent, part = whole, after = null, history = [question] }: Asked,
): Promise<{ id: string; event: AgUiObject }[]> {
  const run = { threadId: 'th', runId: 'r', turn, isCurrent, history, tellsHistory: false };
  const mapping = new AgUiMapping({
    ...run,
    nameOf: (skill) => skill,
    wording: async () => wordingIn('fr').doors,
  });
  const frames = await Array.fromAsync(turnFrames({ events: played(log), part, mapping, after }));
  return frames.map((frame) => {
    const [id = '', data = ''] = frame.split('\n');
    return { id: id.slice('id: '.length), event: JSON.parse(data.slice('data: '.length)) as AgUiObject };
  });
}

/** From the client's own RxJS. */
type Events = ReturnType<AbstractAgent['run']>;

class Playing extends AbstractAgent {
  events: BaseEvent[] = [];
  override run(): Events {
    return from(this.events) as unknown as Events;
  }
}

class Playing0 extends (AbstractAgent0 as unknown as typeof AbstractAgent) {
  events: BaseEvent[] = [];
  override run(): Events {
    return from(this.events) as unknown as Events;
  }
}

const versions = [
  { name: '1.0.0', isCurrent: true, schema: EventSchema, Agent: Playing },
  { name: '0.0.59', isCurrent: false, schema: EventSchemas0, Agent: Playing0 },
] as const;

describe.each(versions)('of $name', ({ isCurrent, schema, Agent }) => {
  beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue());

  it('are valid, whatever the turn does', async () => {
    await fc.assert(
      fc.asyncProperty(turnLogs, async (log) => {
        for (const { event } of await framesOf(log, { isCurrent })) schema.parse(event);
      }),
    );
  });

  it('leave a client with the text that the turn leaves, and withdraw the rest', async () => {
    await fc.assert(
      fc.asyncProperty(turnLogs, async (log) => {
        const agent = new Agent({ threadId: 'th' });
        agent.messages = [{ id: 'q', role: 'user', content: 'Why?' }];
        agent.events = (await framesOf(log, { isCurrent })).map(({ event }) => event as unknown as BaseEvent);
        const failed = await agent.runAgent().then(
          () => null,
          (error: unknown) => String(error),
        );
        expect(failed).toBeNull();
        const told = agent.messages.filter(
          ({ id, role }) => role === 'assistant' && !id.endsWith(':background') && !id.endsWith(':calls'),
        );
        expect(told.map(({ content }) => content).join('')).toBe(textOf(log));
      }),
    );
  });

  it('go on after an answer where the run before has ended', async () => {
    await fc.assert(
      fc.asyncProperty(turnLogs, async (log) => {
        const waits = waitsIn(log);
        const agent = new Agent({ threadId: 'th' });
        agent.messages = [{ id: 'q', role: 'user', content: 'Why?' }];
        for (const answered of [new Set<string>(), ...waits]) {
          const part = { answered, passesUntil: 0, followsBackground: true };
          const history = structuredClone(agent.messages) as unknown as AgUiMessage[];
          const frames = await framesOf(log, { isCurrent, part, history });
          agent.events = frames.map(({ event }) => event as unknown as BaseEvent);
          agent.pendingInterrupts = [];
          await agent.runAgent();
        }
        const told = agent.messages.filter(
          ({ id, role }) => role === 'assistant' && !id.endsWith(':background') && !id.endsWith(':calls'),
        );
        expect(told.map(({ content }) => content).join('')).toBe(textOf(log));
      }),
    );
  });

  it('are the same again from any of them on', async () => {
    await fc.assert(
      fc.asyncProperty(turnLogs, fc.nat(), async (log, pick) => {
        const all = await framesOf(log, { isCurrent });
        const at = pick % all.length;
        const after = readPosition(all[at]?.id ?? '');
        expect(await framesOf(log, { isCurrent, after })).toEqual(all.slice(at + 1));
      }),
    );
  });
});

it('reads ids of frames alone', () => {
  expect(readPosition('12.3')).toEqual({ sequence: 12, frame: 3 });
  expect(readPosition('12')).toEqual({ sequence: 12, frame: Number.MAX_SAFE_INTEGER });
  for (const id of ['', 'x', '1.', '-1', '1.2.3', '12345678901']) expect(readPosition(id)).toBeNull();
});

it('tells in the language of the assistant of a failure without an error', async () => {
  const frames = await framesOf([failedTurn], { isCurrent: true });
  expect(frames.at(-1)?.event).toMatchObject({ type: 'RUN_ERROR', message: 'La demande a échoué.' });
});
