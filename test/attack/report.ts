import type { Seen } from './honest-client.js';
import type { ProcessorTime } from './victim.js';

/** What an attack did to somebody else. */
export interface Suffered extends Seen {
  name: string;
  sent: number;
  /** What the attacker was told. */
  heard: string;
  peakMb: number | null;
  /** Of one processor, in percent while the attack went on. */
  busy: ProcessorTime;
}

/** Of sorted or unsorted times. */
export function p95(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * 0.95) - 1)] ?? 0;
}

/** What somebody may wait at most while others are attacked, in milliseconds. */
export function limitOf(quiet: readonly number[]): number {
  return 1.5 * p95(quiet) + 50;
}

function ms(time: number): string {
  return time.toFixed(0);
}

/** Whether others waited for longer than they should. */
export function isOver(one: Seen, quiet: Seen): boolean {
  return p95(one.requests) > limitOf(quiet.requests) || p95(one.questions) > limitOf(quiet.questions);
}

/** Who kept the processors busy; the rest is the database and whatever else runs on the machine. */
const CPU = 'server + its programs, attacker, all % of a processor';

/** The head of a table in Markdown. */
export function head(): string {
  const names = [
    'attack',
    'sent',
    'heard',
    'p95 ms',
    'worst ms',
    'question p95 ms',
    'lost',
    'peak MB',
    CPU,
    '',
  ];
  return row(names) + row(names.map(() => '---'));
}

/** What one attack did, as a row of it. */
export function rowOf(one: Suffered, quiet: Seen): string {
  return row([
    one.name,
    String(one.sent),
    one.heard,
    ms(p95(one.requests)),
    ms(Math.max(0, ...one.requests)),
    ms(p95(one.questions)),
    String(one.lost.length),
    String(one.peakMb ?? ''),
    busyOf(one),
    isOver(one, quiet) ? 'over' : '',
  ]);
}

function busyOf({ busy: { server, programs, attacker, machine } }: Suffered): string {
  return `${ms(server)} + ${ms(programs)}, ${ms(attacker)}, ${ms(machine)}`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

/** In words, beneath it. */
export function summary(quiet: Seen, suffered: readonly Suffered[]): string {
  const over = suffered.filter((one) => isOver(one, quiet)).map(({ name }) => name);
  const told = ({ requests, questions }: Record<'requests' | 'questions', string>): string =>
    `requests ${requests} ms, questions ${questions} ms`;
  const each = (figure: (times: readonly number[]) => number) =>
    told({ requests: ms(figure(quiet.requests)), questions: ms(figure(quiet.questions)) });
  return `
p95 when it is quiet: ${each(p95)}. The limit: ${each(limitOf)}.
${suffered.length} attacks, ${over.length} over the limit${over.length > 0 ? `: ${over.join('; ')}` : ''}.
`;
}
