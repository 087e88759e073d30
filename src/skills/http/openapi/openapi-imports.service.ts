import { Injectable } from '@nestjs/common';
import { z } from 'zod';

import type { Viewer } from '../../../auth/viewer.js';
import { checkInput } from '../../../common/check-input.js';
import { badInput } from '../../../common/errors/domain-error.js';
import type { JsonObject } from '../../../common/json.js';
import { line } from '../../../common/text/plain-line.js';
import { OutboundHttp } from '../../../outbound/outbound-http.js';
import { Headers, HttpSkillInput, Secrets, timeoutSeconds } from '../http-skill-input.js';
import { HttpSkills } from '../http-skills.service.js';
import { BadTemplate, readTemplate } from '../url-template.js';
import {
  BadDocument,
  type Credential,
  credentialsOf,
  type OpenApiDocument,
  readDocument,
  saidServerOf,
  serverOf,
} from './openapi-document.js';
import { fetchDocument } from './openapi-fetch.js';
import { type ImportableOperation, operationsOf } from './openapi-operations.js';

const MOST_AT_ONCE = 50;
const MAX_PREVIEW_CHARACTERS = 4_000_000;
const MAX_SHOWN_CHARACTERS = 100;

const Source = z.object({
  document: z.string().min(1, 'This must not be empty.').nullish(),
  url: z
    .url({ protocol: /^https?$/, error: 'This must be a web address.' })
    .max(2_000)
    .nullish(),
  prefix: z
    .string()
    .regex(
      /^[a-z][a-z0-9_]{0,29}$/,
      'A prefix is 1 to 30 lowercase letters, digits and _, with a letter first.',
    )
    .nullish(),
});
type Source = z.output<typeof Source>;

const Import = Source.extend({
  operations: z
    .array(z.string())
    .min(1, 'Name at least one operation.')
    .max(MOST_AT_ONCE, `These must be at most ${MOST_AT_ONCE} at once.`),
  serverUrl: z.string().max(1_000, 'This must be at most 1000 characters long.').nullish(),
  category: line(100).nullish(),
  headers: Headers.nullish(),
  secrets: Secrets.nullish(),
  timeoutSeconds: timeoutSeconds.nullish(),
  replace: z.boolean().default(false),
});
type Import = z.output<typeof Import>;

/** What is in a document, before anything is made of it. */
export interface OpenApiPreview {
  title: string;
  version: string;
  serverUrl: string | null;
  credentials: Credential[];
  operations: (Omit<ImportableOperation, 'parameters'> & {
    isImportable: boolean;
    parameters: JsonObject | null;
  })[];
  omitted: number;
}

/** Makes HTTP skills of what OpenAPI documents describe. Whoever calls has checked the role. */
@Injectable()
export class OpenApiImports {
  constructor(
    private readonly outbound: OutboundHttp,
    private readonly skills: HttpSkills,
  ) {}

  /** What could be imported. Rejects with BAD_USER_INPUT that says what is wrong with the document. */
  async preview(input: unknown): Promise<OpenApiPreview> {
    const source = checkInput(Source, input);
    const { document, url } = await this.read(source);
    const { operations, omitted } = await operationsOf(document, source.prefix ?? null);
    const shown = beginningOf(operations);
    return {
      title: document.title,
      version: document.version,
      serverUrl: serverOf(document, url),
      credentials: credentialsOf(document),
      operations: shown.map((operation) => ({ ...operation, isImportable: operation.parameters !== null })),
      omitted: omitted + operations.length - shown.length,
    };
  }

  /** Makes a skill of each operation, or none at all, and gives their keys. Rejects as registering each would. */
  async import(viewer: Viewer, input: unknown): Promise<string[]> {
    const wanted = checkInput(Import, input);
    const { document, url } = await this.read(wanted);
    const server = serverIn(wanted, document, url);
    const { operations } = await operationsOf(document, wanted.prefix ?? null);
    const byId = new Map(operations.map((operation) => [operation.operationId, operation]));
    const skills = [...new Set(wanted.operations)].map((id, index) => {
      const path = ['input', 'operations', String(index)];
      const operation = byId.get(id);
      if (!operation) throw badInput(path, `The document has no operation ${id}.`);
      if (!operation.parameters) {
        throw badInput(path, `The operation ${id} cannot be called: ${operation.problems.join(' ')}`);
      }
      return skillOf(operation, operation.parameters, server, {
        ...wanted,
        category: wanted.category ?? titleOf(document),
      });
    });
    return this.skills.registerAll(viewer, skills);
  }

  private async read({ document, url }: Source): Promise<{ document: OpenApiDocument; url: string | null }> {
    const hasDocument = document !== null && document !== undefined;
    if (hasDocument === (url !== null && url !== undefined)) {
      throw badInput(['input'], 'Give either the document or its url.');
    }
    try {
      if (hasDocument) return { document: await readDocument(document), url: null };
      return await fetchDocument(this.outbound, url ?? '');
    } catch (error) {
      if (!(error instanceof BadDocument)) throw error;
      throw badInput(['input', hasDocument ? 'document' : 'url'], error.message);
    }
  }
}

/** As many as an answer can hold: what one document says once may be part of all of them. */
const beginningOf = (operations: readonly ImportableOperation[]): ImportableOperation[] => {
  let characters = 0;
  return operations.filter((operation) => {
    characters += JSON.stringify(operation).length;
    return characters <= MAX_PREVIEW_CHARACTERS;
  });
};

/** Where the service is, without a slash at its end. */
const serverIn = ({ serverUrl }: Import, document: OpenApiDocument, url: string | null): string => {
  const server = serverUrl ?? serverOf(document, url);
  const path = ['input', 'serverUrl'];
  if (server === null) throw badInput(path, `${missingServer(saidServerOf(document))}: give serverUrl.`);
  try {
    const { variables } = readTemplate(server);
    if (variables.length === 0 && !server.includes('?')) return server.replace(/\/+$/, '');
  } catch (error) {
    if (!(error instanceof BadTemplate)) throw error;
    throw badInput(path, error.message);
  }
  throw badInput(path, 'The address of the service must have neither variables nor a query.');
};

const missingServer = (said: string | null): string =>
  said === null
    ? 'The document does not say where its service is'
    : `The document says of its service only that it is at ${said.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed()}, on no host`;

const titleOf = ({ title }: OpenApiDocument): string | null =>
  title.replaceAll('\0', '').trim().slice(0, 100).toWellFormed().trim() || null;

/** The arguments that are not sent with every call anyway. */
const withoutGiven = (
  { placements }: ImportableOperation,
  parameters: JsonObject,
  { headers, secrets }: Import,
): Pick<HttpSkillInput, 'parameters' | 'placements'> => {
  const given = new Set(
    [...(headers ?? []).map(({ name }) => ({ in: 'HEADER', name })), ...(secrets ?? [])].map(placeOf),
  );
  const gone = new Set(
    placements.filter((placement) => given.has(placeOf(placement))).map(({ argument }) => argument),
  );
  const { properties, required } = parameters;
  return {
    parameters: {
      ...parameters,
      properties: Object.fromEntries(
        Object.entries(properties ?? {}).filter(([argument]) => !gone.has(argument)),
      ),
      ...(Array.isArray(required) && { required: required.filter((name) => !gone.has(String(name))) }),
    },
    placements: placements.filter(({ argument }) => !gone.has(argument)),
  };
};

const placeOf = ({ in: place, name }: { in: string; name: string }): string =>
  `${place} ${place === 'HEADER' ? name.toLowerCase() : name}`;

const skillOf = (
  operation: ImportableOperation,
  parameters: JsonObject,
  server: string,
  wanted: Import,
): HttpSkillInput => {
  const { headers, secrets, timeoutSeconds, replace, category } = wanted;
  const input = {
    ...operation,
    ...withoutGiven(operation, parameters, wanted),
    name: operation.summary,
    url: `${server}${operation.template}`,
    category,
    headers,
    secrets,
    timeoutSeconds,
    replace,
  };
  return checkInput(HttpSkillInput, input, ['input', 'operations', operation.operationId]);
};
