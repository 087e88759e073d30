import { hash } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseJson } from '@palabre/json';

import { Config } from '../common/config/config.js';
import { ConfigError } from '../common/config/environment.js';
import { readJsonFile } from '../common/config/json-file.js';
import { DomainError } from '../common/errors/domain-error.js';
import { wrongRequestStatus } from './apollo-plugins.js';
import { consoleManifest } from './web/web-files.js';

const SETTING = 'TRUSTED_DOCUMENTS_FILES';
const MAX_FILE_BYTES = 20_000_000;

/** Manifests in the formats of Apollo, and of Relay and GraphQL Codegen. */
const Manifest = z.union([
  z
    .object({ operations: z.array(z.object({ id: z.string(), body: z.string() })) })
    .transform(({ operations }) => operations.map(({ id, body }) => [id, body] as const)),
  z.record(z.string(), z.string()).transform((texts) => Object.entries(texts)),
]);

/** A request that names its operation: by the GraphQL over HTTP draft, or as Apollo's clients do. */
const Named = z.looseObject({
  query: z.string().nullish(),
  documentId: z.string().max(500).nullish(),
  extensions: z
    .looseObject({ persistedQuery: z.looseObject({ sha256Hash: z.string().max(500) }).nullish() })
    .nullish(),
});

/** Operations that clients name by hash instead of sending them, from the operator's manifests and the console's. */
@Injectable()
export class TrustedDocuments {
  private readonly mode: Config['http']['trustedDocuments']['mode'];
  private readonly texts = new Map<string, string>();

  /** Throws ConfigError for a manifest that cannot be read. */
  constructor(config: Config) {
    const { mode, files } = config.http.trustedDocuments;
    this.mode = mode;
    const ofConsole = mode !== 'off' && config.http.hasConsole ? consoleManifest() : null;
    for (const file of ofConsole === null ? files : [...files, ofConsole]) {
      for (const [id, text] of readManifest(file)) {
        this.texts.set(bare(id), text);
        this.texts.set(hash('sha256', text), text);
      }
    }
  }

  /** Throws NOT_FOUND for an unknown hash, and FORBIDDEN for an unknown text in mode `only`. */
  resolve<Request>(request: Request): Request {
    const named = Named.safeParse(request).data;
    if (!named) {
      // A request with a malformed hash may still have a text.
      if (this.mode === 'only') throw onlyKnown();
      return request;
    }
    const { query, documentId, extensions } = named;
    const id = documentId ?? extensions?.persistedQuery?.sha256Hash ?? null;
    // Clients cannot register operations, so a hash beside a text is ignored.
    const text = query || (id === null ? null : this.textOf(id));
    if (text === null) return request;
    if (this.mode === 'only' && !this.texts.has(hash('sha256', text))) throw onlyKnown();
    if (id === null) return request;
    const { documentId: _id, extensions: _extensions, ...rest } = named;
    return { ...rest, query: text } as Request;
  }

  private textOf(id: string): string {
    // Clients recognise these messages of Apollo's, and then send the text, or stop sending hashes.
    if (this.mode === 'off') throw new DomainError('BAD_USER_INPUT', 'PersistedQueryNotSupported');
    const text = this.texts.get(bare(id));
    if (text === undefined) throw new DomainError('NOT_FOUND', 'PersistedQueryNotFound');
    return text;
  }

  /** Resolves HTTP requests to these paths before anything else reads their bodies or addresses. */
  resolveRequests(fastify: FastifyInstance, paths: readonly string[]): void {
    fastify.addHook('preHandler', (request, reply, done) => {
      if (!paths.includes(request.routeOptions.url ?? '')) return done();
      try {
        this.resolveRequest(request);
        done();
      } catch (error) {
        if (!(error instanceof DomainError)) return done(error as Error);
        // A client that is not signed in is asked to sign in, and learns nothing else.
        if (error.code !== 'FORBIDDEN' && request.headers.authorization === undefined) return done();
        const { code, message } = error;
        const status = wrongRequestStatus(request.headers.accept);
        void reply.code(status).send({ errors: [{ message, extensions: { code } }] });
      }
    });
  }

  private resolveRequest(request: FastifyRequest): void {
    if (request.method !== 'GET') {
      request.body = this.resolve(request.body);
      return;
    }
    const address = new URL(request.url, 'http://localhost');
    const asked = Object.fromEntries(address.searchParams);
    const extensions = parseJson(asked['extensions'] ?? '') ?? undefined;
    const { query } = this.resolve<{ query?: string; extensions: unknown }>({ ...asked, extensions });
    if (query === undefined || query === asked['query']) return;
    for (const name of ['documentId', 'extensions']) address.searchParams.delete(name);
    address.searchParams.set('query', query);
    request.raw.url = `${address.pathname}${address.search}`;
    Object.assign(request.query as object, { query, documentId: undefined, extensions: undefined });
  }
}

function onlyKnown(): DomainError {
  return new DomainError(
    'FORBIDDEN',
    'This server carries out only the operations of its manifests: add yours to one, or name a known one by documentId.',
  );
}

function readManifest(file: string): (readonly [id: string, text: string])[] {
  const parsed = Manifest.safeParse(readJsonFile(SETTING, file, MAX_FILE_BYTES));
  if (parsed.success) return parsed.data;
  throw new ConfigError([`${SETTING} must be manifests of Apollo, Relay or GraphQL Codegen.`]);
}

/** Ids of the draft name their hash: `sha256:…`. */
function bare(id: string): string {
  return id.replace(/^sha256:/, '');
}
