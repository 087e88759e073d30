import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { ZipFile } from 'yazl';
import type { JsonObject } from '@palabre/json';

import type { TestClient } from './test-client.js';

/** A SKILL.md. */
export function skillMd(name: string, description: string, body: string): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\n${body}\n`;
}

export function zipOf(files: Record<string, string | Buffer>): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [path, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), path);
  archive.end();
  return buffer(archive.outputStream as NodeJS.ReadableStream);
}

/** Writes files below a folder, with the folders that they need. */
export async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

export const CREATE_UPLOAD = `mutation ($input: CreateSkillUploadInput!) {
  createSkillUpload(input: $input) { url method headers expiresAt } }`;
export const REMOVE_PACK = 'mutation ($key: String!) { removePack(key: $key) }';

export interface IssuedPackUpload {
  url: string;
  method: string;
  headers: Record<string, string>;
}

export interface UploadAnswer {
  status: number;
  body: {
    skills?: { key: string; name: string; warnings: string[] }[];
    refused?: { path: string; reason: string }[];
    errors?: { message: string; extensions: JsonObject }[];
  };
}

export async function createUpload(
  client: TestClient,
  bytes: number,
  name = 'packs.zip',
): Promise<IssuedPackUpload> {
  return (
    await client.get<{ createSkillUpload: IssuedPackUpload }>(CREATE_UPLOAD, {
      input: { name, bytes },
    })
  ).createSkillUpload;
}

/** Sends an archive as the upload says, to the server of `client`. */
export async function sendArchive(
  { url: serverUrl }: Pick<TestClient, 'url'>,
  { url, method, headers }: IssuedPackUpload,
  archive: Buffer,
): Promise<UploadAnswer> {
  const response = await fetch(`${serverUrl}${new URL(url).pathname}`, {
    method,
    headers,
    body: new Uint8Array(archive),
  });
  return { status: response.status, body: (await response.json()) as UploadAnswer['body'] };
}

export async function uploadPacks(
  client: TestClient,
  archive: Buffer,
  name = 'packs.zip',
): Promise<UploadAnswer> {
  return sendArchive(client, await createUpload(client, archive.byteLength, name), archive);
}
