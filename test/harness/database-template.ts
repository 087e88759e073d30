import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated database: the name of one on the server that TEST_DATABASE_URL names, else the file of an embedded one. */
    databaseTemplate: string;
  }
}

interface Template {
  place: string;
  remove(): Promise<void>;
}

/** Vitest sets up each project by itself, in one process: what the first one makes serves them all. */
const shared = globalThis as { databaseTemplate?: Promise<Template> | null };

/** Migrates one database before all tests, so that each begins with a copy. */
export async function setup(project: TestProject): Promise<void> {
  // It loads the whole product, which the second project can do without.
  shared.databaseTemplate ??= import('./migrated-database.js').then(({ makeTemplate }) => makeTemplate());
  project.provide('databaseTemplate', (await shared.databaseTemplate).place);
}

export async function teardown(): Promise<void> {
  const made = shared.databaseTemplate;
  shared.databaseTemplate = null;
  await (await made)?.remove();
}
