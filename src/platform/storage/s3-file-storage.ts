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

import type { S3Config } from '../../common/config/config.js';
import { DomainError } from '../../common/errors/domain-error.js';
import {
  FileNotFound,
  FileStorage,
  type Measured,
  type StoredObject,
  type WriteOptions,
  MeasuredContent,
  checkFolder,
  checkKey,
} from './file-storage.js';

/** Larger files are uploaded in parts of this size. S3 takes at most 10,000 parts, of at least 5 MiB but for the last. */
const PART_BYTES = 8 * 1024 * 1024;

const MAX_PAGE = 1000;
const DELETIONS_AT_A_TIME = 8;

const CONNECTION_TIMEOUT_MS = 5_000;
/** Until the answer begins, including the upload of a part. */
const ANSWER_TIMEOUT_MS = 120_000;
/** How long no byte may pass in either direction. A reader that pauses longer is taken to be gone. */
const IDLE_TIMEOUT_MS = 60_000;

/** Stores files in a bucket of Amazon S3 or of a compatible service. */
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
      // Many compatible services do not know the newer checksums.
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

  close(): void {
    this.client.destroy();
  }

  async write(key: string, content: Readable | Uint8Array, options: WriteOptions): Promise<Measured> {
    const place = this.placeOf(key);
    const measured = new MeasuredContent(content, options);
    const pieces = toPieces(measured, PART_BYTES);
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
    const { Body } = await sendRequest(
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
    await sendRequest((options) => this.client.send(new DeleteObjectCommand(place), options));
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
    await sendRequest((options) => this.client.send(command, options), signal);
  }

  /** The object appears when the last request has succeeded. */
  private async putInParts(
    place: { Bucket: string; Key: string },
    first: readonly Uint8Array[],
    rest: AsyncIterable<Uint8Array>,
    { mediaType, signal }: WriteOptions,
  ): Promise<void> {
    const begin = new CreateMultipartUploadCommand({ ...place, ContentType: mediaType });
    const { UploadId } = await sendRequest((options) => this.client.send(begin, options), signal);
    const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
    const add = async (Body: Uint8Array): Promise<void> => {
      const PartNumber = Parts.length + 1;
      const command = new UploadPartCommand({ ...place, UploadId, PartNumber, Body });
      const { ETag } = await sendRequest((options) => this.client.send(command, options), signal);
      Parts.push({ PartNumber, ETag });
    };
    try {
      for (const piece of first) await add(piece);
      for await (const piece of rest) await add(piece);
      const end = new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts } });
      await sendRequest((options) => this.client.send(end, options), signal);
    } catch (error) {
      // Parts of an incomplete upload would be stored, and paid for, until the bucket's rules remove them.
      const undo = new AbortMultipartUploadCommand({ ...place, UploadId });
      await sendRequest((options) => this.client.send(undo, options)).catch(() => undefined);
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
      const page: ListObjectsV2CommandOutput = await sendRequest((options) =>
        this.client.send(command, options),
      );
      yield (page.Contents ?? []).flatMap((object) => {
        const key = object.Key?.slice(this.prefix.length) ?? '/';
        // S3 consoles create an empty object for a folder.
        return key.endsWith('/') ? [] : [{ key, bytes: object.Size ?? 0, etag: object.ETag ?? '' }];
      });
      ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (ContinuationToken !== undefined);
  }
}

/** Sends one request. Rejects with the signal's reason, or with UNAVAILABLE when it is worth trying again. */
async function sendRequest<Answer>(
  send: (options: { abortSignal?: AbortSignal }) => Promise<Answer>,
  signal?: AbortSignal,
): Promise<Answer> {
  try {
    return await send(signal ? { abortSignal: signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    const status = statusOf(error);
    // A status under 500 means that the request or a setting is wrong, except for 429, too many requests.
    if (status !== null && status < 500 && status !== 429) throw error;
    const message = 'The file storage cannot be reached just now. Please try again.';
    throw new DomainError('UNAVAILABLE', message, {}, { cause: error });
  }
}

/** The HTTP status; null: there was no answer. */
function statusOf(error: unknown): number | null {
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  return $metadata?.httpStatusCode ?? null;
}

/** Not every 404: a missing bucket is a mistake in the settings. */
function isAbsent(error: unknown): boolean {
  return ['NoSuchKey', 'NotFound'].includes(String((error as { name?: unknown }).name));
}

/** Regroups bytes into pieces of `size`. The last piece may be shorter; none is empty. */
export async function* toPieces(
  content: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array, undefined> {
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    let rest = chunk;
    while (bytes + rest.byteLength >= size) {
      const taken = size - bytes;
      yield Buffer.concat([...chunks, rest.subarray(0, taken)]);
      rest = rest.subarray(taken);
      chunks = [];
      bytes = 0;
    }
    if (rest.byteLength > 0) chunks.push(rest);
    bytes += rest.byteLength;
  }
  if (bytes > 0) yield Buffer.concat(chunks);
  return undefined;
}
