import { fileURLToPath } from 'node:url';

/** The part of a program that a function belongs to: a package, a folder and file of the build, or the runtime. */
function homeOf(url) {
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  const installed = path.split('/node_modules/').at(-1);
  if (installed !== path) return installed.split('/', installed.startsWith('@') ? 2 : 1).join('/');
  if (path.startsWith('node:')) return path;
  return path === '' ? '(runtime)' : path.split('/dist/').at(-1);
}

const IDLE = new Set(['(idle)', '(program)', '(root)']);

/** Not the server's work: waiting, and being profiled. */
function isLeftOut({ functionName, url }) {
  return IDLE.has(functionName) || url.startsWith('node:inspector');
}

/** Milliseconds by what `keyOf` says of a function, the greatest first. */
function ranked({ nodes, samples, timeDeltas }, keyOf) {
  const functions = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const sums = new Map();
  for (const [index, id] of samples.entries()) {
    const called = functions.get(id);
    if (isLeftOut(called)) continue;
    const key = keyOf(called);
    sums.set(key, (sums.get(key) ?? 0) + timeDeltas[index] / 1000);
  }
  return [...sums].toSorted(([, a], [, b]) => b - a);
}

function functionIn({ functionName, url, lineNumber }) {
  return `${functionName || '(anonymous)'}  ${homeOf(url)}:${lineNumber + 1}`;
}

/** What has no file, such as system calls, stands for itself. */
function fileOf({ functionName, url }) {
  return (url === '' && functionName) || homeOf(url);
}

function list(title, sums, rows) {
  const allMs = sums.reduce((sum, [, ms]) => sum + ms, 0);
  const lines = sums.slice(0, rows).map(([key, ms]) => {
    const percent = ((100 * ms) / allMs).toFixed(1);
    return `  ${percent.padStart(5)} %  ${ms.toFixed(0).padStart(6)} ms  ${key}`;
  });
  return [title, ...lines].join('\n');
}

/** Where a profile's time goes, as text: by functions and by where they live, without the time spent idle. */
export function describeProfile(profile, rows = 25) {
  return [
    list('self time by function', ranked(profile, functionIn), rows),
    list('self time by package or file', ranked(profile, fileOf), rows),
  ].join('\n');
}
