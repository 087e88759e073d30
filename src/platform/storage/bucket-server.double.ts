import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import type { S3Config } from '../../common/config/config.js';

interface Kept {
  content: Buffer;
  mediaType: string;
  modifiedAt: Date;
}

interface Asked {
  method: string;
  /** Empty: the request is about the bucket itself. */
  key: string;
  query: URLSearchParams;
  mediaType: string;
  body: Buffer;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

const ACCESS_KEY = 'AKIATEST';

/** A minimal S3 server on a loopback port, for testing S3FileStorage with the real client. */
export class BucketServer implements AsyncDisposable {
  readonly objects = new Map<string, Kept>();
  /** Multipart uploads that were neither completed nor aborted, by id. */
  readonly uploads = new Map<string, { key: string; mediaType: string; parts: Map<number, Buffer> }>();
  /** The requests so far, such as `PUT a/b`. */
  readonly requests: string[] = [];
  /** Called before each request. A returned status is sent as the answer. */
  fail: (asked: Pick<Asked, 'method' | 'key' | 'query'>) => number | null = () => null;
  /** Objects on one page of a list. */
  maxPage = 1000;

  private readonly server = createServer((request, response) => {
    this.answer(request, response).catch(() => response.destroy());
  });

  static async start(): Promise<BucketServer> {
    const bucket = new BucketServer();
    bucket.server.listen(0, '127.0.0.1');
    await once(bucket.server, 'listening');
    return bucket;
  }

  config(prefix = ''): S3Config {
    const { port } = this.server.address() as AddressInfo;
    const endpoint = `http://127.0.0.1:${port}`;
    const keys = { accessKeyId: ACCESS_KEY, secretAccessKey: 'a secret key' };
    return { bucket: 'palabre', endpoint, region: 'eu-west-3', ...keys, prefix };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request;
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://bucket');
    const [, bucket, ...path] = decodeURIComponent(pathname).split('/');
    const asked = { method, key: path.join('/'), query, mediaType: headers['content-type'] ?? '' };
    this.requests.push(`${method} ${asked.key}`);
    const isSigned = headers.authorization?.startsWith(`AWS4-HMAC-SHA256 Credential=${ACCESS_KEY}/`);
    const failure = this.fail(asked);
    let answer: Answer;
    if (failure !== null) answer = refusal(failure, 'SlowDown');
    else if (!isSigned) answer = refusal(403, 'AccessDenied');
    else if (bucket !== 'palabre') answer = refusal(404, 'NoSuchBucket');
    else answer = this.carryOut({ ...asked, body: await buffer(request) });
    const { status, headers: others, body = '' } = answer;
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    response.writeHead(status, { ...length, ...others }).end(body);
  }

  private carryOut(asked: Asked): Answer {
    const { method, key, query } = asked;
    if (query.has('uploads')) return this.beginUpload(asked);
    if (query.has('uploadId')) return this.continueUpload(asked);
    if (method === 'PUT') return this.keep(key, asked.body, asked.mediaType);
    if (method === 'DELETE') this.objects.delete(key);
    if (method === 'DELETE') return { status: 204 };
    return key === '' ? this.list(query) : this.show(key);
  }

  private keep(key: string, content: Buffer, mediaType: string): Answer {
    const kept = { content, mediaType, modifiedAt: new Date() };
    this.objects.set(key, kept);
    return { status: 200, headers: { etag: etagOf(kept) } };
  }

  private show(key: string): Answer {
    const kept = this.objects.get(key);
    if (!kept) return refusal(404, 'NoSuchKey');
    return {
      status: 200,
      headers: {
        etag: etagOf(kept),
        'last-modified': kept.modifiedAt.toUTCString(),
        'content-type': kept.mediaType,
        'content-length': String(kept.content.byteLength),
      },
      body: kept.content,
    };
  }

  private list(query: URLSearchParams): Answer {
    const after = query.get('continuation-token') ?? '';
    const found = [...this.objects]
      .filter(([key]) => key.startsWith(query.get('prefix') ?? '') && key > after)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    const page = found.slice(0, Math.min(Number(query.get('max-keys')), this.maxPage));
    const contents = page.map(
      ([key, kept]) =>
        `<Contents><Key>${key}</Key><Size>${kept.content.byteLength}</Size><ETag>${etagOf(kept)}</ETag><LastModified>${kept.modifiedAt.toISOString()}</LastModified></Contents>`,
    );
    const isCut = found.length > page.length;
    const next = isCut ? `<NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>` : '';
    return xml(
      `<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
    );
  }

  private beginUpload({ key, mediaType }: Asked): Answer {
    const id = randomUUID();
    this.uploads.set(id, { key, mediaType, parts: new Map() });
    return xml(
      `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    );
  }

  private continueUpload({ method, query, body }: Asked): Answer {
    const id = query.get('uploadId') ?? '';
    const upload = this.uploads.get(id);
    if (!upload) return refusal(404, 'NoSuchUpload');
    if (method === 'PUT') {
      upload.parts.set(Number(query.get('partNumber')), body);
      return { status: 200, headers: { etag: '"part"' } };
    }
    this.uploads.delete(id);
    if (method === 'DELETE') return { status: 204 };
    const inOrder = [...upload.parts].toSorted(([a], [b]) => a - b).map(([, part]) => part);
    // S3 refuses small parts when the upload is completed.
    const isTooSmall = inOrder.slice(0, -1).some((part) => part.byteLength < 5 * 1024 * 1024);
    if (isTooSmall) return refusal(400, 'EntityTooSmall');
    this.keep(upload.key, Buffer.concat(inOrder), upload.mediaType);
    return xml(`<CompleteMultipartUploadResult><Key>${upload.key}</Key></CompleteMultipartUploadResult>`);
  }
}

function etagOf({ content }: Kept): string {
  return `"${createHash('md5').update(content).digest('hex')}"`;
}

function xml(body: string, status = 200): Answer {
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>${body}`,
  };
}

function refusal(status: number, code: string): Answer {
  return xml(`<Error><Code>${code}</Code><Message>No.</Message></Error>`, status);
}
