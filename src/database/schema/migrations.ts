import { readdir } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { MigrationInterface } from 'typeorm';

/** Beside `src` and `dist` alike. Migrations are plain JavaScript: what runs is what was reviewed, with no build between. */
const FOLDER = fileURLToPath(new URL('../../../migrations/', import.meta.url));

type MigrationClass = new () => MigrationInterface;

/** The migrations, oldest first: one class a file, files sorted by the time in their name. */
export const loadMigrations = async (): Promise<MigrationClass[]> => {
  const files = (await readdir(FOLDER)).filter((file) => /^\d{13}-[a-z0-9-]+\.js$/.test(file)).toSorted();
  const modules = await Promise.all(
    files.map(
      (file) => import(pathToFileURL(`${FOLDER}${file}`).href) as Promise<Record<string, MigrationClass>>,
    ),
  );
  return modules.flatMap((module) => Object.values(module));
};
