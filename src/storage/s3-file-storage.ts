import { addAbortSignal, type Readable } from 'node:stream';

import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';

import { DomainError } from '../common/errors/domain-error.js';
import type { S3Config } from '../config/config.js';
import {
  FileNotFound,
  FileStorage,
  type Measured,
  type StoredObject,
  type WriteOptions,
} from './file-storage.js';
import { MeasuredContent } from './measured-content.js';
import { inPieces } from './pieces.js';
import { checkFolder, checkKey } from './storage-key.js';

/** What is larger is sent in parts of so much. A service takes none under 5 MiB but the last one, and 10,000. */
const PART_BYTES = 8 * 1024 * 1024;

const MAX_PAGE = 1000;
const DELETIONS_AT_A_TIME = 8;

const CONNECTION_TIMEOUT_MS = 5_000;
/** Until the answer begins, a part's way there included. */
const ANSWER_TIMEOUT_MS = 120_000;
/** Without a byte either way: whoever reads no further for so long has left. */
const IDLE_TIMEOUT_MS = 60_000;

/** Keeps files in a bucket of Amazon S3 or of a service that speaks its protocol. */
export class S3FileStorage extends FileStorage {
  private readonly client: S3Client;
  private readonly bucket: string;
  private readonly prefix: string;

  constructor({ bucket, endpoint, region, accessKeyId, secretAccessKey, prefix }: S3Config) {
    super();
    this.bucket = bucket;
    this.prefix = prefix === '' ? '' : `${prefix}/`;
    const isNamed = accessKeyId !== null && secretAccessKey !== null;
    this.client = new S3Client({
      region,
      // Other services often have one host name for all buckets.
      ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
      ...(isNamed ? { credentials: { accessKeyId, secretAccessKey } } : {}),
      // Newer than what many services know.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECTION_TIMEOUT_MS,
        requestTimeout: ANSWER_TIMEOUT_MS,
        throwOnRequestTimeout: true,
        socketTimeout: IDLE_TIMEOUT_MS,
      },
    });
  }

  /** Lets go of its connections. */
  close(): void {
    this.client.destroy();
  }

  async write(key: string, content: Readable | Uint8Array, options: WriteOptions): Promise<Measured> {
    const place = this.placeOf(key);
    const measured = new MeasuredContent(content, options);
    const pieces = inPieces(measured, PART_BYTES);
    try {
      const first = await pieces.next();
      const second = await pieces.next();
      if (second.done) await this.put(place, first.value ?? new Uint8Array(), options);
      else await this.putInParts(place, [first.value ?? new Uint8Array(), second.value], pieces, options);
    } finally {
      await pieces.return(undefined);
    }
    return measured.measure();
  }

  async read(key: string, signal?: AbortSignal): Promise<Readable> {
    const place = this.placeOf(key);
    const { Body } = await sent(
      (options) => this.client.send(new GetObjectCommand(place), options),
      signal,
    ).catch((error: unknown) => {
      throw isAbsent(error) ? new FileNotFound(`There is no file ${key}.`, { cause: error }) : error;
    });
    if (!Body) throw new Error('The file storage has answered without a body.');
    const content = Body as Readable;
    return signal ? addAbortSignal(signal, content) : content;
  }

  async list(folder: string, limit: number): Promise<StoredObject[]> {
    checkFolder(folder);
    const listed: StoredObject[] = [];
    for await (const page of this.pages(folder, limit)) {
      listed.push(...page);
      if (listed.length >= limit) break;
    }
    return listed.slice(0, limit);
  }

  async remove(key: string): Promise<void> {
    const place = this.placeOf(key);
    await sent((options) => this.client.send(new DeleteObjectCommand(place), options));
  }

  async removeAll(folder: string): Promise<void> {
    checkFolder(folder);
    for await (const page of this.pages(folder, MAX_PAGE)) {
      // One by one: not every service deletes many in one request.
      for (let start = 0; start < page.length; start += DELETIONS_AT_A_TIME) {
        const some = page.slice(start, start + DELETIONS_AT_A_TIME);
        await Promise.all(some.map(({ key }) => this.remove(key)));
      }
    }
  }

  private placeOf(key: string): { Bucket: string; Key: string } {
    checkKey(key);
    return { Bucket: this.bucket, Key: `${this.prefix}${key}` };
  }

  private async put(
    place: { Bucket: string; Key: string },
    Body: Uint8Array,
    { mediaType, signal }: WriteOptions,
  ): Promise<void> {
    const command = new PutObjectCommand({ ...place, Body, ContentType: mediaType });
    await sent((options) => this.client.send(command, options), signal);
  }

  /** The object is there when the last request is through, and not before. */
  private async putInParts(
    place: { Bucket: string; Key: string },
    first: readonly Uint8Array[],
    rest: AsyncIterable<Uint8Array>,
    { mediaType, signal }: WriteOptions,
  ): Promise<void> {
    const begin = new CreateMultipartUploadCommand({ ...place, ContentType: mediaType });
    const { UploadId } = await sent((options) => this.client.send(begin, options), signal);
    const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
    const add = async (Body: Uint8Array): Promise<void> => {
      const PartNumber = Parts.length + 1;
      const command = new UploadPartCommand({ ...place, UploadId, PartNumber, Body });
      const { ETag } = await sent((options) => this.client.send(command, options), signal);
      Parts.push({ PartNumber, ETag });
    };
    try {
      for (const piece of first) await add(piece);
      for await (const piece of rest) await add(piece);
      const end = new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts } });
      await sent((options) => this.client.send(end, options), signal);
    } catch (error) {
      // Parts nobody puts together are stored, and paid for, until the bucket's own rules remove them.
      const undo = new AbortMultipartUploadCommand({ ...place, UploadId });
      await sent((options) => this.client.send(undo, options)).catch(() => undefined);
      throw error;
    }
  }

  private async *pages(folder: string, limit: number): AsyncGenerator<StoredObject[]> {
    const MaxKeys = Math.min(limit, MAX_PAGE);
    let ContinuationToken: string | undefined;
    if (MaxKeys <= 0) return;
    do {
      const command = new ListObjectsV2Command({
        Bucket: this.bucket,
        Prefix: `${this.prefix}${folder}`,
        MaxKeys,
        ContinuationToken,
      });
      const page: ListObjectsV2CommandOutput = await sent((options) => this.client.send(command, options));
      yield (page.Contents ?? []).flatMap((object) => {
        const key = object.Key?.slice(this.prefix.length) ?? '/';
        // Consoles make an empty object of that name for a folder.
        return key.endsWith('/') ? [] : [toObject(key, object)];
      });
      ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (ContinuationToken !== undefined);
  }
}

const toObject = (key: string, { Size, ETag }: { Size?: number; ETag?: string }): StoredObject => ({
  key,
  bytes: Size ?? 0,
  etag: ETag ?? '',
});

/** One request, told to stop with `signal`. Rejects with its reason, or with UNAVAILABLE when it is worth trying again. */
const sent = async <Answer>(
  send: (options: { abortSignal?: AbortSignal }) => Promise<Answer>,
  signal?: AbortSignal,
): Promise<Answer> => {
  try {
    return await send(signal ? { abortSignal: signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    const status = statusOf(error);
    // An answer under 500 says that the request, or the operator's setting, is wrong, except for "too many".
    if (status !== null && status < 500 && status !== 429) throw error;
    const message = 'The file storage cannot be reached just now. Please try again.';
    throw new DomainError('UNAVAILABLE', message, {}, { cause: error });
  }
};

/** Null: there was no answer. */
const statusOf = (error: unknown): number | null => {
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  return $metadata?.httpStatusCode ?? null;
};

/** Not every 404: a bucket that is not there is another matter. */
const isAbsent = (error: unknown): boolean =>
  ['NoSuchKey', 'NotFound'].includes(String((error as { name?: unknown }).name));
