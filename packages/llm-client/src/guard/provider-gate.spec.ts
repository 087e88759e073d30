import { ProviderGate } from './provider-gate.js';

const never = new AbortController().signal;

/** Enters, and notes the name when it is let in. */
function queue(gate: ProviderGate, log: string[], names: string[]): Promise<() => void>[] {
  return names.map(async (name) => {
    const leave = await gate.enter(name[0] ?? '', never);
    log.push(name);
    return leave;
  });
}

describe('ProviderGate', () => {
  it('lets so many in at once, and the others as these leave', async () => {
    const gate = new ProviderGate(2);
    const log: string[] = [];
    const places = queue(gate, log, ['a1', 'a2', 'a3']);
    const leave = await places[0];
    expect(log).toEqual(['a1', 'a2']);
    expect(gate.load).toEqual({ under: 2, waiting: 1 });
    leave?.();
    await places[2];
    expect(log).toEqual(['a1', 'a2', 'a3']);
    expect(gate.load).toEqual({ under: 2, waiting: 0 });
  });

  it('lets companies in by turns, and within each first who came first', async () => {
    const gate = new ProviderGate(1);
    const leaveFirst = await gate.enter('a', never);
    const log: string[] = [];
    const places = queue(gate, log, ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']);
    leaveFirst();
    for (const place of [0, 4, 6, 1, 5, 2, 3]) (await places[place])?.();
    expect(log).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
    expect(gate.load).toEqual({ under: 0, waiting: 0 });
  });

  it('lets go at once of who waits no longer', async () => {
    const gate = new ProviderGate(1);
    const leave = await gate.enter('a', never);
    const controller = new AbortController();
    const given = gate.enter('b', controller.signal);
    const next = gate.enter('c', never);
    controller.abort(new Error('cancelled'));
    await expect(given).rejects.toThrow('cancelled');
    expect(gate.load).toEqual({ under: 1, waiting: 1 });
    leave();
    (await next)();
    expect(gate.load).toEqual({ under: 0, waiting: 0 });
  });

  it('lets nobody in whose signal is aborted already', async () => {
    const gate = new ProviderGate(1);
    await expect(gate.enter('a', AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
    expect(gate.load).toEqual({ under: 0, waiting: 0 });
  });

  it('takes a place back once, however often it is given', async () => {
    const gate = new ProviderGate(1);
    const leave = await gate.enter('a', never);
    leave();
    leave();
    await gate.enter('a', never);
    expect(gate.load).toEqual({ under: 1, waiting: 0 });
    leave();
    expect(gate.load).toEqual({ under: 1, waiting: 0 });
  });

  it('keeps a place that an aborted call was given in the same moment', async () => {
    const gate = new ProviderGate(1);
    const leave = await gate.enter('a', never);
    const controller = new AbortController();
    const next = gate.enter('a', controller.signal);
    leave();
    controller.abort();
    (await next)();
    expect(gate.load).toEqual({ under: 0, waiting: 0 });
  });
});
