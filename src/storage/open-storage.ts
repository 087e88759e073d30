import { join } from 'node:path';

import type { Logger } from '../common/process/logger.js';
import type { StorageConfig } from '../config/config.js';
import { DiskFileStorage } from './disk-file-storage.js';
import type { FileStorage } from './file-storage.js';

/**
 * What the operator has chosen: a bucket, or the folder `files` in the data folder. That this one takes nothing is no
 * reason not to start: not everybody has files.
 */
export const openStorage = async (
  { s3 }: StorageConfig,
  dataDir: string,
  logger: Logger,
): Promise<{ storage: FileStorage; close(): Promise<void> }> => {
  if (s3 === null) {
    const folder = join(dataDir, 'files');
    const storage = await DiskFileStorage.open(folder);
    await storage.check().catch((err: unknown) => logger.warn({ err, folder }, 'files cannot be stored'));
    return { storage, close: async () => undefined };
  }
  // Large: read in by those alone who have a bucket.
  const { S3FileStorage } = await import('./s3-file-storage.js');
  const storage = new S3FileStorage(s3);
  return { storage, close: async () => storage.close() };
};
