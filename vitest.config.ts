import { availableParallelism } from 'node:os';

import { defaultServerConditions } from 'vite';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';

export default defineConfig({
  test: {
    // A test file does not get its own copy of every module: loading Nest, TypeORM and the tokenizer's tables each time
    // took most of the time.
    isolate: false,
    pool: 'forks',
    // Some tests wait, for a lease to end or a poll to come: another one has the processor then.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    globals: true,
    // Only ends a test that hangs.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'packages/*/src/**/*.ts', 'clients/*/src/**/*.ts'],
      exclude: ['**/*.{spec,double}.ts'],
      reporter: ['text', 'json-summary'],
    },
    projects: [
      project('unit', ['src/**/*.spec.ts', 'test/*.spec.ts']),
      project('packages', ['{packages,clients,web}/**/*.spec.ts']),
      // test/README.md says which of these runs where, and why.
      project('contract', ['test/contract/*.e2e-spec.ts']),
      project('embedded', ['test/embedded/*.e2e-spec.ts']),
      project('postgres', ['test/postgres/*.e2e-spec.ts']),
      project('faults', ['test/faults/*.e2e-spec.ts']),
      project('chaos', ['test/chaos/*.chaos.ts']),
      project('attack', ['test/attack/*.attack.ts']),
      project('web', ['test/web/*.e2e-spec.ts']),
      project('clients', ['test/clients/*.e2e-spec.ts']),
    ],
  },
});

function project(name: string, include: string[]): TestProjectConfiguration {
  return {
    extends: true,
    // As Node itself loads it. Bundlers prefer its other build, and then there are two of it in one process.
    resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
    // Our own packages as they are written, not as they were built; all others as Node itself chooses, which knows no
    // condition 'module'.
    ssr: {
      resolve: {
        conditions: [
          '@palabre/source',
          ...defaultServerConditions.filter((condition) => condition !== 'module'),
        ],
      },
    },
    test: {
      name,
      include,
      ...(name === 'unit' || name === 'packages' ? {} : { globalSetup: 'test/harness/database-template.ts' }),
    },
  };
}
