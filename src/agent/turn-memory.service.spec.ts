import { DomainError } from '../common/errors/domain-error.js';
import { createLogger } from '../common/process/logger.js';
import type { Transaction } from '../platform/database/transaction.js';
import type { ContextRequest, MemoryContext } from '../memory/context/memory-context.js';
import type { MemoryContexts } from '../memory/context/memory-contexts.service.js';
import { TurnMemory } from './turn-memory.service.js';

const request = { memberId: 'awa', message: 'Where is Ben?' } as ContextRequest;

/** The answers of memory, one look after the other. */
function start(answers: (string | Error)[], { isBlank = false } = {}) {
  const looks: ContextRequest[] = [];
  const state = { now: 0 };
  const contexts: Pick<MemoryContexts, 'read' | 'isBlank' | 'stateOf'> = {
    isBlank: async () => isBlank,
    stateOf: () => state.now,
    read: async (_companyId, asked, signal) => {
      looks.push(asked);
      signal.throwIfAborted();
      const answer = answers.shift() ?? new Error('Nobody should ask.');
      if (answer instanceof Error) throw answer;
      return { text: answer } as MemoryContext;
    },
  };
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream;
  const logger = createLogger({ level: 'warn', pretty: false, destination });
  const controller = new AbortController();
  const run = { signal: controller.signal };
  const blankState = isBlank ? 0 : null;
  const memory = new TurnMemory(contexts as MemoryContexts);
  const port = (): ReturnType<TurnMemory['portOf']> =>
    memory.portOf({ companyId: 'nord', request, blankState, run, logger });
  /** A memory has changed. */
  const change = (): void => void (state.now += 1);
  return { memory, port, looks, lines, change, controller, signal: controller.signal };
}

describe('what a turn is told of what is remembered', () => {
  it('is looked for as soon as the turn is prepared, and anew when something has changed', async () => {
    const { port, looks, change, signal } = start(['one', 'two']);
    const memory = port();
    expect(looks).toEqual([request]);
    expect([await memory.read(signal), await memory.read(signal)]).toEqual(['one', 'one']);
    change();
    expect([await memory.read(signal), await memory.read(signal)]).toEqual(['two', 'two']);
    expect(looks).toHaveLength(2);
  });

  it('is looked for ahead where that is asked for, and once', async () => {
    const { port, looks, change, signal } = start(['one', 'two', 'three']);
    const memory = port();
    memory.prepare(signal);
    expect(await memory.read(signal)).toBe('one');
    change();
    memory.prepare(signal);
    memory.prepare(signal);
    expect(looks).toHaveLength(2);
    const two = await memory.read(signal);
    change();
    expect([two, await memory.read(signal)]).toEqual(['two', 'three']);
  });

  it('is nothing without a look where it is known that there is nothing, until there may be something', async () => {
    const { memory, port, looks, change, signal } = start(['noted since'], { isBlank: true });
    expect(await memory.readBlankState({} as Transaction, 'awa')).toBe(0);
    const blank = port();
    expect(await blank.read(signal)).toBe('');
    expect(looks).toEqual([]);
    change();
    expect(await blank.read(signal)).toBe('noted since');
  });

  it('is left out where it cannot be read, and the log says why', async () => {
    const { port, lines, signal } = start([new TypeError('broken'), 'mended']);
    const memory = port();
    expect(await memory.read(signal)).toBe('');
    expect(lines.join('')).toContain('broken');
    expect(await memory.read(signal)).toBe('mended');
  });

  it('waits for a database that is away', async () => {
    const away = new DomainError('UNAVAILABLE', 'The database cannot be reached.');
    const { port, lines, signal } = start([away, away, 'there']);
    expect(await port().read(signal)).toBe('there');
    expect(lines).toEqual([]);
  });

  it('ends with the run', async () => {
    const { port, lines, controller, signal } = start([new DomainError('UNAVAILABLE', 'away')]);
    const memory = port();
    controller.abort(new Error('cancelled'));
    await expect(memory.read(signal)).rejects.toThrow('cancelled');
    await expect(memory.read(signal)).rejects.toThrow('cancelled');
    expect(lines).toEqual([]);
  });
});
