/**
 * Writes src/platform/tracing/semantic-names.ts: how spans' attributes and metrics are called. Each name is looked up in
 * the conventions: those for generative AI in semantic-conventions-genai.json beside this, which holds of their model what
 * is used, and the general ones in OpenTelemetry's package. A name that is not there, or is deprecated, fails.
 *
 * `--check` writes nothing, and fails where what is committed is not what would be written.
 * `--model FOLDER --version VERSION` reads semantic-conventions-genai.json anew, of the folder `model` in a clone of
 * https://github.com/open-telemetry/semantic-conventions-genai at that tag or commit. (No package has it.)
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import * as general from '@opentelemetry/semantic-conventions/incubating';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';

const REPOSITORY = 'https://github.com/open-telemetry/semantic-conventions-genai';

/** By what the code calls them. */
const ATTRIBUTES = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  agent: 'gen_ai.agent.name',
  conversation: 'gen_ai.conversation.id',
  requestModel: 'gen_ai.request.model',
  maxTokens: 'gen_ai.request.max_tokens',
  stream: 'gen_ai.request.stream',
  outputType: 'gen_ai.output.type',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  timeToFirstChunk: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cachedInputTokens: 'gen_ai.usage.cache_read.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  modality: 'gen_ai.token.modality',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  tool: 'gen_ai.tool.name',
  toolCall: 'gen_ai.tool.call.id',
  toolType: 'gen_ai.tool.type',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
  topK: 'gen_ai.retrieval.top_k',
  queryText: 'gen_ai.retrieval.query.text',
  dataSource: 'gen_ai.data_source.id',
  mcpMethod: 'mcp.method.name',
};

const GENERAL_ATTRIBUTES = {
  errorType: 'error.type',
  httpMethod: 'http.request.method',
  httpStatus: 'http.response.status_code',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  user: 'user.id',
};

/** What the conventions have no name for. */
const OWN_ATTRIBUTES = {
  company: 'palabre.company.id',
  turn: 'palabre.turn.id',
  attempt: 'palabre.turn.attempt',
  turnStatus: 'palabre.turn.status',
};

const OPERATIONS = {
  agent: 'invoke_agent',
  plan: 'plan',
  chat: 'chat',
  tool: 'execute_tool',
  retrieval: 'retrieval',
  searchMemory: 'search_memory',
  upsertMemory: 'upsert_memory',
};

const PROVIDER = 'openai';

/** With the buckets of histograms, which the model does not have. */
const METRICS = {
  'gen_ai.client.inference.duration': 'MODEL_SECONDS',
  'gen_ai.client.inference.time_to_first_chunk': 'FIRST_CHUNK_SECONDS',
  'gen_ai.client.inference.usage.input_tokens': null,
  'gen_ai.client.inference.usage.output_tokens': null,
  'gen_ai.client.inference.usage.cache_read.input_tokens': null,
  'gen_ai.client.inference.usage.reasoning.output_tokens': null,
  'gen_ai.execute_tool.duration': 'MODEL_SECONDS',
  'gen_ai.invoke_agent.duration': 'MODEL_SECONDS',
};

const extractFile = fileURLToPath(new URL('semantic-conventions-genai.json', import.meta.url));
const namesFile = fileURLToPath(new URL('../src/platform/tracing/semantic-names.ts', import.meta.url));
const { values: options } = parseArgs({
  options: { check: { type: 'boolean' }, model: { type: 'string' }, version: { type: 'string' } },
});

try {
  const extract = options.model === undefined ? committed() : extractOf(options.model, options.version);
  const names = written(extract);
  await keep(extractFile, `${JSON.stringify(extract)}\n`);
  await keep(namesFile, names);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function committed() {
  return JSON.parse(readFileSync(extractFile, 'utf8'));
}

/** What is used of the model. */
function extractOf(folder, version) {
  if (version === undefined) throw new Error('Say which --version of the conventions that is.');
  const extract = { repository: REPOSITORY, licence: 'Apache-2.0', files: {}, attributes: {}, metrics: {} };
  for (const path of globSync('**/*.yaml', { cwd: folder }).toSorted()) {
    const { attributes = [], metrics = [] } = parse(readFileSync(join(folder, path), 'utf8')) ?? {};
    const used = attributes.filter(({ key }) => Object.values(ATTRIBUTES).includes(key));
    const measured = metrics.filter(({ name }) => name in METRICS);
    if (used.length + measured.length > 0) extract.files[join('model', path)] = version;
    for (const { key, type, deprecated } of used)
      extract.attributes[key] = { ...membersOf(key, type), deprecated };
    for (const { name, instrument, unit, deprecated } of measured) {
      extract.metrics[name] = { instrument, unit, deprecated };
    }
  }
  return { ...extract, attributes: sorted(extract.attributes), metrics: sorted(extract.metrics) };
}

/** Of what is counted, the values that are used; of others, the type. */
function membersOf(key, type) {
  if (typeof type === 'string') return { type };
  const used = { [ATTRIBUTES.operation]: Object.values(OPERATIONS), [ATTRIBUTES.provider]: [PROVIDER] }[key];
  const values = type.members.filter(({ deprecated }) => deprecated === undefined).map(({ value }) => value);
  return { type: 'enum', values: used && values.filter((value) => used.includes(value)).toSorted() };
}

function sorted(record) {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function written({ files, attributes, metrics }) {
  const inGeneral = new Set(Object.values(general).filter((value) => typeof value === 'string'));
  for (const name of Object.values(GENERAL_ATTRIBUTES)) required(inGeneral.has(name), name);
  for (const name of Object.values(ATTRIBUTES)) required(isInUse(attributes[name]), name);
  for (const value of Object.values(OPERATIONS)) {
    required(attributes[ATTRIBUTES.operation].values.includes(value), `the operation ${value}`);
  }
  required(attributes[ATTRIBUTES.provider].values.includes(PROVIDER), `the provider ${PROVIDER}`);
  const lines = Object.entries(METRICS).map(([name, buckets]) => {
    required(isInUse(metrics[name]), name);
    const { unit, instrument } = metrics[name];
    required((instrument === 'histogram') === (buckets !== null), `${name} as a ${instrument}`);
    return `'${name}': { unit: '${unit}', buckets: ${buckets} },`;
  });
  const sources = Object.entries(files).map(([path, version]) => ` * - \`${path}\`, ${version}`);
  return `/**
 * Written by scripts/semantic-names.js: not to be changed by hand.
 *
 * Names of spans' attributes and of metrics. Those of \`gen_ai.\` and \`mcp.\` are from OpenTelemetry's semantic conventions
 * for generative AI (${REPOSITORY}, Apache-2.0, all of them in development):
${sources.join('\n')}
 *
 * The general ones are as in the package @opentelemetry/semantic-conventions. What neither has a name for begins with
 * \`palabre.\`.
 */
export const attribute = {${entries({ ...ATTRIBUTES, ...GENERAL_ATTRIBUTES, ...OWN_ATTRIBUTES })}} as const;

/** Values of \`attribute.operation\`, at the beginning of span names. */
export const operation = {${entries(OPERATIONS)}} as const;

/** The protocol for all models. The conventions name it by its client. */
export const OPENAI = '${PROVIDER}';

/** Buckets in seconds. The conventions define none for agents and tools. */
const MODEL_SECONDS = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];
const FIRST_CHUNK_SECONDS = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];

/** The metrics that are exported in addition to those for Prometheus. \`buckets\`: null for a counter. */
export const exportedMetrics = {
${lines.join('\n')}
} as const satisfies Record<string, { unit: string; buckets: readonly number[] | null }>;

export type ExportedMetric = keyof typeof exportedMetrics;
`;
}

function entries(names) {
  return Object.entries(names)
    .map(([alias, name]) => `${alias}: '${name}',`)
    .join('');
}

function isInUse(found) {
  return found !== undefined && found.deprecated === undefined;
}

function required(isThere, what) {
  if (!isThere) throw new Error(`The conventions do not have ${what}, or have it no more.`);
}

async function keep(file, text) {
  const formatted = await format(text, { ...(await resolveConfig(file)), filepath: file });
  if (!options.check) writeFileSync(file, formatted);
  else if (readFileSync(file, 'utf8') !== formatted) {
    const path = relative(fileURLToPath(new URL('..', import.meta.url)), file);
    throw new Error(
      `Not what scripts/semantic-names.js writes: ${path}. Run npm run semantic-names and commit it.`,
    );
  }
}
