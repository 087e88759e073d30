/** One runner for both kinds: `*.spec.ts` beside pure code, `test/*.e2e-spec.ts` over the wire. */
import { readFileSync } from 'node:fs';

const swc = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));
delete swc.exclude; // the build leaves the specs out, the tests are made of them

export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false }] },
  // A whole server starts in a few seconds; on a machine that is busy with others in many.
  testTimeout: 60_000,
  // Modules of a test file stay in memory when it is done, a tokenizer's tables among them: after some files the process
  // that runs them is replaced.
  workerIdleMemoryLimit: '1GB',
};
