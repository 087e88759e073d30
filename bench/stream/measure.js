import { readFileSync } from 'node:fs';

/** The value that `share` (0 to 1) of the others do not exceed; NaN of none. */
export function percentile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.ceil((values.length - 1) * share)] ?? Number.NaN;
}

export function median(values) {
  return percentile(values, 0.5);
}

/** What Linux counts processor time in, everywhere: a hundredth of a second. */
const TICK_MS = 10;

/** The fields of /proc/PID/stat from the third on; the second is a name that may hold anything. */
function statOf(pid) {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return line.slice(line.lastIndexOf(')') + 2).split(' ');
}

const [PARENT, USER, SYSTEM] = [1, 11, 12];

/** Processor time that a process has used so far. */
export function cpuMs(pid) {
  const stat = statOf(pid);
  return (Number(stat[USER]) + Number(stat[SYSTEM])) * TICK_MS;
}

export function parentOf(pid) {
  return Number(statOf(pid)[PARENT]);
}

/** Bytes of a process that are in memory. */
export function rssBytes(pid) {
  const [, kibibytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kibibytes) * 1024;
}
