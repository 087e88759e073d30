import { ManualClock } from '../../../common/manual-clock.double.js';
import { ServerCircuit } from './server-circuit.js';

describe('the circuit of a server', () => {
  it('leaves a server alone for longer after each failure, for five minutes at most', () => {
    const clock = new ManualClock();
    const circuit = new ServerCircuit(clock);
    for (let failures = 0; failures < 20; failures += 1) {
      const maxMs = Math.min(300_000, 1_000 * 2 ** failures);
      const pauseMs = circuit.failed('Gone.');
      expect(pauseMs).toBeGreaterThanOrEqual(maxMs / 2);
      expect(pauseMs).toBeLessThanOrEqual(maxMs);
      expect(circuit.failure).toBe('Gone.');
      clock.advance(pauseMs);
      expect(circuit.failure).toBeNull();
      expect(circuit.lastFailure).toBe('Gone.');
    }
  });

  it('forgets the failures of a server that does its work, and of a connection that held', () => {
    const clock = new ManualClock();
    const circuit = new ServerCircuit(clock);
    const failOften = (): void => {
      for (let time = 0; time < 10; time += 1) circuit.failed('Gone.');
    };
    failOften();
    circuit.worked();
    expect(circuit.failed('Gone.')).toBeLessThanOrEqual(1_000);
    failOften();
    circuit.opened();
    expect(circuit.failure).toBeNull();
    circuit.dropped();
    expect(circuit.failed('Gone.')).toBeGreaterThan(1_000);
    circuit.opened();
    clock.advance(60_000);
    circuit.dropped();
    expect(circuit.failed('Gone.')).toBeLessThanOrEqual(1_000);
  });

  it('counts three unanswered requests in a row as a failure, and an answer between them as none', () => {
    const circuit = new ServerCircuit(new ManualClock());
    expect([circuit.wasSilent(), circuit.wasSilent()]).toEqual([false, false]);
    circuit.answered();
    expect([circuit.wasSilent(), circuit.wasSilent(), circuit.wasSilent()]).toEqual([false, false, true]);
  });

  it('lets the next one try when it is told to', () => {
    const circuit = new ServerCircuit(new ManualClock());
    circuit.failed('Gone.');
    circuit.release();
    expect(circuit.failure).toBeNull();
  });
});
