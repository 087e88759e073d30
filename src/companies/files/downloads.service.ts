import type { Readable } from 'node:stream';

import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { Config } from '../../common/config/config.js';
import { notFound } from '../../common/errors/domain-error.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { Database } from '../../platform/database/database.js';
import { FileNotFound, FileStorage } from '../../platform/storage/file-storage.js';
import { MemberRepository } from '../members/member.repository.js';
import { sendError } from './http-error.js';
import { isShownToPeople, linkPage } from './link-page.js';
import { SignedLinks } from './signed-links.js';

/** A file that can be downloaded by a link, and the storage key of its bytes. */
export interface Download {
  id: string;
  /** With its extension. */
  name: string;
  mediaType: string;
  bytes: number;
  storageKey: string;
}

export interface FileLink {
  /** Anyone who has it can download the file until `expiresAt`. */
  url: string;
  expiresAt: Date;
}

/** Null: no file of this kind and id that the link's member may see. */
type FindDownload = (companyId: string, id: string, memberId: string) => Promise<Download | null>;

/** Makes and resolves download links. Ids do not name the kind of file, so every registered finder is asked in turn. */
@Injectable()
export class Downloads {
  private readonly finders: FindDownload[] = [];

  constructor(
    private readonly links: SignedLinks,
    private readonly database: Database,
    private readonly members: MemberRepository,
    private readonly storage: FileStorage,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Called by the module of each kind of file. */
  register(find: FindDownload): void {
    this.finders.push(find);
  }

  /** A link for one member. It stops working when the member is deactivated or erased. */
  linkTo({ companyId, id }: { companyId: string; id: string }, memberId: string): FileLink {
    const expiresAt = this.links.nextExpiry();
    return { url: this.links.urlOf('files', { companyId, id, memberId, expiresAt }), expiresAt };
  }

  /** The file of a link. `token` is the last part of its URL. Rejects with NOT_FOUND. */
  async getLinked(token: string): Promise<Download> {
    const { companyId, id, memberId } = this.links.read('files', token);
    const active = await this.database.read(companyId, (tx) => this.members.listActive(tx, [memberId]));
    if (!active.has(memberId)) throw notFound('link');
    for (const find of this.finders) {
      const file = await find(companyId, id, memberId);
      if (file) return file;
    }
    throw notFound('file');
  }

  /** A stream of the bytes, which must be read or destroyed. Rejects with NOT_FOUND when the bytes are lost. */
  async read({ id, storageKey }: Download, signal?: AbortSignal): Promise<Readable> {
    try {
      return await this.storage.read(storageKey, signal);
    } catch (error) {
      if (!(error instanceof FileNotFound)) throw error;
      this.logger.error({ err: error, fileId: id }, 'the bytes of a file are not in the storage');
      throw notFound('file');
    }
  }
}

type DownloadRequest = FastifyRequest<{ Params: { token: string } }>;

/** The HTTP route of download links. */
@Injectable()
export class DownloadRoute implements OnModuleInit {
  constructor(
    private readonly http: HttpAdapterHost,
    private readonly config: Config,
    private readonly downloads: Downloads,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    if (this.config.role === 'worker') return;
    this.http.httpAdapter.getInstance<FastifyInstance>().route({
      method: ['GET', 'HEAD'],
      url: '/files/:token',
      exposeHeadRoute: false,
      handler: (request: DownloadRequest, reply) => this.serve(request, reply),
    });
  }

  private async serve(request: DownloadRequest, reply: FastifyReply): Promise<FastifyReply> {
    const disconnected = new AbortController();
    reply.raw.once('close', () => disconnected.abort());
    try {
      const file = await this.downloads.getLinked(request.params.token);
      const content = request.method === 'HEAD' ? '' : await this.downloads.read(file, disconnected.signal);
      return await reply
        .headers({
          'content-type': file.mediaType,
          'content-length': file.bytes,
          'content-disposition': contentDisposition(file.name),
          'cache-control': 'private, no-store',
          'x-content-type-options': 'nosniff',
          // An HTML file must not run scripts in the name of this site.
          'content-security-policy': "default-src 'none'; sandbox",
        })
        .send(content);
    } catch (error) {
      const { accept, 'accept-language': language } = request.headers;
      const page = (status: number): string => linkPage(status, language);
      sendError(reply, error, this.logger, isShownToPeople(accept) ? page : undefined);
      return reply;
    }
  }
}

/** Makes a browser save the file as `name`: RFC 6266, with RFC 8187 for names that are not ASCII. */
export function contentDisposition(name: string): string {
  const plain = name.replaceAll(/[^ -~]|["%\\]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
