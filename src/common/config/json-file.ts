import { closeSync, openSync, readSync } from 'node:fs';

import { codeOf } from '../errors/error-code.js';
import { ConfigError } from './environment.js';

class TooLarge extends Error {}

/** The content of a JSON file that the setting `name` names. Throws ConfigError. */
export function readJsonFile(name: string, path: string, maxBytes: number): unknown {
  try {
    return JSON.parse(textOf(path, maxBytes));
  } catch (error) {
    // Neither the path nor what JSON.parse quotes is repeated: either may be a secret in the wrong place.
    const reason = error instanceof SyntaxError ? 'it is no JSON' : reasonOf(error);
    throw new ConfigError([`${name} must be a JSON file that can be read (${reason}).`]);
  }
}

function textOf(path: string, maxBytes: number): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(maxBytes + 1);
    const length = readSync(file, bytes);
    if (length > maxBytes) throw new TooLarge(`larger than ${maxBytes} bytes`);
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof TooLarge ? error.message : String(codeOf(error) ?? 'unreadable');
}
