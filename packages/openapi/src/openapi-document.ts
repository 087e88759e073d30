import { isJsonObject, type JsonObject, type JsonValue } from '@palabre/json';
import { parseInThread, Unparsable } from '@palabre/parsing';
import { BadSchema, lookUp } from '@palabre/json-schema';
import type { SecretPlace } from './http-call.js';

/** A faulty document. The message is for the person who brings it. */
export class BadDocument extends Error {
  override readonly name = 'BadDocument';
}

const MAX_DOCUMENT_CHARACTERS = 2_000_000;
const MAX_CHAIN = 10;

/** An OpenAPI document. Only its outer form was checked. */
export interface OpenApiDocument {
  title: string;
  version: string;
  /** OpenAPI 3.0, whose schemas differ from JSON Schema. */
  isOld: boolean;
  paths: JsonObject;
  root: JsonObject;
}

/** Parses JSON or YAML. Rejects with Unparsable. A caller that reads many documents limits the threads. */
export type ParseYaml = (text: string) => Promise<JsonValue>;

const parseYaml: ParseYaml = (text) => parseInThread({ text, format: 'yaml' });

/** Reads OpenAPI 3.0 or 3.1, JSON or YAML. Nothing that it refers to is fetched. Rejects with BadDocument. */
export async function readDocument(text: string, parse = parseYaml): Promise<OpenApiDocument> {
  if (text.length > MAX_DOCUMENT_CHARACTERS)
    throw new BadDocument(`The document is longer than ${MAX_DOCUMENT_CHARACTERS} characters.`);
  const root = await parsed(text, parse);
  if (!isJsonObject(root)) throw new BadDocument('The document is no object of JSON or YAML.');
  const { openapi, swagger, info, paths } = root;
  if (swagger !== undefined) {
    throw new BadDocument(
      'This is Swagger 2.0: convert it to OpenAPI 3 first, such as with editor.swagger.io.',
    );
  }
  if (typeof openapi !== 'string' || !/^3\.[01](?:\.|$)/.test(openapi)) {
    throw new BadDocument(
      'The document is not OpenAPI 3.0 or 3.1: its field openapi says nothing of the kind.',
    );
  }
  if (!isJsonObject(paths)) throw new BadDocument('The document has no paths.');
  return {
    title: isJsonObject(info) && typeof info.title === 'string' ? info.title : '',
    version: isJsonObject(info) && typeof info.version === 'string' ? info.version : '',
    isOld: openapi.startsWith('3.0'),
    paths,
    root,
  };
}

/** Parsed in about a millisecond, less than a thread takes to start. */
const MAX_CHARACTERS_AT_ONCE = 32_000;

async function parsed(text: string, parse: ParseYaml): Promise<JsonValue> {
  const plain = text.replace(/^\u{feff}/u, '');
  try {
    const isShortJson = plain.length <= MAX_CHARACTERS_AT_ONCE && /^\s*\{/.test(plain);
    if (isShortJson) return JSON.parse(plain) as JsonValue;
  } catch {
    // YAML may begin with a brace too.
  }
  try {
    // Some short texts take a YAML parser very long.
    return await parse(plain);
  } catch (error) {
    if (!(error instanceof Unparsable)) throw error;
    throw new BadDocument(`The document is neither JSON nor YAML that can be read. ${error.message}`, {
      cause: error,
    });
  }
}

/** An object of the document, or the target of its reference. Throws BadSchema for a dangling reference. */
export function followed(value: JsonValue | undefined, root: JsonObject): JsonObject {
  let found: JsonValue | undefined = value;
  for (let steps = 0; steps < MAX_CHAIN; steps += 1) {
    if (!isJsonObject(found)) return {};
    if (typeof found.$ref !== 'string') return found;
    found = lookUp(root, found.$ref);
  }
  throw new BadSchema('References lead through too many others.');
}

/** Where the service expects credentials. */
export function credentialsOf({ root }: OpenApiDocument): SecretPlace[] {
  const components = isJsonObject(root.components) ? root.components : {};
  const schemes = isJsonObject(components.securitySchemes) ? Object.values(components.securitySchemes) : [];
  const found = schemes.flatMap((scheme): SecretPlace[] => {
    if (!isJsonObject(scheme)) return [];
    if (scheme.type !== 'apiKey') return [{ in: 'HEADER', name: 'Authorization' }];
    if (typeof scheme.name !== 'string') return [];
    if (scheme.in === 'header') return [{ in: 'HEADER', name: scheme.name }];
    return scheme.in === 'query' ? [{ in: 'QUERY', name: scheme.name }] : [];
  });
  return [...new Map(found.map((one) => [`${one.in} ${one.name}`, one])).values()];
}

/** The address of the service. Null: the document has none, or a relative one and its own address is unknown. */
export function serverOf(document: OpenApiDocument, documentUrl: string | null): string | null {
  const said = saidServerOf(document);
  if (said === null || /^https?:\/\//i.test(said)) return said;
  return documentUrl === null ? null : (URL.parse(said, documentUrl)?.href ?? null);
}

/** As the document writes it, possibly a path only. */
export function saidServerOf({ root }: OpenApiDocument): string | null {
  const server = Array.isArray(root.servers) ? root.servers[0] : undefined;
  if (!isJsonObject(server) || typeof server.url !== 'string') return null;
  const variables = isJsonObject(server.variables) ? server.variables : {};
  return server.url.replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isJsonObject(variable) && typeof variable.default === 'string' ? variable.default : whole;
  });
}
