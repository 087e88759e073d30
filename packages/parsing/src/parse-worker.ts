/** Runs in a worker thread. Imports no module of this project, so that it also runs from the sources. */
import { constants, platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';

import { parse } from 'yaml';

// The main thread has priority. On Linux a thread has its own priority (setpriority(2), "C library/kernel
// differences"). Elsewhere this would change the whole process.
if (platform() === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

export interface WorkerInput {
  /** Bytes are UTF-8. */
  text: string | Uint8Array;
  /** `yaml` includes JSON. */
  format: 'json' | 'yaml';
  pieceCharacters: number;
}

/**
 * A part of a value. Pieces are in the order in which the value is assembled. `into` is the number of the list or object
 * that the piece belongs to: 0 is the whole value, and each list or object that is too large for one piece has the next
 * number.
 */
export type Piece =
  /** JSON of a list or object whose elements are added. */
  | { into: number; json: string }
  /** A string that is too long for one piece, which needs no parsing. `key` is its name, if `into` is an object. */
  | { into: number; key: string; text: string }
  /** Adds an empty list or object. `key` is its name, if `into` is an object. */
  | { into: number; key: string; isList: boolean };

/** `isList` is about the whole value. Null: it is neither a list nor an object, and there is one piece. */
export type WorkerAnswer = { isList: boolean | null; pieces: Piece[] } | { fault: string };

const MAX_VALUE_CHARACTERS = 8_000_000;
const MAX_FAULT_CHARACTERS = 200;
const UNUSABLE_KEY = 'No key may be `__proto__`, nor `prototype` inside `constructor`.';

function answerTo({ text, format, pieceCharacters }: WorkerInput): WorkerAnswer {
  try {
    const whole = typeof text === 'string' ? text : new TextDecoder().decode(text);
    const value = format === 'json' ? JSON.parse(whole, refuseUnusable) : fromYaml(whole);
    const sizes = new Sizes();
    if (format === 'yaml' && sizes.of(value) > MAX_VALUE_CHARACTERS)
      return { fault: 'With its anchors, it is too long.' };
    return inPieces(value, sizes, pieceCharacters);
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

function fromYaml(text: string): unknown {
  try {
    if (/^\s*\{/.test(text)) return JSON.parse(text);
  } catch {
    // YAML may begin with a brace too.
  }
  // Looking for duplicate keys takes very long for a long list. Warnings would go to the console.
  return parse(text, { uniqueKeys: false, maxAliasCount: 100, logLevel: 'error' });
}

/** Refuses keys that would change the prototype of objects when they are copied carelessly. */
function refuseUnusable(key: string, value: unknown): unknown {
  const isUnusable =
    key === '__proto__' || (key === 'constructor' && isContainer(value) && Object.hasOwn(value, 'prototype'));
  if (isUnusable) throw new Error(UNUSABLE_KEY);
  return value;
}

/** The parser's message with the line number, but without the quoted line. */
function faultOf(error: unknown): string {
  if (error instanceof RangeError) return 'It is nested too deep.';
  if (error instanceof TypeError) return 'It contains itself.';
  const [said = ''] = String((error as Error).message).split('\n', 1);
  return `${said.replace(/[:.]$/, '').slice(0, MAX_FAULT_CHARACTERS).toWellFormed()}.`;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The lengths of values as JSON. A value that is referred to several times counts each time. */
class Sizes {
  private readonly known = new Map<object, number | null>();

  /** Throws a TypeError for a circular value. */
  of(value: unknown): number {
    if (!isContainer(value)) return JSON.stringify(value)?.length ?? 0;
    const known = this.known.get(value);
    if (known === null) throw new TypeError('circular');
    if (known !== undefined) return known;
    this.known.set(value, null);
    let size = 2;
    for (const [key, inner] of Object.entries(value))
      size += this.of(inner) + 1 + (Array.isArray(value) ? 0 : key.length + 3);
    this.known.set(value, size);
    return size;
  }
}

function inPieces(value: unknown, sizes: Sizes, most: number): WorkerAnswer {
  if (!isContainer(value)) return { isList: null, pieces: [{ into: 0, json: JSON.stringify(value) }] };
  const pieces: Piece[] = [];
  let containers = 1;
  const add = (container: object, into: number): void => {
    const isList = Array.isArray(container);
    let begun: [string, unknown][] = [];
    let size = 0;
    const finish = (): void => {
      if (begun.length === 0) return;
      const part = isList ? begun.map(([, inner]) => inner) : Object.fromEntries(begun);
      pieces.push({ into, json: JSON.stringify(part) });
      [begun, size] = [[], 0];
    };
    for (const [key, inner] of Object.entries(container)) {
      const innerSize = sizes.of(inner);
      if (size + innerSize > most) finish();
      if (innerSize > most && isContainer(inner)) {
        finish();
        pieces.push({ into, key, isList: Array.isArray(inner) });
        add(inner, containers++);
      } else if (innerSize > most && typeof inner === 'string') {
        finish();
        pieces.push({ into, key, text: inner });
      } else {
        begun.push([key, inner]);
        size += innerSize + key.length;
      }
    }
    finish();
  };
  add(value, 0);
  return { isList: Array.isArray(value), pieces };
}

parentPort?.postMessage(answerTo(workerData as WorkerInput), []);
