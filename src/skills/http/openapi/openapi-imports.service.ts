import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { parseInThread } from '@palabre/parsing';
import { z } from 'zod';
import { OutboundError, OutboundHttp } from '@palabre/outbound';
import { line, plainLine } from '@palabre/text';
import {
  BadDocument,
  BadTemplate,
  credentialsOf,
  type ImportableOperation,
  type OpenApiDocument,
  operationsOf,
  readDocument,
  readTemplate,
  saidServerOf,
  type SecretPlace,
  serverOf,
} from '@palabre/openapi';
import type { JsonObject, JsonValue } from '@palabre/json';
import { FairSemaphore } from '@palabre/async';

import type { Viewer } from '../../../companies/auth/viewer.js';
import { checkInput } from '../../../common/check-input.js';
import { badInput, DomainError } from '../../../common/errors/domain-error.js';
import { onThread } from '../../../common/process/thread-time.js';

import { isReservedSkillKey } from '../../skill.js';
import { type CompanySkill, SkillsService } from '../../skills.service.js';
import { Headers, Secrets, timeoutSeconds, type CheckedHttpSkill } from '../http-skill-input.js';
import { HttpSkills } from '../http-skills.service.js';
import { judge } from './openapi-skills.js';
import { reasonOf } from '../http-skill.js';

export const MAX_IMPORTED = 50;
export const MAX_DOCUMENT_BYTES = 2_000_000;
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
    .max(MAX_IMPORTED, `These must be at most ${MAX_IMPORTED} at once.`),
  serverUrl: z.string().max(1_000, 'This must be at most 1000 characters long.').nullish(),
  category: line(100).nullish(),
  headers: Headers.nullish(),
  secrets: Secrets.nullish(),
  timeoutSeconds: timeoutSeconds.nullish(),
  replace: z.boolean().default(false),
});
type Import = z.output<typeof Import>;

/** The content of a document before an import. */
export interface OpenApiPreview {
  title: string;
  version: string;
  serverUrl: string | null;
  credentials: SecretPlace[];
  operations: (Omit<ImportableOperation, 'parameters'> & {
    isImportable: boolean;
    parameters: JsonObject | null;
  })[];
  omitted: number;
}

interface RefusedOperation {
  operationId: string;
  reason: string;
}

const THREADS = { all: 3, ofOne: 2 };
/** The most waiting imports of a company. */
const MAX_WAITING = 10;

const threads = new FairSemaphore(
  THREADS,
  MAX_WAITING,
  () => new DomainError('UNAVAILABLE', 'Other documents are being read: try again in a moment.'),
);

function parseYamlFor(companyId: string): (text: string) => Promise<JsonValue> {
  return (text) => threads.run(companyId, () => parseInThread({ text, format: 'yaml' }, { onThread }));
}

const reading = { isReserved: isReservedSkillKey, onThread };

const PLACEHOLDER_SERVER = 'https://service.example';

/** Creates HTTP skills from OpenAPI documents. The caller has checked the role. */
@Injectable()
export class OpenApiImports {
  constructor(
    private readonly outbound: OutboundHttp,
    private readonly skills: HttpSkills,
    private readonly companySkills: SkillsService,
  ) {}

  /** The importable operations. Rejects with BAD_USER_INPUT that describes the document's fault. */
  async preview(viewer: Viewer, input: unknown): Promise<OpenApiPreview> {
    const source = checkInput(Source, input);
    const { document, url } = await this.read(viewer, source);
    const { operations, omitted } = await operationsOf(document, source.prefix ?? null, reading);
    const shown = beginningOf(operations);
    const known = new Map((await this.companySkills.list(viewer)).map((skill) => [skill.key, skill]));
    const serverUrl = serverOf(document, url);
    const server = serverUrl === null ? null : usableServer(serverUrl);
    const judged: OpenApiPreview['operations'] = [];
    for (const operation of shown) {
      judged.push(
        onThread(() => previewOf(operation, server ?? PLACEHOLDER_SERVER, known.get(operation.key))),
      );
      await setImmediate();
    }
    return {
      title: document.title,
      version: document.version,
      serverUrl: server === null ? null : serverUrl,
      credentials: credentialsOf(document),
      operations: judged,
      omitted: omitted + operations.length - shown.length,
    };
  }

  /** Creates a skill for each operation, or none at all, and returns their keys. Rejects with all obstacles. */
  async import(viewer: Viewer, input: unknown): Promise<string[]> {
    const { skills, refused } = await this.judged(viewer, checkInput(Import, input));
    if (refused.length > 0) {
      const reasons = refused.map(
        ({ operationId, reason }) => `${operationId} cannot be imported: ${reason}`,
      );
      throw badInput(['input', 'operations'], reasons.join(' '), { refused });
    }
    return this.skills.registerAll(viewer, [...skills.values()]);
  }

  /** Creates a skill for each suitable operation. Rejects only for faults that concern all. */
  async importEach(viewer: Viewer, input: unknown): Promise<{ keys: string[]; refused: RefusedOperation[] }> {
    const { skills, refused } = await this.judged(viewer, checkInput(Import, input));
    const registered = await this.skills.registerEach(viewer, [...skills.values()]);
    const notRegistered = [...skills].flatMap(([operationId, { key }]) => {
      const reason = registered.refused.get(key);
      return reason === undefined ? [] : [{ operationId, reason }];
    });
    return { keys: registered.keys, refused: [...refused, ...notRegistered] };
  }

  /** By operationId, in the requested order. */
  private async judged(
    viewer: Viewer,
    wanted: Import,
  ): Promise<{ skills: Map<string, CheckedHttpSkill>; refused: RefusedOperation[] }> {
    const { document, url } = await this.read(viewer, wanted);
    const server = serverIn(wanted, document, url);
    const { operations } = await operationsOf(document, wanted.prefix ?? null, reading);
    const byId = new Map(operations.map((operation) => [operation.operationId, operation]));
    const shared = { ...wanted, category: wanted.category ?? titleOf(document) };
    const kept = await this.secretsKept(viewer, wanted, byId);
    const skills = new Map<string, CheckedHttpSkill>();
    const refused: RefusedOperation[] = [];
    for (const operationId of new Set(wanted.operations)) {
      const operation = byId.get(operationId);
      const { skill, refusal } = operation
        ? onThread(() => judge(operation, server, { ...shared, kept: kept.get(operation.key) }))
        : UNKNOWN_OPERATION;
      if (skill) skills.set(operationId, skill);
      else refused.push({ operationId, reason: refusal });
      // Lets other work run.
      await setImmediate();
    }
    return { skills, refused };
  }

  /** The places of secrets that replaced skills keep, by key, because none are given. */
  private async secretsKept(
    viewer: Viewer,
    { operations, replace, secrets }: Import,
    byId: ReadonlyMap<string, ImportableOperation>,
  ): Promise<Map<string, SecretPlace[]>> {
    if (!replace || secrets) return new Map();
    return this.skills.secretPlacesOf(
      viewer,
      operations.flatMap((operationId) => byId.get(operationId)?.key ?? []),
    );
  }

  private async read(
    { companyId }: Viewer,
    { document, url }: Source,
  ): Promise<{ document: OpenApiDocument; url: string | null }> {
    const hasDocument = document !== null && document !== undefined;
    if (hasDocument === (url !== null && url !== undefined))
      throw badInput(['input'], 'Give either the document or its url.');
    try {
      if (hasDocument) return { document: await readDocument(document, parseYamlFor(companyId)), url: null };
      return await fetchDocument(this.outbound, companyId, url ?? '');
    } catch (error) {
      if (!(error instanceof BadDocument)) throw error;
      throw badInput(['input', hasDocument ? 'document' : 'url'], error.message);
    }
  }
}

const UNKNOWN_OPERATION = { skill: null, refusal: 'The document has no such operation.' } as const;

function previewOf(
  operation: ImportableOperation,
  server: string,
  known: CompanySkill | undefined,
): OpenApiPreview['operations'][number] {
  const { refusal } = judge(operation, server, { replace: false });
  const isReplaceable = known === undefined || (known.own && known.kind === 'HTTP');
  const isImportable = refusal === null && isReplaceable;
  const problems = [
    ...operation.problems,
    // Without parameters the refusal is already among the problems.
    ...(refusal !== null && operation.parameters ? [refusal] : []),
    ...(known && isReplaceable
      ? [`The company has a skill ${known.key} already: it is imported with replace alone.`]
      : []),
    ...(isReplaceable
      ? []
      : [`There is another skill with the key ${operation.key}: choose another prefix.`]),
  ];
  return { ...operation, parameters: isImportable ? operation.parameters : null, isImportable, problems };
}

/** As many as fit into an answer, because each operation may repeat parts of the document. */
function beginningOf(operations: readonly ImportableOperation[]): ImportableOperation[] {
  let characters = 0;
  return operations.filter((operation) => {
    characters += JSON.stringify(operation).length;
    return characters <= MAX_PREVIEW_CHARACTERS;
  });
}

/** The service's address, without a slash at the end. */
function serverIn({ serverUrl }: Import, document: OpenApiDocument, url: string | null): string {
  const server = serverUrl ?? serverOf(document, url);
  const path = ['input', 'serverUrl'];
  if (server === null) throw badInput(path, `${missingServer(saidServerOf(document))}: give serverUrl.`);
  try {
    return readServer(server);
  } catch (error) {
    throw error instanceof BadTemplate ? badInput(path, error.message) : error;
  }
}

/** A service's address, without a slash at the end. Throws BadTemplate if no path can follow it. */
function readServer(server: string): string {
  const { variables } = readTemplate(server);
  if (variables.length === 0 && !server.includes('?')) return server.replace(/\/+$/, '');
  throw new BadTemplate('The address of the service must have neither variables nor a query.');
}

/** The same. Null: the import needs another address. */
function usableServer(server: string): string | null {
  try {
    return readServer(server);
  } catch (error) {
    if (error instanceof BadTemplate) return null;
    throw error;
  }
}

function missingServer(said: string | null): string {
  return said === null
    ? 'The document does not say where its service is'
    : `The document says of its service only that it is at ${said.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed()}, on no host`;
}

function titleOf({ title }: OpenApiDocument): string | null {
  return plainLine(title).slice(0, 100).toWellFormed().trim() || null;
}

const DEFAULT_LIMIT_MS = 15_000;

/** A document and its final address. Rejects with BadDocument, also for failed and refused requests. */
export async function fetchDocument(
  outbound: OutboundHttp,
  requester: string,
  url: string,
  limitMs = DEFAULT_LIMIT_MS,
): Promise<{ document: OpenApiDocument; url: string }> {
  const answer = await outbound
    .request({
      url,
      headers: { accept: 'application/json, application/yaml, text/*;q=0.9, */*;q=0.1' },
      requester,
      timeoutMs: limitMs,
      maxBytes: MAX_DOCUMENT_BYTES,
      // No timeout signal: it would fire before the request's own timeout, whose message is for people.
      signal: new AbortController().signal,
    })
    .catch((error: unknown) => {
      throw error instanceof OutboundError ? new BadDocument(reasonOf(error), { cause: error }) : error;
    });
  if (answer.status !== 200) throw new BadDocument(`The server answered with status ${answer.status}.`);
  return { document: await readDocument(answer.body.toString(), parseYamlFor(requester)), url: answer.url };
}
