import { Injectable } from '@nestjs/common';
import { OutboundError, OutboundHttp } from '@palabre/outbound';

import { MAX_IMAGE_BYTES } from '../../documents/attachments/image.js';
import { badInput } from '../../common/errors/domain-error.js';
import { ATTACHMENTS_ARGUMENT, MAX_ATTACHMENTS } from '../../conversations/turns/start/start-turn.js';
import type { InlineFile } from '../inline-files.service.js';
import type { AskedFile } from './asked-input.js';

const FETCH_TIMEOUT_MS = 20_000;

/** Reads a question's files, and fetches those given by URL. */
@Injectable()
export class AskedFiles {
  constructor(private readonly http: OutboundHttp) {}

  /** Rejects with BAD_USER_INPUT. */
  async read(companyId: string, files: readonly AskedFile[], signal: AbortSignal): Promise<InlineFile[]> {
    if (files.length > MAX_ATTACHMENTS)
      throw badInput(ATTACHMENTS_ARGUMENT, `At most ${MAX_ATTACHMENTS} files.`);
    const read: InlineFile[] = [];
    for (const file of files) read.push(await this.readOne(companyId, file, signal));
    return read;
  }

  private async readOne(
    companyId: string,
    { name, isImage, source }: AskedFile,
    signal: AbortSignal,
  ): Promise<InlineFile> {
    if (source === null)
      throw badInput(
        ATTACHMENTS_ARGUMENT,
        'Send the file itself or its address: nothing is uploaded here under an id.',
      );
    if ('data' in source) {
      const bytes = Buffer.from(source.data, 'base64');
      if (bytes.length === 0) throw badInput(ATTACHMENTS_ARGUMENT, 'This file is empty, or not in base64.');
      return named({ name, mediaType: source.mediaType, bytes }, isImage);
    }
    try {
      const { status, headers, body } = await this.http.request({
        url: source.url,
        requester: companyId,
        timeoutMs: FETCH_TIMEOUT_MS,
        maxBytes: MAX_IMAGE_BYTES,
        signal,
      });
      if (status !== 200)
        throw badInput(ATTACHMENTS_ARGUMENT, `The file could not be fetched: its server answered ${status}.`);
      const mediaType = headers['content-type']?.split(';', 1)[0]?.trim() ?? '';
      return named({ name, mediaType, bytes: body }, isImage);
    } catch (error) {
      if (error instanceof OutboundError)
        throw badInput(ATTACHMENTS_ARGUMENT, `The file could not be fetched: ${error.message}`);
      throw error;
    }
  }
}

/** Without a type the file's name decides. An image's name needs the extension. */
function named({ name, mediaType, bytes }: InlineFile, isImage: boolean): InlineFile {
  return { name: isImage && !name.includes('.') ? `${name}.png` : name, mediaType, bytes };
}
