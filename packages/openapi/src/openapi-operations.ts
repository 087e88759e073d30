import { setImmediate } from 'node:timers/promises';
import { BadSchema } from '@palabre/json-schema';
import { shortened, withoutAccents } from '@palabre/text';

import { isJsonObject, type JsonObject } from '@palabre/json';
import { type HttpMethod, httpMethods } from './http-call.js';
import type { OnThread } from '@palabre/parsing';
import { followed, type OpenApiDocument } from './openapi-document.js';
import { readOperation, type ReadOperation } from './openapi-operation.js';

export const MAX_OPERATIONS = 500;
const MAX_SUMMARY_CHARACTERS = 200;
const MAX_DESCRIPTION_CHARACTERS = 2_000;
const MAX_KEY_CHARACTERS = 63;

export interface ImportableOperation extends ReadOperation {
  /** The document's own, or made of method and path where it is missing or taken. */
  operationId: string;
  key: string;
  method: HttpMethod;
  path: string;
  /** One line, for people. */
  summary: string;
  /** For the model. */
  description: string;
}

interface ReadingOptions {
  /** Keys that no operation may have. */
  isReserved?: (key: string) => boolean;
  /** Runs each step. */
  onThread?: OnThread;
}

/** The operations of a document in its order, at most 500, and the number of the others. */
export async function operationsOf(
  document: OpenApiDocument,
  prefix: string | null,
  { isReserved = () => false, onThread = (work) => work() }: ReadingOptions = {},
): Promise<{ operations: ImportableOperation[]; omitted: number }> {
  const found = await findAll(document);
  const ids = new Set<string>();
  const keys = new Set<string>();
  const isTaken = (key: string): boolean => keys.has(key) || isReserved(key);
  const operations: ImportableOperation[] = [];
  for (const one of found.slice(0, MAX_OPERATIONS)) {
    const operation = onThread(() => importable(one, document, prefix, { ids, isTaken }));
    operations.push(operation);
    ids.add(operation.operationId);
    keys.add(operation.key);
    // Lets other work run in between.
    await setImmediate();
  }
  return { operations, omitted: Math.max(0, found.length - MAX_OPERATIONS) };
}

async function findAll(document: OpenApiDocument): Promise<Found[]> {
  const found: Found[] = [];
  for (const [index, [path, item]] of Object.entries(document.paths).entries()) {
    found.push(...methodsOf(path, item, document));
    if (index % 100 === 99) await setImmediate();
  }
  return found;
}

interface Found {
  method: HttpMethod;
  path: string;
  item: JsonObject;
  operation: JsonObject;
}

function importable(
  { method, path, item, operation }: Found,
  document: OpenApiDocument,
  prefix: string | null,
  taken: { ids: ReadonlySet<string>; isTaken: (key: string) => boolean },
): ImportableOperation {
  const lists = [item.parameters, operation.parameters];
  const parameters = lists.flatMap((list) => (Array.isArray(list) ? list : []));
  const { operationId: id } = operation;
  const hasId = typeof id === 'string' && id !== '' && !taken.ids.has(id);
  const operationId = hasId ? id : `${method.toLowerCase()} ${path}`;
  const key = freeKey(`${prefix === null ? '' : `${prefix}_`}${operationId}`, taken.isTaken);
  const read = readOperation({ method, path, parameters, operation }, document);
  const problems = [...read.problems, ...elsewhere(item, operation), ...cookiesOf(operation, document.root)];
  return { ...read, problems, ...wordsOf(operation, method, path), operationId, key, method, path };
}

function elsewhere(item: JsonObject, operation: JsonObject): string[] {
  return [operation.servers, item.servers].some((servers) => Array.isArray(servers) && servers.length > 0)
    ? ['The document names another server for it, which is not used: register it with that address.']
    : [];
}

/** Problems with keys in cookies. */
function cookiesOf({ security }: JsonObject, root: JsonObject): string[] {
  const wanted = security ?? root.security;
  const names = Array.isArray(wanted)
    ? wanted.flatMap((one) => (isJsonObject(one) ? Object.keys(one) : []))
    : [];
  const components = isJsonObject(root.components) ? root.components : {};
  const schemes = isJsonObject(components.securitySchemes) ? components.securitySchemes : {};
  return [...new Set(names)]
    .map((name) => schemes[name])
    .filter((scheme) => isJsonObject(scheme))
    .filter((scheme) => scheme.type === 'apiKey' && scheme.in === 'cookie')
    .map(({ name }) => `It wants a key in the cookie ${String(name)}, which cannot be sent.`);
}

function methodsOf(path: string, item: JsonObject[string], { root }: OpenApiDocument): Found[] {
  const followedItem = itemOf(item, root);
  return httpMethods.flatMap((method) => {
    const operation = followedItem[method.toLowerCase()];
    return isJsonObject(operation) ? [{ method, path, item: followedItem, operation }] : [];
  });
}

/** A path with a dangling reference has no operations. */
function itemOf(item: JsonObject[string], root: JsonObject): JsonObject {
  try {
    return followed(item, root);
  } catch (error) {
    if (error instanceof BadSchema) return {};
    throw error;
  }
}

/** Includes apostrophes and dashes of Windows that were read as Latin-1. */
const unprintable = /[^\P{Cc}\t\n\r]/gu;

function wordsOf(
  { summary, description, deprecated }: JsonObject,
  method: HttpMethod,
  path: string,
): { summary: string; description: string } {
  const [short = '', long = ''] = [summary, description].map((text) =>
    typeof text === 'string' ? text.toWellFormed().replaceAll(unprintable, ' ').trim() : '',
  );
  const line = (short || long.split('\n', 1)[0] || `${method} ${path}`).replaceAll(/\s+/g, ' ');
  const warning = deprecated === true ? 'Deprecated by its service. ' : '';
  const whole = short !== '' && long !== '' && short !== long ? `${short}\n${long}` : short || long || line;
  return {
    summary: shortened(line, MAX_SUMMARY_CHARACTERS),
    description: shortened(`${warning}${whole}`, MAX_DESCRIPTION_CHARACTERS),
  };
}

/** `listPets` as `list_pets`, with a number if that is taken. */
function freeKey(name: string, isTaken: (key: string) => boolean): string {
  const words = withoutAccents(name)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  const base = /^[a-z]./.test(words) ? words : `op_${words}`;
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : `_${number}`;
    const key = `${base.slice(0, MAX_KEY_CHARACTERS - end.length).replace(/_+$/, '')}${end}`;
    if (!isTaken(key)) return key;
  }
}
