/**
 * Writes the typed documents of those packages that ask the public API: what schema.graphql says that their operations
 * ask for and get. Beside them goes the manifest of their documents, by hash, for a server that takes no others.
 * `--check` writes nothing, and fails where what is committed is not what would be written.
 */
import fs from 'node:fs';
import { createHash } from 'node:crypto';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { buildSchema, parse } from 'graphql';
import { format, resolveConfig } from 'prettier';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where operations are, and the folder for what is generated of them: these files, and no others. */
const targets = [
  {
    sources: 'clients/js/src/operations.graphql',
    output: 'clients/js/src/generated/',
    files: ['graphql.ts'],
    documentMode: 'string',
  },
  // Only types: at run time each screen's module parses its own operations, so that none loads those of another.
  {
    sources: 'web/src/**/*.{ts,tsx}',
    output: 'web/src/gql/',
    files: ['gql.ts', 'graphql.ts'],
    documentMode: 'documentNode',
  },
];

const scalars = {
  DateTime: 'string',
  LocalDate: 'string',
  SafeInt: 'number',
  ID: { input: 'string', output: 'string' },
  JSON: 'unknown',
};

const schema = parse(fs.readFileSync(join(root, 'schema.graphql'), 'utf8'));
const stale = [];
for (const target of targets) await generate(target);
if (stale.length > 0) {
  process.stderr.write(
    `Not what the schema says: ${stale.join(', ')}. Run npm run codegen and commit them.\n`,
  );
  process.exitCode = 1;
}

async function generate({ sources, output, files, documentMode }) {
  const documents = fs
    .globSync(sources, { cwd: root })
    .filter((file) => !file.startsWith(output))
    .toSorted()
    .flatMap(documentsIn);
  const sections = await preset.buildGeneratesSection({
    baseOutputDir: output,
    schema,
    schemaAst: buildSchema(fs.readFileSync(join(root, 'schema.graphql'), 'utf8')),
    documents,
    config: { documentMode, scalars, enumType: 'string-literal', useTypeImports: true },
    presetConfig: { fragmentMasking: false, gqlTagName: 'graphql' },
    pluginMap: {},
    plugins: [],
    pluginContext: {},
    profiler: { run: (work) => work(), collect: () => [] },
  });
  for (const section of sections) {
    if (!files.includes(basename(section.filename))) continue;
    const content = await codegen(section);
    await put(section.filename, content);
    if (documentMode === 'string' && section.filename.endsWith('/graphql.ts'))
      await put(`${output}persisted-documents.json`, manifestOf(content));
  }
}

/** Servers that take no others compare the very texts: these, and not the preset's own, which it prints otherwise. */
function manifestOf(content) {
  const texts = [...content.matchAll(/new TypedDocumentString\(\s*`([^`]*)`/g)].map(([, text]) => text);
  const operations = texts.filter((text) => !text.trimStart().startsWith('fragment '));
  return JSON.stringify(Object.fromEntries(operations.map((text) => [documentId(text), text])));
}

/** Of a file in GraphQL all of it, of code what stands in graphql(`…`). */
function documentsIn(location) {
  const text = fs.readFileSync(join(root, location), 'utf8');
  const sources = location.endsWith('.graphql')
    ? [text]
    : [...text.matchAll(/\bgraphql\(`([^`]*)`\)/g)].map(([, source]) => source);
  return sources.map((source) => ({ location, rawSDL: source, document: parse(source) }));
}

async function put(path, content) {
  const file = join(root, path);
  const text = await format(content.replaceAll('Record<string, any>', 'Record<string, unknown>'), {
    ...(await resolveConfig(file)),
    filepath: file,
  });
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text) return;
  if (process.argv.includes('--check')) stale.push(relative(root, file));
  else fs.writeFileSync(file, text);
}

/** As GraphQL over HTTP names persisted documents. */
function documentId(document) {
  return `sha256:${createHash('sha256').update(document).digest('hex')}`;
}
