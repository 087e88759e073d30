import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { LOGGER, type Logger } from '../../common/process/logger.js';
import { Config } from '../../config/config.js';
import { attachmentNamed } from './content-disposition.js';
import { Downloads } from './downloads.service.js';
import { refuse } from '../http-refusal.js';

type DownloadRequest = FastifyRequest<{ Params: { token: string } }>;

/** Gives files to whoever has a link to them. */
@Injectable()
export class FileDownloads implements OnModuleInit {
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
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    try {
      const file = await this.downloads.getLinked(request.params.token);
      // The head of an answer needs no bytes.
      const content = request.method === 'HEAD' ? '' : await this.downloads.read(file, left.signal);
      return await reply
        .headers({
          'content-type': file.mediaType,
          'content-length': file.bytes,
          'content-disposition': attachmentNamed(file.name),
          'cache-control': 'private, no-store',
          'x-content-type-options': 'nosniff',
          // Whatever is in it, it does nothing in this site's name.
          'content-security-policy': "default-src 'none'; sandbox",
        })
        .send(content);
    } catch (error) {
      refuse(reply, error, this.logger);
      return reply;
    }
  }
}
