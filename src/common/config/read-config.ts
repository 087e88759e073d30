import { type Environment, readEnvironment } from './environment.js';
import { schemaOf, type ValuesOf, valuesOf } from './setting.js';
import { checkTracing, toTracingConfig } from './tracing-config.js';
import { claimDefaults, doorNames, settings } from './variables.js';

type Values = ValuesOf<typeof settings>;

/** The server's settings, as provided by `Config`. */
export type Settings = Readonly<ReturnType<typeof toConfig>>;

/** Reads and checks the server's settings. Throws one ConfigError that lists everything that is wrong. */
export function readConfig(env: Environment = process.env): Settings {
  const variables = readEnvironment(env, schemaOf(settings), (given) =>
    [
      checkAuth,
      checkProvider,
      checkOidc,
      checkModel,
      checkFallback,
      checkEmbedding,
      checkRole,
      checkStorage,
      checkTrustedDocuments,
      checkTracing,
    ].flatMap((check) => check(given)),
  );
  return toConfig(valuesOf(settings, variables));
}

function toConfig(values: Values) {
  const { port, publicUrl, model, embedding, storage, http } = values;
  const doors = http.doors ?? (values.database.url === null ? ['all'] : []);
  const [fallback, embedder] = [model.fallback, embedding].map((own) => providerOf(own, model));
  return {
    ...values,
    /** The URL at which clients reach this server, without a final slash. Null: localhost, with the port it picks. */
    publicUrl: publicUrl ?? (port === 0 ? null : `http://localhost:${port}`),
    /** Where traces and model metrics are sent. Null: nowhere. */
    tracing: toTracingConfig(values.tracing, values.role),
    model: {
      ...model,
      /** Used while the model is unreachable. Null: none. Never set without `baseUrl`. */
      fallback: fallback && model.fallback.name !== null ? { name: model.fallback.name, ...fallback } : null,
    },
    /** Null: search by words only. */
    embedding:
      embedder && embedding.model !== null ? { ...embedding, model: embedding.model, ...embedder } : null,
    /** Null: people have tokens. */
    oidc: toOidcConfig(values.oidc),
    /** Null: the folder `files` in the data folder. */
    storage: { s3: storage.s3.bucket === null ? null : { ...storage.s3, bucket: storage.s3.bucket } },
    /** `doors`: the open ones. */
    http: {
      ...http,
      introspection: http.introspection ?? (values.database.url === null ? 'on' : 'off'),
      doors: doorNames.filter((door) => doors.includes('all') || doors.includes(door)),
    },
  };
}

type Provider = Pick<Values['model'], 'baseUrl' | 'apiKey'>;

/** The provider of a model beside the main one: its own if set, else the main one. Null: none. */
function providerOf(own: Provider, main: Provider) {
  const baseUrl = own.baseUrl ?? main.baseUrl;
  // A provider's key is not sent to another provider.
  const inherited = baseUrl === main.baseUrl ? main.apiKey : null;
  return baseUrl === null ? null : { baseUrl, apiKey: own.apiKey ?? inherited };
}

function toOidcConfig({ issuer, clientId, organisation, ...oidc }: Values['oidc']) {
  if (issuer === null || clientId === null) return null;
  /** `organisation`: the owner of the provider, as shown to people. */
  return { ...oidc, issuer, clientId, organisation: organisation ?? new URL(issuer).host };
}

/** Lists variables that have no effect unless another is set. */
function checkNeeded(given: Environment, variables: readonly string[], needed: string, hint = ''): string[] {
  const owner = variables.find((name) => given[name]);
  return owner === undefined || given[needed] ? [] : [`${needed} must be set, as ${owner} is set${hint}.`];
}

export function checkAuth(given: Environment): string[] {
  return given.AUTH_SECRET && given.AUTH_JWKS_URL ? ['Set AUTH_SECRET or AUTH_JWKS_URL, not both.'] : [];
}

/** A provider signs tokens for other applications with the same keys, so issuer and audience must be set. */
function checkProvider(given: Environment): string[] {
  if (given.AUTH_JWKS_URL) {
    return [
      ['AUTH_ISSUER', 'the `iss` of your identity provider’s tokens'],
      ['AUTH_AUDIENCE', 'the `aud` that its tokens for Palabre have'],
    ].flatMap(([name = '', what = '']) =>
      given[name] ? [] : [`${name} must be ${what}, as AUTH_JWKS_URL is set; or * to take any.`],
    );
  }
  if (given.AUTH_OIDC_ISSUER) return [];
  const usual = { AUTH_COMPANY_CLAIM: claimDefaults.company, AUTH_ROLE_CLAIM: claimDefaults.role };
  const isUsual = ([name, value]: [string, string]): boolean => (given[name] || value) === value;
  const renamed = Object.entries({ ...usual, AUTH_ROLE_MAP: '' }).filter((claim) => !isUsual(claim));
  const names = renamed.map(([name]) => name);
  return checkNeeded(given, names, 'AUTH_JWKS_URL', ': it is about the tokens of a provider');
}

function checkOidc(given: Environment): string[] {
  if (given.AUTH_OIDC_ISSUER && !given.AUTH_OIDC_CLIENT_ID)
    return ['AUTH_OIDC_CLIENT_ID must be what the provider calls Palabre, as AUTH_OIDC_ISSUER is set.'];
  const ofProvider = ['AUTH_OIDC_CLIENT_ID', 'AUTH_OIDC_CLIENT_SECRET', 'AUTH_OIDC_NAME'];
  return checkNeeded(given, ofProvider, 'AUTH_OIDC_ISSUER');
}

function checkModel(given: Environment): string[] {
  if (given.LLM_PRICES_FILE)
    return ['MODELS_FILE must be set in place of LLM_PRICES_FILE, with the same file.'];
  if (given.LLM_BASE_URL && !given.LLM_MODEL)
    return ['LLM_MODEL must be the name of a model that LLM_BASE_URL serves, as LLM_BASE_URL is set.'];
  // Without LLM_BASE_URL the offline model would answer, which is a mistake if these are set.
  const ofModel = ['LLM_MODEL', 'LLM_API_KEY', 'LLM_UPKEEP_MODEL'];
  return checkNeeded(given, ofModel, 'LLM_BASE_URL', ': to https://api.openai.com/v1, for one');
}

function checkFallback(given: Environment): string[] {
  // The provider of a request is found by the name of the model.
  if (given.LLM_FALLBACK_MODEL && given.LLM_FALLBACK_MODEL === given.LLM_MODEL)
    return ['LLM_FALLBACK_MODEL must be another model than LLM_MODEL.'];
  return [
    ...checkNeeded(given, ['LLM_FALLBACK_BASE_URL', 'LLM_FALLBACK_API_KEY'], 'LLM_FALLBACK_MODEL'),
    ...checkNeeded(given, ['LLM_FALLBACK_MODEL'], 'LLM_BASE_URL'),
  ];
}

function checkEmbedding(given: Environment): string[] {
  const isNowhere = given.EMBEDDING_MODEL && !given.EMBEDDING_BASE_URL && !given.LLM_BASE_URL;
  if (isNowhere) return ['EMBEDDING_BASE_URL (or LLM_BASE_URL) must be set, as EMBEDDING_MODEL is set.'];
  const ofEmbedder = ['EMBEDDING_BASE_URL', 'EMBEDDING_API_KEY', 'EMBEDDING_DIMENSIONS'];
  return checkNeeded(given, ofEmbedder, 'EMBEDDING_MODEL');
}

function checkRole(given: Environment): string[] {
  return (given.ROLE === 'api' || given.ROLE === 'worker') && !given.DATABASE_URL
    ? [`DATABASE_URL must be set, as ROLE is ${given.ROLE}: the embedded database is one process’s.`]
    : [];
}

function checkStorage(given: Environment): string[] {
  const isHalf = Boolean(given.S3_ACCESS_KEY_ID) !== Boolean(given.S3_SECRET_ACCESS_KEY);
  if (isHalf && given.S3_BUCKET)
    return ['Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or neither of them.'];
  return checkNeeded(given, ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'], 'S3_BUCKET');
}

function checkTrustedDocuments(given: Environment): string[] {
  const isOff = (given.TRUSTED_DOCUMENTS ?? 'off') === 'off';
  if (isOff === !given.TRUSTED_DOCUMENTS_FILES) return [];
  return [
    isOff
      ? 'TRUSTED_DOCUMENTS must be known or only, as TRUSTED_DOCUMENTS_FILES is set.'
      : `TRUSTED_DOCUMENTS_FILES must name at least one manifest, as TRUSTED_DOCUMENTS is ${given.TRUSTED_DOCUMENTS}.`,
  ];
}
