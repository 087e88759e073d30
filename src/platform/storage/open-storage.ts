import { join } from 'node:path';

import type { Logger } from '../../common/process/logger.js';
import type { StorageConfig } from '../../common/config/config.js';
import { DiskFileStorage } from './disk-file-storage.js';
import type { FileStorage } from './file-storage.js';

/**
 * Opens the configured storage: a bucket, or the folder `files` in the data folder. A folder that cannot be written is
 * only logged, for not everybody uses files.
 */
export async function openStorage(
  { s3 }: StorageConfig,
  dataDir: string,
  logger: Logger,
): Promise<{ storage: FileStorage; close(): Promise<void> }> {
  if (s3 === null) {
    const folder = join(dataDir, 'files');
    const storage = new DiskFileStorage(folder);
    await storage.check().catch((err: unknown) => logger.warn({ err, folder }, 'files cannot be stored'));
    return { storage, close: async () => undefined };
  }
  // Imported only when needed, for the S3 client is large.
  const { S3FileStorage } = await import('./s3-file-storage.js');
  const storage = new S3FileStorage(s3);
  return { storage, close: async () => storage.close() };
}
