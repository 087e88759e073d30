import { defineConfig } from 'oxlint';

/** The rooms of src, top to bottom. A room may import from itself and from those below it, never up. */
export const rooms: readonly string[] = [
  'app',
  'doors',
  'graphql',
  'agent',
  'skills',
  'memory',
  'conversations',
  'documents',
  'companies',
  'llm',
  'platform',
  'common',
];

const mapInWords = rooms.join(' > ');

/** Every room that `room` must not import from. */
function roomsAbove(room: string): readonly string[] {
  return rooms.slice(0, rooms.indexOf(room));
}

/** Rooms below that a room does without all the same: 59 arrows of 66 are left. */
const spared: Readonly<Record<string, readonly string[]>> = {
  doors: ['memory', 'llm'],
  graphql: ['agent'],
  skills: ['llm'],
  memory: ['llm'],
  conversations: ['llm'],
  documents: ['llm'],
};

/** A vendor is imported where its adapter lives, and nowhere else. */
const vendors: { regex: string; folders: string[]; isSql?: true; message: string }[] = [
  {
    regex: '^openai(/|$)',
    folders: [],
    message: 'openai belongs to @palabre/llm-client: use the ChatModel port.',
  },
  {
    regex: '^pg-boss(/|$)',
    folders: ['platform/jobs'],
    message: 'pg-boss belongs to src/platform/jobs: use the job queue port.',
  },
  {
    regex: '^(pg|@electric-sql/.*)$',
    folders: ['platform/database', 'platform/pubsub'],
    message: 'pg and PGlite belong to src/platform/database and src/platform/pubsub: take a Transaction.',
  },
  {
    regex: '^(undici|ipaddr\\.js)(/|$)',
    folders: [],
    message: 'undici and ipaddr.js belong to @palabre/outbound: use the OutboundHttp port.',
  },
  {
    regex: '^openid-client(/|$)',
    folders: ['graphql/sessions'],
    message: 'openid-client belongs to src/graphql/sessions.',
  },
  {
    regex: '^@aws-sdk/.*(/|$)',
    folders: ['platform/storage'],
    message: 'The S3 client belongs to src/platform/storage: use the FileStorage port.',
  },
  {
    regex: '^@modelcontextprotocol/(client|core)(/|$)',
    folders: ['skills'],
    message: 'The MCP client belongs to src/skills/mcp: register a server there.',
  },
  {
    regex: '^@modelcontextprotocol/server(/|$)',
    folders: ['doors/mcp'],
    message: 'The MCP server belongs to src/doors/mcp: offer more there.',
  },
  {
    regex: '^prom-client(/|$)',
    folders: ['platform/metrics'],
    message: 'prom-client belongs to src/platform/metrics: take Metrics.',
  },
  {
    regex: '^@opentelemetry/',
    folders: ['platform/tracing'],
    message:
      'OpenTelemetry belongs to src/platform/tracing, which loads it when it is asked for: use its spans.',
  },
  {
    regex: '^typeorm(/|$)',
    folders: ['platform/database'],
    isSql: true,
    message: 'SQL belongs to *.repository.ts, rows to *.entity.ts: take a Transaction and call a repository.',
  },
  {
    regex: '^(node:)?process$',
    folders: ['common/config', 'app/cli'],
    message:
      'The environment is read by src/common/config alone: inject Config, and use the global process for the rest.',
  },
];

const offlineModel = {
  regex: '^@palabre/offline-model(/|$)',
  message:
    'The offline model stands in for a real one: src/llm starts it, and everybody else asks it as they ask any.',
};

const productInPackages = {
  regex: '^((\\.\\./)+src/|@nestjs/|typeorm|pg(-boss)?$|@electric-sql/)',
  message: 'A package stands by itself: it imports nothing of src, no framework and no database.',
};

const pagesAlone = {
  regex: '^(\\.\\./)+(src|packages|clients|test)/|^@nestjs/',
  message: 'Pages use the public API alone: what they know of it, codegen tells them.',
};

const nodeInBrowsers = {
  regex: '^node:',
  message: 'Clients run in browsers too: use what both have.',
};

const packagesOfSkills = {
  regex: '^@palabre/green(/|$)',
  message: 'The product knows no package of skills: it loads them by the names that PLUGINS has.',
};

const packagesFromInside = {
  regex: '(^|/)(packages|clients)/',
  message: 'Import a package by its name: what its index does not export is its own.',
};

const frameworksInTheLoop = {
  regex: '^(@nestjs/.*|typeorm|graphql|@apollo/.*)(/|$)',
  message: 'The loop knows no framework: ports in, events out. Wire it up in src/agent.',
};

const testCode = {
  regex: '\\.(double|spec|e2e-spec)\\.js$',
  message: 'Doubles and specs are for tests: no server is built with them.',
};

type Pattern = { regex: string; message: string };

function restricted(patterns: Pattern[]) {
  return { 'eslint/no-restricted-imports': ['error', { patterns }] as ['error', { patterns: Pattern[] }] };
}

/** Statements are sent where SQL may stand; everybody else only hands the transaction on. */
const statements = {
  object: 'tx',
  allowProperties: ['companyId', 'afterCommit'],
  message: 'SQL belongs to *.repository.ts: call a repository, and pass it the transaction.',
};

/** Every folder with rules of its own: the rooms, and the places where a vendor may be imported. */
const folders = [...new Set([...rooms, ...vendors.flatMap((vendor) => vendor.folders)])];

/** The last matching override replaces the rule's whole list, so each one has to carry everything. */
function importsOf(folder: string, options: { sql?: true; pure?: true; tests?: true } = {}) {
  const [room = folder] = folder.split('/');
  const patterns: Pattern[] = vendors
    .filter((vendor) => !vendor.folders.includes(folder) && !(options.sql && vendor.isSql))
    .map(({ regex, message }) => ({ regex, message }));
  if (options.pure) patterns.push(frameworksInTheLoop);
  if (!options.tests) patterns.push(testCode);
  if (room !== 'llm') patterns.push(offlineModel);
  patterns.push(packagesFromInside, packagesOfSkills);
  const above = roomsAbove(room);
  if (above.length > 0)
    patterns.push({
      regex: `^(\\.\\./)+(?:${above.join('|')})/`,
      message: `Imports point down: ${mapInWords}. src/${room} may import itself and the rooms after it.`,
    });
  const without = spared[room] ?? [];
  if (without.length > 0)
    patterns.push({
      regex: `^(\\.\\./)+(?:${without.join('|')})/`,
      message: `src/${room} does without src/${without.join(' and src/')}: ask a room between them.`,
    });
  return restricted(patterns);
}

export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'node', 'promise', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  options: { denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  env: { node: true, es2024: true },
  ignorePatterns: ['**/dist', '**/__generated__', '**/dist-*', 'coverage', 'schema.graphql', 'web/src/gql'],
  rules: {
    // Types too: who only reads would go around in circles as well.
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-duplicates': 'error',
    'import/first': 'error',
    'import/no-commonjs': 'error',
    'import/no-default-export': 'error',
    // Modules imported for what they do, not for a name: metadata for the decorators.
    'import/no-unassigned-import': ['error', { allow: ['reflect-metadata'] }],
    'typescript/no-explicit-any': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/no-non-null-assertion': 'error',
    // Not consistent-type-imports: `import type` of an injected class breaks its injection.
    'typescript/no-import-type-side-effects': 'error',
    // Nest's modules are classes without members.
    'typescript/no-extraneous-class': ['error', { allowWithDecorator: true }],
    'eslint/eqeqeq': ['error', 'always', { null: 'ignore' }],
    'eslint/no-var': 'error',
    'eslint/prefer-const': 'error',
    'eslint/no-console': 'error',
    'eslint/no-param-reassign': 'error',
    'eslint/no-throw-literal': 'error',
    'eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    'eslint/max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
    'eslint/max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
    'eslint/max-params': ['error', { max: 8 }],
    'eslint/max-depth': ['error', { max: 4 }],
    'node/no-process-env': 'error',
    'unicorn/prefer-node-protocol': 'error',
    'unicorn/throw-new-error': 'error',
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'vitest/no-identical-title': 'error',
    'vitest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*', 'check*', 'fc.assert'] }],
    // A check that a table's rows share expects what the row holds.
    'vitest/no-conditional-expect': 'off',
    'vitest/no-test-return-statement': 'error',
    // Steps of a loop that depend on each other are what an agent is made of.
    'eslint/no-await-in-loop': 'off',
    // A closure beside its use reads better than one hoisted out of sight.
    'unicorn/consistent-function-scoping': 'off',
    // A name may be used again in an inner function: `turn`, `error` and `id` would need synonyms.
    'eslint/no-shadow': 'off',
    'oxc/no-map-spread': 'off',
    // GraphQL's own names begin with two, and a name that is not used with one.
    'eslint/no-underscore-dangle': 'off',
    // Text is read by ranges of code points here, ASCII among them.
    'eslint/no-control-regex': 'off',
    // `fc.assert` reads better than fifteen names taken out of fast-check.
    'import/no-named-as-default-member': 'off',
  },
  overrides: [
    ...folders.map((folder) => ({
      files: [`src/${folder}/**/*.ts`],
      rules: importsOf(folder),
    })),
    ...folders.map((folder) => ({
      files: [`src/${folder}/**/*.{entity,repository}.ts`],
      rules: importsOf(folder, { sql: true }),
    })),
    ...folders.map((folder) => ({
      files: [`src/${folder}/**/*.{spec,double}.ts`],
      rules: importsOf(folder, { tests: true }),
    })),
    { files: ['src/**/*.ts'], rules: { 'eslint/no-restricted-properties': ['error', statements] } },
    {
      files: ['src/**/*.{repository,spec,double}.ts', 'src/platform/{database,jobs,pubsub}/**'],
      rules: { 'eslint/no-restricted-properties': 'off' },
    },
    { files: ['packages/**'], rules: restricted([productInPackages, packagesFromInside, testCode]) },
    {
      files: ['packages/**/*.{spec,double}.ts', 'packages/**/bench/**'],
      rules: restricted([productInPackages, packagesFromInside]),
    },
    {
      files: ['web/src/**'],
      plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'promise', 'react', 'jsx-a11y'],
      env: { browser: true, node: false },
      rules: {
        ...restricted([pagesAlone, testCode]),
        // Styles are loaded by being imported.
        'import/no-unassigned-import': [
          'error',
          { allow: ['**/*.css', '@fontsource-variable/*', 'graphiql/**'] },
        ],
        'react/react-in-jsx-scope': 'off',
        'react/rules-of-hooks': 'error',
        'react/exhaustive-deps': 'error',
        'react/no-danger': 'error',
        // What is listed has no order of its own to change.
        'react/no-array-index-key': 'off',
        // Keys are heard by the controls inside, of which there are as many as a text has.
        'jsx-a11y/click-events-have-key-events': 'off',
        'jsx-a11y/no-noninteractive-element-interactions': 'off',
        'jsx-a11y/no-static-element-interactions': 'off',
        'jsx-a11y/prefer-tag-over-role': 'off',
        // A channel has no target: it is of this origin alone.
        'unicorn/require-post-message-target-origin': 'off',
      },
    },
    {
      files: ['clients/**'],
      rules: restricted([productInPackages, packagesFromInside, nodeInBrowsers, testCode]),
    },
    {
      files: ['clients/cli/**'],
      rules: {
        ...restricted([productInPackages, packagesFromInside, testCode]),
        'node/no-process-env': 'off',
      },
    },
    { files: ['clients/**/*.{spec,double}.ts'], rules: restricted([productInPackages, packagesFromInside]) },
    { files: ['src/agent/loop/**'], rules: importsOf('agent', { pure: true }) },
    {
      files: ['src/agent/loop/**/*.{spec,double}.ts'],
      rules: importsOf('agent', { pure: true, tests: true }),
    },
    {
      files: ['src/common/config/**', 'src/app/cli/**', 'test/**', '**/bench/**', 'scripts/**', 'docs/**'],
      rules: { 'node/no-process-env': 'off' },
    },
    { files: ['src/app/cli/**', '**/bench/**'], rules: { 'eslint/no-console': 'off' } },
    { files: ['*.config.{ts,js}'], rules: { 'import/no-default-export': 'off' } },
    {
      files: ['**/*.spec.ts', '**/*.e2e-spec.ts', '**/*.double.ts', 'test/**'],
      rules: {
        'eslint/max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }],
        'eslint/max-lines-per-function': 'off',
        // A missing element fails the test either way.
        'typescript/no-non-null-assertion': 'off',
      },
    },
  ],
});
