import { parentPort, workerData } from 'node:worker_threads';

import { parse } from 'yaml';

const MAX_JSON_CHARACTERS = 8_000_000;
const MAX_FAULT_CHARACTERS = 200;

/** The document as JSON text, which no anchor can make huge, or what is wrong with it. */
function reading(text: string): { json: string } | { fault: string } {
  try {
    // Looking for duplicate keys is slow on long lists. Warnings would go to the console.
    const value: unknown = parse(text, { uniqueKeys: false, maxAliasCount: 100, logLevel: 'error' });
    const json = JSON.stringify(value);
    return json.length <= MAX_JSON_CHARACTERS ? { json } : { fault: 'With its anchors, it is too long.' };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

/** The parser's message, which names the line, without the quoted line after it. */
function faultOf(error: unknown): string {
  if (error instanceof RangeError) return 'It is nested too deep.';
  if (error instanceof TypeError) return 'It contains itself.';
  const [said = ''] = String((error as Error).message).split('\n', 1);
  return `${said.replace(/:$/, '').slice(0, MAX_FAULT_CHARACTERS).toWellFormed()}.`;
}

parentPort?.postMessage(reading(String(workerData)), []);
