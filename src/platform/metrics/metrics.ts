import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

import { OPENAI, operation } from '../tracing/semantic-names.js';
import type { Attributes } from '../tracing/span.js';
import type { Tracing } from '../tracing/tracing.js';

/** Histogram buckets in seconds. */
const STATEMENT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const FIRST_TEXT_SECONDS = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30];
const WORK_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 45, 90, 180, 600];

/** OpenTelemetry's buckets for models: https://github.com/open-telemetry/semantic-conventions-genai. */
const MODEL_SECONDS = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];
const MODEL_TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power);

/** Limits the number of time series: admins can enter any model name. */
const MAX_MODELS = 50;

/** How a turn ended. `code` is the code of its error, or empty. */
type EndedTurn = Record<'status' | 'finish_reason' | 'code', string>;

export interface CountedModelCall {
  model: string;
  purpose: string;
  /** The model's finish reason, or an error code. */
  outcome: string;
  seconds: number;
  /** The time to the first piece of the answer. Absent: none. */
  firstPartSeconds?: number | undefined;
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  reasoningTokens: number;
  /** Null: no price is known. */
  costUsd: number | null;
}

/** An answered request. `route` is the pattern that it matched, or empty. */
type AnsweredRequest = Record<'method' | 'route' | 'status', string>;

/** The current value of a gauge, or its values by label. */
type Reading = number | readonly { labels: Record<string, string>; value: number }[];

/**
 * The metrics of this process, in the format of Prometheus. All metric names are in this file. Those about models are
 * OpenTelemetry's for generative AI, which are not stable yet. No label identifies a company.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readonly models = new Set<string>();
  private written: Promise<{ type: string; text: string }> | null = null;

  private readonly turns = this.counter('palabre_turns_total', 'Turns that ended.', [
    'status',
    'finish_reason',
    'code',
  ]);
  private readonly turnSeconds = this.histogram(
    'palabre_turn_duration_seconds',
    'From the question to the end of its turn, all waiting included.',
    ['status'],
    WORK_SECONDS,
  );
  private readonly firstTextSeconds = this.histogram(
    'palabre_turn_first_text_seconds',
    'From the question to the first text of the answer that is stored and shown.',
    [],
    FIRST_TEXT_SECONDS,
  );
  private readonly skillSeconds = this.histogram(
    'palabre_skill_call_duration_seconds',
    'Skill calls that came to an end.',
    ['status'],
    WORK_SECONDS,
  );
  private readonly storeSeconds = this.histogram(
    'palabre_events_stored_duration_seconds',
    'How long the storing of events took which are shown afterwards.',
    [],
    STATEMENT_SECONDS,
  );
  private readonly events = this.counter(
    'palabre_events_stored_total',
    'Events of turns that were stored.',
    [],
  );
  private readonly modelSeconds = this.histogram(
    'gen_ai_client_operation_duration_seconds',
    'Model calls, from their beginning to their end or failure.',
    ['gen_ai_operation_name', 'gen_ai_request_model', 'palabre_purpose', 'error_type'],
    MODEL_SECONDS,
  );
  private readonly modelTokens = this.histogram(
    'gen_ai_client_token_usage',
    'Tokens of a model call, as the provider counted them, or estimated where it did not.',
    ['gen_ai_operation_name', 'gen_ai_request_model', 'gen_ai_token_type'],
    MODEL_TOKENS,
  );
  private readonly modelCost = this.counter(
    'palabre_model_cost_usd_total',
    'What model calls cost, where a price is known.',
    ['gen_ai_request_model'],
  );
  private readonly requestSeconds = this.histogram(
    'http_server_request_duration_seconds',
    'Requests, to the last byte of the answer; streams of events to their end.',
    ['http_request_method', 'http_route', 'http_response_status_code'],
    REQUEST_SECONDS,
  );
  private readonly errors = this.counter(
    'palabre_graphql_errors_total',
    'Errors that clients were told, by code.',
    ['code'],
  );
  private readonly jobSeconds = this.histogram(
    'palabre_job_duration_seconds',
    'Jobs that were carried out, or failed and are offered again.',
    ['job', 'outcome'],
    WORK_SECONDS,
  );

  /** `exported`: receives metrics that OpenTelemetry names. Null: no export. */
  constructor(private readonly exported: Tracing['measure'] = null) {}

  turnEnded(how: EndedTurn, seconds: number): void {
    this.turns.inc(how);
    this.turnSeconds.observe({ status: how.status }, seconds);
  }

  firstTextShown(seconds: number): void {
    this.firstTextSeconds.observe(seconds);
  }

  skillCallEnded(skill: string, status: string, seconds: number): void {
    this.skillSeconds.observe({ status }, seconds);
    this.exported?.('gen_ai.execute_tool.duration', seconds, {
      operation: operation.tool,
      tool: skill,
      errorType: status === 'SUCCEEDED' ? undefined : status,
    });
  }

  /** `agent`: the assistant's key. Absent: the run ended before it was known. */
  runEnded(agent: string | undefined, seconds: number): void {
    this.exported?.('gen_ai.invoke_agent.duration', seconds, { agent });
  }

  eventsStored(count: number, seconds: number): void {
    this.events.inc(count);
    this.storeSeconds.observe(seconds);
  }

  modelCalled({ purpose, outcome, seconds, costUsd, ...call }: CountedModelCall): void {
    const about = { gen_ai_operation_name: 'chat', gen_ai_request_model: this.labelOf(call.model) };
    const error_type = errorIn(outcome) ?? '';
    const model = about.gen_ai_request_model;
    if (this.exported) exportCall(this.exported, { ...call, model, purpose, outcome, seconds, costUsd });
    this.modelSeconds.observe({ ...about, palabre_purpose: purpose, error_type }, seconds);
    this.modelTokens.observe({ ...about, gen_ai_token_type: 'input' }, call.inputTokens);
    this.modelTokens.observe({ ...about, gen_ai_token_type: 'output' }, call.outputTokens);
    if (costUsd !== null) this.modelCost.inc({ gen_ai_request_model: about.gen_ai_request_model }, costUsd);
  }

  requestAnswered({ method, route, status }: AnsweredRequest, seconds: number): void {
    const labels = { http_request_method: method, http_route: route, http_response_status_code: status };
    this.requestSeconds.observe(labels, seconds);
  }

  errorTold(code: string): void {
    this.errors.inc({ code });
  }

  jobEnded(job: string, outcome: 'done' | 'failed', seconds: number): void {
    this.jobSeconds.observe({ job, outcome }, seconds);
  }

  /**
   * Adds a gauge whose value is `read` at every scrape; scrapes at the same time share one call. A name can be added once.
   * A gauge is left out when `read` rejects or takes too long.
   */
  watch(
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => Reading | Promise<Reading>,
  ): void {
    let pending: Promise<Reading | null> | null = null;
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect: async () => {
        pending ??= readInTime(read).finally(() => (pending = null));
        const reading = await pending;
        gauge.reset();
        if (typeof reading === 'number') gauge.set(reading);
        else for (const { labels, value } of reading ?? []) gauge.set(labels, value);
        // A gauge without labels would show 0.
        if (reading === null && labelNames.length === 0) gauge.remove();
      },
    });
  }

  /** All metrics as text, with the media type. Those who ask while they are written get the same text. */
  write(): Promise<{ type: string; text: string }> {
    return (this.written ??= this.writeAnew().finally(() => (this.written = null)));
  }

  private async writeAnew(): Promise<{ type: string; text: string }> {
    const { contentType } = this.registry;
    return { type: contentType, text: await Registry.merge([processMetrics(), this.registry]).metrics() };
  }

  private labelOf(model: string): string {
    if (this.models.size < MAX_MODELS) this.models.add(model);
    return this.models.has(model) ? model : 'other';
  }

  private counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  private histogram<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    buckets: number[],
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] });
  }
}

/** Error codes are in capitals, finish reasons are not. */
function errorIn(outcome: string): string | undefined {
  return /^[A-Z]/.test(outcome) ? outcome : undefined;
}

function exportCall(measure: NonNullable<Tracing['measure']>, call: CountedModelCall): void {
  const about: Attributes = { operation: operation.chat, provider: OPENAI, requestModel: call.model };
  const ended: Attributes = { ...about, errorType: errorIn(call.outcome) };
  measure('gen_ai.client.inference.duration', call.seconds, ended);
  if (call.firstPartSeconds !== undefined)
    measure('gen_ai.client.inference.time_to_first_chunk', call.firstPartSeconds, about);
  const usage = 'gen_ai.client.inference.usage';
  // Required, although providers do not distinguish them.
  const counted: Attributes = { ...about, modality: 'unknown' };
  measure(`${usage}.input_tokens`, call.inputTokens, counted);
  measure(`${usage}.output_tokens`, call.outputTokens, counted);
  measure(`${usage}.cache_read.input_tokens`, call.cachedInputTokens, counted);
  measure(`${usage}.reasoning.output_tokens`, call.reasoningTokens, counted);
}

/** Less than Prometheus's default scrape timeout of ten seconds. */
const READING_MS = 2_000;

/** Null: it rejected or took too long, for example because the database cannot be reached. */
async function readInTime(read: () => Reading | Promise<Reading>): Promise<Reading | null> {
  const timeout = Promise.withResolvers<null>();
  const timer = setTimeout(() => timeout.resolve(null), READING_MS);
  try {
    return await Promise.race([read(), timeout.promise]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

let processRegistry: Registry | null = null;

/** Processor, memory, event loop and garbage collection. One registry, however many servers run in the process. */
function processMetrics(): Registry {
  if (processRegistry) return processRegistry;
  processRegistry = new Registry();
  collectDefaultMetrics({ register: processRegistry });
  return processRegistry;
}
