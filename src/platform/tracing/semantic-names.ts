/**
 * Written by scripts/semantic-names.js: not to be changed by hand.
 *
 * Names of spans' attributes and of metrics. Those of `gen_ai.` and `mcp.` are from OpenTelemetry's semantic conventions
 * for generative AI (https://github.com/open-telemetry/semantic-conventions-genai, Apache-2.0, all of them in development):
 * - `model/gen-ai/metrics.yaml`, 0990749a067dce16d02de1528f48e0b0ed93e523
 * - `model/gen-ai/registry.yaml`, b459b5fc9ed624cee8da931424bac2aa9c14474f
 * - `model/gen-ai/token-metrics.yaml`, 9b2ce3b4e6b351a44025a289eefc1a6f6108a938
 * - `model/mcp/registry.yaml`, 4172e394d28f2d26ec4a4514a45f153580c68670
 *
 * The general ones are as in the package @opentelemetry/semantic-conventions. What neither has a name for begins with
 * `palabre.`.
 */
export const attribute = {
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
  errorType: 'error.type',
  httpMethod: 'http.request.method',
  httpStatus: 'http.response.status_code',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  user: 'user.id',
  company: 'palabre.company.id',
  turn: 'palabre.turn.id',
  attempt: 'palabre.turn.attempt',
  turnStatus: 'palabre.turn.status',
} as const;

/** Values of `attribute.operation`, at the beginning of span names. */
export const operation = {
  agent: 'invoke_agent',
  plan: 'plan',
  chat: 'chat',
  tool: 'execute_tool',
  retrieval: 'retrieval',
  searchMemory: 'search_memory',
  upsertMemory: 'upsert_memory',
} as const;

/** The protocol for all models. The conventions name it by its client. */
export const OPENAI = 'openai';

/** Buckets in seconds. The conventions define none for agents and tools. */
const MODEL_SECONDS = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];
const FIRST_CHUNK_SECONDS = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];

/** The metrics that are exported in addition to those for Prometheus. `buckets`: null for a counter. */
export const exportedMetrics = {
  'gen_ai.client.inference.duration': { unit: 's', buckets: MODEL_SECONDS },
  'gen_ai.client.inference.time_to_first_chunk': { unit: 's', buckets: FIRST_CHUNK_SECONDS },
  'gen_ai.client.inference.usage.input_tokens': { unit: '{token}', buckets: null },
  'gen_ai.client.inference.usage.output_tokens': { unit: '{token}', buckets: null },
  'gen_ai.client.inference.usage.cache_read.input_tokens': { unit: '{token}', buckets: null },
  'gen_ai.client.inference.usage.reasoning.output_tokens': { unit: '{token}', buckets: null },
  'gen_ai.execute_tool.duration': { unit: 's', buckets: MODEL_SECONDS },
  'gen_ai.invoke_agent.duration': { unit: 's', buckets: MODEL_SECONDS },
} as const satisfies Record<string, { unit: string; buckets: readonly number[] | null }>;

export type ExportedMetric = keyof typeof exportedMetrics;
