/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> =
  T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** What an API key may be used for, within its role. No scope includes another. A scope can read what it can change. */
export type ApiKeyScope =
  /** Deleting, removing and erasing. With the role ADMIN also managing the company: its members, keys, prompts, quotas, webhooks and profile. */
  | 'ADMIN'
  /** Uploading, following and searching documents. */
  | 'DOCUMENTS'
  /** All queries and subscriptions. */
  | 'READ'
  /** Adding and configuring skills and MCP servers. Requires the role ADMIN. */
  | 'SKILLS'
  /** Asking for other members of the company, whom the program names as its users. Only in protocols other than GraphQL, and within the key’s own role and other scopes. */
  | 'SPEAK_FOR_OTHERS'
  /** Turns, conversations, memories and approvals, except deleting them. */
  | 'TURNS';

/** How the model receives an attachment. */
export type AttachmentKind =
  /** It is read: given to the model whole if it is short, else searched. */
  | 'DOCUMENT'
  /** The model sees it as an image. */
  | 'IMAGE';

/** Selects audit entries. All given conditions must hold. */
export type AuditFilter = {
  /** Changes made at this time or later. */
  from?: string | null | undefined;
  /** Changes made by this member. */
  memberId?: string | null | undefined;
  /** The noun of the action: skill, api-key. */
  noun?: string | null | undefined;
  /** Changes made before this time. */
  to?: string | null | undefined;
};

/** The MCP server to sign in to, and the client to use. */
export type AuthorizeMcpServerInput = {
  /** A client registered at the authorization server. If omitted, the previous client, or a new one. */
  clientId?: string | null | undefined;
  /** Its secret, if it has one. Stored encrypted and never shown again. */
  clientSecret?: string | null | undefined;
  /** Who signs in. Default: a person. */
  grant?: McpGrant | null | undefined;
  /** The issuer of the authorization server where the client is registered. No other server is sent the secret. If omitted, the issuer that the server names on first use. */
  issuer?: string | null | undefined;
  /** The key of the server. */
  key: string;
};

/** Why an item is included, in the order of the text. */
export type ContextSection =
  /** A contact that the message names, at most three. */
  | 'CONTACT'
  /** A dated excerpt of earlier messages that is relevant to it. */
  | 'CONVERSATION'
  /** A memory of any kind that is relevant to the message, or one of the newest. */
  | 'FACT'
  /** A preference, which is always included. */
  | 'PREFERENCE'
  /** The project that the message names, or that is pinned to the conversation. */
  | 'PROJECT';

/** Selects conversations. All given conditions must hold. */
export type ConversationFilter = {
  /** Archived or not. Null: both. */
  archived?: boolean | null | undefined;
  /** With this assistant. */
  assistantKey?: string | null | undefined;
  /** Pinned or not. Null: both. */
  pinned?: boolean | null | undefined;
  /** The title contains this text, ignoring accents and case, or one message contains all of its words, matched as in searchMessages: 1 to 200 characters. */
  text?: string | null | undefined;
};

/** A new API key for a program. */
export type CreateApiKeyInput = {
  /** When the key expires. If omitted, only when it is revoked. */
  expiresAt?: string | null | undefined;
  /** The display name, 1 to 100 characters. The key’s member gets the same name. */
  name: string;
  /** The role of the program: MEMBER or ADMIN. */
  role?: Role | null | undefined;
  /** What it may be used for: at least one. Without ADMIN, nothing is deleted or administered. */
  scopes?: Array<ApiKeyScope> | null | undefined;
};

/** A new assistant. Its budget is the default of its strategy until it is changed. */
export type CreateAssistantInput = {
  /** The name that startTurn uses: 1 to 64 unaccented lowercase letters, digits, - and _. */
  key: string;
  /** The language of the answers, BCP 47, such as fr or zh-Hant. */
  language: string;
  /** A model name of the installation’s provider, or key/model for a provider of the company. Null: the installation’s default model. */
  model?: string | null | undefined;
  /** The display name: one line of 1 to 100 characters. */
  name: string;
  /** The keys of the skills that the assistant may use, at most 1000, among those offered to it. Null: all of them. */
  skills?: Array<string> | null | undefined;
  /** How the assistant produces its answer. */
  strategy: Strategy;
  /** The base prompt: see publishPrompt. */
  template: string;
};

/** A question to ask at certain times. */
export type CreateScheduleInput = {
  /** The assistant that answers, each time in a new conversation. If omitted, give conversationId. */
  assistantKey?: string | null | undefined;
  /** One of the viewer’s conversations, used each time. If omitted, a new one each time. */
  conversationId?: string | null | undefined;
  /** The question: at most 10000 characters. */
  message: string;
  /** What to do about times when no server is running. */
  missedRuns?: MissedRuns | null | undefined;
  /** The time zone of cron, such as Africa/Dakar. Default: the server’s. */
  timeZone?: string | null | undefined;
  /** The times to ask. */
  when: ScheduleWhenInput;
};

/** An archive with one or more packs, each with a SKILL.md. */
export type CreateSkillUploadInput = {
  /** The size in bytes. */
  bytes: number;
  /** The file name, ending in .zip or .skill. */
  name: string;
};

/** An address that receives notifications. */
export type CreateWebhookInput = {
  /** The kinds, out of TURN_COMPLETED, TURN_FAILED, APPROVAL_REQUESTED, INPUT_REQUESTED, DOCUMENT_ANALYSED, DOCUMENT_ANALYSIS_FAILED, SCHEDULE_PAUSED. Default: all, including future ones. */
  kinds?: Array<string> | null | undefined;
  /** The address, https:// or http://: at most 2000 characters. */
  url: string;
};

/** The status of a document. */
export type DocumentStatus =
  /** It can be searched and cited. */
  | 'COMPLETED'
  /** It could not be processed: see error. Nothing of it can be found. */
  | 'FAILED'
  /** It waits for its bytes, or to be processed. */
  | 'PENDING'
  /** It is being processed. */
  | 'PROCESSING';

/** Why a turn ended. */
export type FinishReason =
  /** The model answered. */
  | 'ANSWERED'
  /** It was cancelled, or the asker lost access. */
  | 'CANCELLED'
  /** It failed. */
  | 'ERROR'
  /** The time budget was used up. It answered with what it had. */
  | 'MAX_SECONDS'
  /** The budget of model calls was used up. It answered with what it had. */
  | 'MAX_STEPS'
  /** The answer was cut off at the token limit. */
  | 'MAX_TOKENS'
  /** A later question in the conversation interrupted it. */
  | 'SUPERSEDED';

/** How to treat risky skill calls after a turn has read untrusted text (web pages, documents, answers of other systems), which could impersonate the asker. Risky are calls that change something, and calls to addresses that came neither from the user nor from a search. A decision made by setSkillApproval takes precedence. */
export type ForeignTextPolicy =
  /** A person is asked before each call. The asker may answer. */
  | 'ASK'
  /** They are refused, and the model is told. */
  | 'REFUSE'
  /** They run as in any other turn. */
  | 'RUN';

/** A header sent with every call. Give secrets in secrets instead. */
export type HttpHeaderInput = {
  /** The name. */
  name: string;
  /** At most 2000 ASCII characters. */
  value: string;
};

/** How an HTTP skill calls its service. */
export type HttpMethod =
  /** Deletes something. */
  | 'DELETE'
  /** Reads data. */
  | 'GET'
  /** Changes a part of something. */
  | 'PATCH'
  /** Creates or starts something. */
  | 'POST'
  /** Replaces something. */
  | 'PUT';

/** A secret that is sent with every call. Stored encrypted and never shown again. */
export type HttpSecretInput = {
  /** Its place in the request. */
  in?: HttpSecretPlace;
  /** The name of the header or parameter, such as Authorization. */
  name: string;
  /** The complete value, such as “Bearer …”: 4 to 4096 ASCII characters. */
  value: string;
};

/** Where a secret goes in the request. */
export type HttpSecretPlace =
  /** A header, such as Authorization. */
  | 'HEADER'
  /** A query parameter, for services that support nothing better. */
  | 'QUERY';

/** The operations of an OpenAPI document to import, and how to call them. */
export type ImportOpenApiInput = {
  /** Default: the document’s title. */
  category?: string | null | undefined;
  /** The document itself. Use url if it is larger than a request may be. */
  document?: string | null | undefined;
  /** Sent with every call; at most 20. */
  headers?: Array<HttpHeaderInput> | null | undefined;
  /** The operationIds from the preview: at most 50. */
  operations: Array<string>;
  /** The prefix of all keys, such as crm: 1 to 30 lowercase letters, digits and _, starting with a letter. */
  prefix?: string | null | undefined;
  /** Whether to change existing HTTP skills with these keys. If false, an existing key is a CONFLICT. */
  replace?: boolean;
  /** At most 20. If omitted when replacing skills, they stay as they are if the host is the same. */
  secrets?: Array<HttpSecretInput> | null | undefined;
  /** The address of the service. Default: the one in the document. */
  serverUrl?: string | null | undefined;
  /** The seconds a call may take: 1 to 120. Default: 15. */
  timeoutSeconds?: number | null | undefined;
  /** The address of the document: at most 2 MB. */
  url?: string | null | undefined;
};

/** The company’s sign-in status at an MCP server. */
export type McpAuthorization =
  /** The sign-in has expired. Somebody has to sign in again. */
  | 'EXPIRED'
  /** Somebody has signed in. */
  | 'GRANTED'
  /** Nobody has signed in with authorizeMcpServer, or calls need further scopes: see notes. */
  | 'NEEDED'
  /** The server has not asked for a sign-in. It only receives its headers, if any. */
  | 'NONE';

/** Who signs in at an MCP server. */
export type McpGrant =
  /** A person, at the returned address. */
  | 'AUTHORIZATION_CODE'
  /** The installation itself, with a client id and secret from the server. */
  | 'CLIENT_CREDENTIALS';

/** A header that is sent to an MCP server. */
export type McpHeaderInput = {
  /** Such as Authorization. */
  name: string;
  /** Stored encrypted and never shown again. */
  value: string;
};

/** The connection of one process to an MCP server. */
export type McpState =
  /** It has not been needed yet. */
  | 'CLOSED'
  /** Its tools can be called. */
  | 'CONNECTED'
  /** The connection is being made. */
  | 'CONNECTING'
  /** It cannot be reached, and is retried. */
  | 'FAILED';

/** The kind of a memory. */
export type MemoryKind =
  /** A person or an organisation, recognised by its names. */
  | 'CONTACT'
  /** Anything else. */
  | 'FACT'
  /** A personal preference. Assistants get it in every turn. */
  | 'PREFERENCE'
  /** A project, recognised by its name. */
  | 'PROJECT';

/** Who created a memory. */
export type MemorySource =
  /** An assistant, from the content of a turn after it ended. */
  | 'EXTRACTION'
  /** A person, through the API. */
  | 'MEMBER'
  /** An assistant, through a skill, on request or on its own. */
  | 'SKILL';

/** Who wrote a message. */
export type MessageRole =
  /** The assistant. */
  | 'ASSISTANT'
  /** The member. */
  | 'USER';

/** Whether a message is complete. */
export type MessageStatus =
  /** Complete. */
  | 'COMPLETE'
  /** Partial: the turn failed. */
  | 'FAILED'
  /** Partial: the turn was cancelled or superseded. */
  | 'INTERRUPTED';

/** What to do about times that passed while no server ran, or by more than ten minutes. */
export type MissedRuns =
  /** Run once, for the newest of them. */
  | 'ONCE'
  /** Skip them. */
  | 'SKIP';

/** The purpose of a model call. */
export type ModelCallPurpose =
  /** Analyse a document that the member asked about. */
  | 'ANALYSIS'
  /** Answer, or request skills first. */
  | 'ANSWER'
  /** Note what the member said that is worth knowing later. */
  | 'MEMORY'
  /** Decide the next step. */
  | 'PLAN'
  /** Summarise messages that left the window of recent messages. */
  | 'SUMMARY'
  /** Answer from the results of all steps. */
  | 'SYNTHESIS'
  /** Title the conversation. */
  | 'TITLE';

/** An amount of money. */
export type MoneyInput = {
  /** In whole units of the currency: 0 to 10^18. */
  amount: number;
  /** ISO 4217, such as XOF. */
  currency: string;
};

/** An OpenAPI document, 3.0 or 3.1, JSON or YAML. Give either document or url. */
export type OpenApiSourceInput = {
  /** The document itself. Use url if it is larger than a request may be. */
  document?: string | null | undefined;
  /** The prefix of all keys, such as crm: 1 to 30 lowercase letters, digits and _, starting with a letter. */
  prefix?: string | null | undefined;
  /** The address of the document: at most 2 MB. */
  url?: string | null | undefined;
};

/** The kinds of input that a turn can wait for. */
export type PendingInputKind =
  /** Permission to run a skill. */
  | 'APPROVAL'
  /** The outcome of a skill that the client runs. */
  | 'CLIENT_SKILL'
  /** Information that an MCP server asks of the member. */
  | 'MCP_INPUT'
  /** An answer to the model’s question. */
  | 'QUESTION';

/** The status of an input that a turn waits for. */
export type PendingStatus =
  /** It was answered. For a client skill, this includes an error. */
  | 'ANSWERED'
  /** It was approved. */
  | 'APPROVED'
  /** Its turn has ended, so no answer is needed any more. */
  | 'CANCELLED'
  /** The member declined to answer. */
  | 'DECLINED'
  /** It was denied. */
  | 'DENIED'
  /** There was no answer in time, which counts as declined or denied. For an approval, also that its turn has ended. */
  | 'EXPIRED'
  /** It is not answered yet. */
  | 'PENDING';

/** The API that a provider’s models are called with. */
export type ProviderApi =
  /** Chosen by what is known about the provider and its models, and by what it refuses. */
  | 'AUTO'
  /** Chat completions, which almost all providers support. */
  | 'CHAT'
  /** The Responses API, in which OpenAI’s models can reason while they use tools. */
  | 'RESPONSES';

/** The period of a quota. Days and months are in UTC. */
export type QuotaPeriod =
  /** One day. */
  | 'DAY'
  /** One calendar month. */
  | 'MONTH';

/** Who a quota applies to. */
export type QuotaSubject =
  /** All members together. */
  | 'COMPANY'
  /** Each member separately, unless they have a quota of their own. */
  | 'EACH_MEMBER'
  /** One member. */
  | 'MEMBER';

/** How much a model reasons before it answers. No model supports all levels. The nearest supported level that is not higher is used. */
export type ReasoningEffort =
  /** A lot: slower and more expensive. */
  | 'HIGH'
  /** A little: fast and cheap. */
  | 'LOW'
  /** As much as the model can. */
  | 'MAX'
  /** The usual default of most models. */
  | 'MEDIUM'
  /** Almost none. */
  | 'MINIMAL'
  /** No reasoning. */
  | 'NONE'
  /** Very much. */
  | 'XHIGH';

/** An MCP server to connect. */
export type RegisterMcpServerInput = {
  /** All headers that it needs, at most 20. They replace the previous headers. */
  headers?: Array<McpHeaderInput> | null | undefined;
  /** At most 30 letters and digits, with single - or _ between them. An existing server with this key is changed. */
  key: string;
  /** The seconds one tool call may take: 1 to 600. Default: 60. */
  timeoutSeconds?: number | null | undefined;
  /** Whether to trust the server’s statement that a tool changes nothing, so that calls need no approval, or that it can safely be called again, as after a crash. Default: false. */
  trustAnnotations?: boolean | null | undefined;
  /** The Streamable HTTP address, on a public network. It is shown, so put secrets in headers. */
  url: string;
};

/** A memory to store. */
export type RememberInput = {
  /** PROJECT: status, description, client. CONTACT: company, email, notes, aliases (a list). For these two kinds, omitted attributes stay as they are, and null removes an attribute. Any kind can have others: strings, numbers, booleans, and lists of short strings. */
  attributes?: unknown;
  /** The content: 1 to 2000 characters. */
  content: string;
  /** The kind. */
  kind: MemoryKind;
  /** True: shared with the whole company; only for admins. False: the viewer’s own. */
  shared?: boolean | null | undefined;
  /** The subject: 1 to 200 characters. It replaces the current memory with the same kind and subject, ignoring case and accents. */
  subject: string;
};

/** When a GROUNDED assistant searches the documents. */
export type Retrieval =
  /** When the model asks for it, as in assistants with other strategies. */
  | 'AUTO'
  /** Before every answer, if there are any documents. */
  | 'FORCED';

/** What a member may do in the company. */
export type Role =
  /** Also manages skills, the company and its prompts, and reads the audit. */
  | 'ADMIN'
  /** Talks to assistants and sees their own conversations. */
  | 'MEMBER'
  /** Runs the installation, and is an admin of the company. */
  | 'OPERATOR';

/** Why a schedule is paused. */
export type SchedulePausedReason =
  /** An admin paused it. */
  | 'BY_ADMIN'
  /** Its member paused it. */
  | 'BY_MEMBER'
  /** Several of its turns failed in a row. */
  | 'FAILURES'
  /** Its member was deactivated or has left, or their API key has ended. */
  | 'MEMBER_INACTIVE'
  /** It cannot run: its assistant is archived, or its conversation is deleted. The last run says which. */
  | 'REFUSED';

/** The outcome of a run. */
export type ScheduleRunOutcome =
  /** Skipped, because the turn of an earlier run had not been answered yet. */
  | 'BUSY'
  /** Skipped, because no server was running. Of several in a row, only the first is listed. */
  | 'MISSED'
  /** It could not be asked: see reason. */
  | 'REFUSED'
  /** The question was asked. */
  | 'STARTED';

/** Whether a schedule is active. */
export type ScheduleStatus =
  /** It runs at nextAt. */
  | 'ACTIVE'
  /** Its only time has passed. */
  | 'ENDED'
  /** It does not run until somebody resumes it. */
  | 'PAUSED';

/** When to ask: repeatedly, or once. */
export type ScheduleWhenInput =
  | {
      /** The single time to ask. */
      at: string;
      cron?: never;
    }
  | {
      at?: never; /** A cron expression with five fields, such as `0 9 * * MON-FRI`, or one of @hourly, @daily, @weekly, @monthly and @yearly. L, W and # are supported. */
      cron: string;
    };

/** A provider with an OpenAI-compatible API. */
export type SetProviderInput = {
  /** The API to use. Default: AUTO. */
  api?: ProviderApi | null | undefined;
  /** Stored encrypted and never shown again. If omitted, it stays, while the host stays the same. Null: none is needed. */
  apiKey?: string | null | undefined;
  /** The base address on a public network, with the API version: https://api.openai.com/v1. It is shown. */
  baseUrl: string;
  /** 1 to 40 lowercase letters, digits and hyphens, starting with a letter. An existing provider with this key is changed. Assistants name its models key/model. */
  key: string;
  /** The models that assistants may use, at most 200. If omitted or empty, all models of the provider. */
  models?: Array<string> | null | undefined;
};

/** A quota. Without any limit, it is removed. */
export type SetQuotaInput = {
  /** In US dollars. Null: no cost limit. */
  maxCostUsd?: number | null | undefined;
  /** Input and output tokens together. Null: no token limit. */
  maxTokens?: number | null | undefined;
  /** The member. Only for the subject MEMBER. */
  memberId?: string | null | undefined;
  /** The period of the limit. */
  period: QuotaPeriod;
  /** The only provider that the quota counts: its key, or INSTALLATION for the installation’s own provider including its fallback. Null: all models. It is checked before each call to that provider. If it is used up, no other provider takes over. Deleting the provider removes the quota. */
  provider?: string | null | undefined;
  /** Who it applies to. */
  subject: QuotaSubject;
};

/** The status of a skill call. */
export type SkillCallStatus =
  /** A person denied it. */
  | 'DENIED'
  /** It returned an error, and the model was told. */
  | 'FAILED'
  /** It is running. */
  | 'RUNNING'
  /** It returned a result. */
  | 'SUCCEEDED'
  /** It was interrupted. Its effects are unknown. */
  | 'UNKNOWN';

/** What a call of a skill can change. */
export type SkillChanges =
  /** Another system: an endpoint that is not called with GET, or a tool whose server does not declare it read-only. */
  | 'ELSEWHERE'
  /** Data in this product: the profile, memories, files. */
  | 'HERE'
  /** Nothing: it only reads. */
  | 'NOTHING';

/** What a skill is made of. */
export type SkillKind =
  /** Code of this product, or of a package that the operator has installed. */
  | 'FUNCTION'
  /** An endpoint of the company. */
  | 'HTTP'
  /** A SKILL.md in the Agent Skills format, which the model loads. */
  | 'INSTRUCTIONS'
  /** A tool of a Model Context Protocol server. */
  | 'MCP';

/** How an assistant produces its answer. */
export type Strategy =
  /** Searches first, then streams an answer with citations. */
  | 'GROUNDED'
  /** A planner picks each step: call a skill, write the answer, or continue in the background. */
  | 'PLANNED'
  /** One streaming loop, in which the model calls skills until it can answer. */
  | 'REACTIVE';

/** Why a turn failed. */
export type TurnErrorCode =
  /** The answer does not fit the requested schema. Its text is kept. */
  | 'ANSWER_INVALID'
  /** The prompt is longer than the model’s context. */
  | 'CONTEXT_TOO_LARGE'
  /** Internal error. */
  | 'INTERNAL'
  /** The process that ran the turn was lost several times. */
  | 'LEASE_LOST'
  /** The model refused to answer. */
  | 'MODEL_REFUSED'
  /** The model could not be reached or gave no answer. */
  | 'MODEL_UNAVAILABLE'
  /** A quota is used up. */
  | 'RATE_LIMITED';

/** Selects turns. All given conditions must hold. */
export type TurnFilter = {
  /** The assistant of the turn. */
  assistantKey?: string | null | undefined;
  /** The finish reason is one of these. */
  finishReason?: Array<FinishReason> | null | undefined;
  /** Asked at this time or later. */
  from?: string | null | undefined;
  /** The member who asked. */
  memberId?: string | null | undefined;
  /** The minimum cost, as far as costs are known. */
  minCostUsd?: number | null | undefined;
  /** The turn ended this many seconds or more after the question. */
  minSeconds?: number | null | undefined;
  /** The status is one of these. */
  status?: Array<TurnStatus> | null | undefined;
  /** Asked before this time. */
  to?: string | null | undefined;
};

/** The status of a turn. */
export type TurnStatus =
  /** It was ended early. If the answer had begun, that part is kept. */
  | 'CANCELLED'
  /** It was answered. */
  | 'COMPLETED'
  /** It failed: see error. */
  | 'FAILED'
  /** It continues in the background. Nobody has to wait. */
  | 'IN_BACKGROUND'
  /** It waits to run. */
  | 'QUEUED'
  /** It is running. */
  | 'RUNNING'
  /** It waits only for approvals. */
  | 'WAITING_FOR_APPROVAL'
  /** It waits for input from its member, and possibly for approvals: see pendingInputs. */
  | 'WAITING_FOR_INPUT';

/** The changes. Omitted fields stay as they are. Only model, reasoningEffort and skills accept null. */
export type UpdateAssistantInput = {
  /** Seconds in the background: 5 to 7200. */
  backgroundMaxSeconds?: number | null | undefined;
  /** Model calls in the background: 1 to 200. */
  backgroundMaxSteps?: number | null | undefined;
  /** Whether facts of lasting use are stored as memories after a turn. */
  extractsMemories?: boolean | null | undefined;
  /** The language of the answers, BCP 47, such as fr or zh-Hant. */
  language?: string | null | undefined;
  /** Tokens of one model call’s answer: 64 to 128000. */
  maxOutputTokens?: number | null | undefined;
  /** Seconds of a turn: 5 to 900. */
  maxSeconds?: number | null | undefined;
  /** Model calls of a turn: 1 to 50. */
  maxSteps?: number | null | undefined;
  /** A model name of the installation’s provider, or key/model for a provider of the company: at most 200 characters. Null: the installation’s default model. */
  model?: string | null | undefined;
  /** The display name: one line of 1 to 100 characters. */
  name?: string | null | undefined;
  /** How much the model reasons before it answers. Null: the model’s own default. */
  reasoningEffort?: ReasoningEffort | null | undefined;
  /** Whether the model is given the asker’s earlier messages that are relevant to the question. */
  recallsConversations?: boolean | null | undefined;
  /** When the assistant searches the documents. Only used by the strategy GROUNDED. */
  retrieval?: Retrieval | null | undefined;
  /** Whether the model’s reasoning is shown: streamed as ReasoningDelta and stored as a part of the answer, as far as the provider reveals it. */
  showsReasoning?: boolean | null | undefined;
  /** The keys of the skills that the assistant may use, at most 1000, among those offered to it. Null: all of them. */
  skills?: Array<string> | null | undefined;
  /** How the assistant produces its answer. */
  strategy?: Strategy | null | undefined;
};

/** The changes. Omitted fields stay as they are. Each field says what null means. */
export type UpdateCompanyInput = {
  /** The complete object: at most 20000 characters of JSON, 20 levels deep. For none, an empty object, not null. */
  attributes?: unknown;
  /** One line of 1 to 200 characters. Null: unknown. */
  city?: string | null | undefined;
  /** ISO 3166-1 alpha-2, such as SN. Null: unknown. */
  country?: string | null | undefined;
  /** The complete list: at most 100 entries of 1 to 500 characters. For none, an empty list, not null. */
  declaredGoals?: Array<string> | null | undefined;
  /** The complete list: at most 100 entries of 1 to 500 characters. For none, an empty list, not null. */
  environmentalPractices?: Array<string> | null | undefined;
  /** Takes effect with the next question. Not null. */
  foreignTextPolicy?: ForeignTextPolicy | null | undefined;
  /** 0 to 2000000000. Null: unknown. */
  headcount?: number | null | undefined;
  /** BCP 47, such as fr. Not null. */
  language?: string | null | undefined;
  /** One line of 1 to 200 characters. Not null. */
  name?: string | null | undefined;
  /** The revenue of one year. Null: unknown. */
  revenue?: MoneyInput | null | undefined;
  /** One line of 1 to 200 characters. Null: unknown. */
  sector?: string | null | undefined;
};

/** The changes. Omitted fields stay as they are. */
export type UpdateConversationInput = {
  /** Whether to archive it. It can still be read and continued. */
  archived?: boolean | null | undefined;
  /** One of the viewer’s conversations. */
  id: string;
  /** Whether to pin it. */
  pinned?: boolean | null | undefined;
  /** One line of 1 to 200 characters. The model no longer changes it. */
  title?: string | null | undefined;
};

/** The changes. Omitted fields stay as they are. */
export type UpdateScheduleInput = {
  /** The id of the schedule. */
  id: string;
  /** A new question. */
  message?: string | null | undefined;
  /** What to do about times when no server is running. */
  missedRuns?: MissedRuns | null | undefined;
  /** A new time zone. */
  timeZone?: string | null | undefined;
  /** New times. An ended schedule starts again. */
  when?: ScheduleWhenInput | null | undefined;
};

/** How usage is grouped. */
export type UsageGroup =
  /** By assistant. */
  | 'ASSISTANT'
  /** By day, UTC. */
  | 'DAY'
  /** By the member who asked. */
  | 'MEMBER'
  /** By model. */
  | 'MODEL';

export type ViewerQueryVariables = Exact<{ [key: string]: never }>;

export type ViewerQuery = {
  viewer: {
    id: string;
    name: string;
    email: string | null;
    role: Role;
    company: { id: string; name: string };
  };
};

export type AssistantsScreenQueryVariables = Exact<{ [key: string]: never }>;

export type AssistantsScreenQuery = {
  assistants: Array<{
    id: string;
    key: string;
    name: string;
    language: string;
    strategy: Strategy;
    model: string | null;
    archived: boolean;
    showsReasoning: boolean;
    budget: { maxSteps: number; maxSeconds: number; maxOutputTokens: number };
    prompt: { version: number; template: string } | null;
    promptHistory: Array<{
      version: number;
      template: string;
      publishedAt: string | null;
      publishedBy: string | null;
      note: string | null;
    }>;
  }>;
};

export type CreateAssistantMutationVariables = Exact<{
  input: CreateAssistantInput;
}>;

export type CreateAssistantMutation = { createAssistant: { id: string; key: string } };

export type CopyAssistantMutationVariables = Exact<{
  key: string;
  newKey: string;
  name: string;
}>;

export type CopyAssistantMutation = { copyAssistant: { id: string; key: string } };

export type ArchiveAssistantMutationVariables = Exact<{
  key: string;
  archived: boolean;
}>;

export type ArchiveAssistantMutation = { archiveAssistant: { id: string; archived: boolean } };

export type UpdateAssistantMutationVariables = Exact<{
  key: string;
  input: UpdateAssistantInput;
}>;

export type UpdateAssistantMutation = { updateAssistant: { id: string } };

export type PublishPromptMutationVariables = Exact<{
  assistantKey: string;
  template: string;
  note?: string | null | undefined;
}>;

export type PublishPromptMutation = { publishPrompt: { version: number } };

export type RollbackPromptMutationVariables = Exact<{
  assistantKey: string;
  version: number;
}>;

export type RollbackPromptMutation = { rollbackPrompt: { version: number } };

export type ConversationListQueryVariables = Exact<{
  first: number;
  filter?: ConversationFilter | null | undefined;
  after?: string | null | undefined;
}>;

export type ConversationListQuery = {
  conversations: {
    edges: Array<{
      node: {
        id: string;
        title: string | null;
        updatedAt: string;
        pinned: boolean;
        archived: boolean;
        assistant: { id: string; name: string };
        activeTurn: { id: string; status: TurnStatus } | null;
      };
    }>;
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
};

export type ConversationQueryVariables = Exact<{
  id: string;
  last: number;
  before?: string | null | undefined;
  leaf?: string | null | undefined;
  language: string;
}>;

export type ConversationQuery = {
  conversation: {
    id: string;
    title: string | null;
    assistant: { id: string; key: string; name: string; language: string };
    messages: {
      edges: Array<{
        node: {
          id: string;
          role: MessageRole;
          status: MessageStatus;
          text: string;
          createdAt: string;
          author: string | null;
          trustedAddresses: Array<string> | null;
          parts: Array<
            | { __typename: 'DataPart' }
            | {
                __typename: 'FilePart';
                attachment: {
                  id: string;
                  kind: AttachmentKind;
                  name: string;
                  url: string | null;
                  error: string | null;
                };
              }
            | {
                __typename: 'ImagePart';
                attachment: {
                  id: string;
                  kind: AttachmentKind;
                  name: string;
                  url: string | null;
                  error: string | null;
                };
              }
            | { __typename: 'ReasoningPart'; text: string }
            | { __typename: 'TextPart' }
          >;
          versions: Array<{ id: string }>;
          citations: Array<{
            marker: number;
            documentId: string;
            documentName: string;
            page: number | null;
            quote: string;
          }>;
          turn: {
            id: string;
            status: TurnStatus;
            finishReason: FinishReason | null;
            createdAt: string;
            finishedAt: string | null;
            error: { code: string; message: string; retryable: boolean } | null;
            skillCalls: Array<{
              id: string;
              skill: string;
              arguments: unknown;
              status: SkillCallStatus;
              resultPreview: string | null;
              startedAt: string;
              finishedAt: string | null;
            }>;
            files: Array<{ id: string; name: string; bytes: number; url: string }>;
          } | null;
        };
      }>;
      pageInfo: { hasPreviousPage: boolean; startCursor: string | null };
    };
  } | null;
};

export type ShownAttachmentFragment = {
  id: string;
  kind: AttachmentKind;
  name: string;
  url: string | null;
  error: string | null;
};

export type AssistantsQueryVariables = Exact<{ [key: string]: never }>;

export type AssistantsQuery = {
  assistants: Array<{ id: string; key: string; name: string; language: string; strategy: Strategy }>;
};

export type SkillNamesQueryVariables = Exact<{
  language: string;
}>;

export type SkillNamesQuery = { skills: Array<{ id: string; key: string; name: string }> };

export type UpdateConversationMutationVariables = Exact<{
  input: UpdateConversationInput;
}>;

export type UpdateConversationMutation = {
  updateConversation: { id: string; title: string | null; pinned: boolean; archived: boolean };
};

export type ConversationsChangedSubscriptionVariables = Exact<{ [key: string]: never }>;

export type ConversationsChangedSubscription = { conversationsChanged: { id: string; updatedAt: string } };

export type ConversationDeletedSubscriptionVariables = Exact<{ [key: string]: never }>;

export type ConversationDeletedSubscription = { conversationDeleted: string };

export type ConversationChangedSubscriptionVariables = Exact<{
  id: string;
}>;

export type ConversationChangedSubscription = {
  conversationChanged: {
    id: string;
    updatedAt: string;
    head: { id: string } | null;
    activeTurn: { id: string; status: TurnStatus } | null;
  };
};

export type DeleteConversationMutationVariables = Exact<{
  id: string;
}>;

export type DeleteConversationMutation = { deleteConversation: string };

export type SelectMessageMutationVariables = Exact<{
  id: string;
}>;

export type SelectMessageMutation = { selectMessage: { id: string } };

export type DocumentLinkQueryVariables = Exact<{
  id: string;
}>;

export type DocumentLinkQuery = { document: { id: string; mediaType: string; url: string | null } | null };

export type AttachmentErrorQueryVariables = Exact<{
  id: string;
  language: string;
}>;

export type AttachmentErrorQuery = { attachment: { id: string; name: string; error: string | null } | null };

export type CompanyScreenQueryVariables = Exact<{ [key: string]: never }>;

export type CompanyScreenQuery = {
  company: {
    id: string;
    name: string;
    sector: string | null;
    country: string | null;
    city: string | null;
    headcount: number | null;
    language: string;
  };
  members: {
    edges: Array<{
      node: { id: string; name: string; email: string | null; role: Role; deactivatedAt: string | null };
    }>;
  };
  apiKeys: {
    edges: Array<{
      node: {
        id: string;
        memberId: string;
        name: string;
        role: Role;
        scopes: Array<ApiKeyScope>;
        createdAt: string;
        expiresAt: string | null;
        lastUsedAt: string | null;
        pausedAt: string | null;
        revokedAt: string | null;
        createdBy: { id: string; name: string } | null;
      };
    }>;
  };
  webhooks: Array<{
    id: string;
    url: string;
    kinds: Array<string> | null;
    disabledAt: string | null;
    lastFailure: string | null;
    lastSuccessAt: string | null;
  }>;
  providers: Array<{
    id: string;
    key: string;
    baseUrl: string;
    api: ProviderApi;
    hasApiKey: boolean;
    models: Array<{ name: string }>;
  }>;
};

export type AuditQueryVariables = Exact<{
  filter?: AuditFilter | null | undefined;
  after?: string | null | undefined;
}>;

export type AuditQuery = {
  auditEntries: {
    edges: Array<{
      node: {
        id: string;
        action: string;
        subject: string;
        memberName: string | null;
        createdAt: string;
        details: unknown;
      };
    }>;
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
};

export type UpdateCompanyMutationVariables = Exact<{
  input: UpdateCompanyInput;
}>;

export type UpdateCompanyMutation = { updateCompany: { id: string } };

export type DeactivateMemberMutationVariables = Exact<{
  id: string;
}>;

export type DeactivateMemberMutation = { deactivateMember: { id: string; deactivatedAt: string | null } };

export type ReactivateMemberMutationVariables = Exact<{
  id: string;
}>;

export type ReactivateMemberMutation = { reactivateMember: { id: string; deactivatedAt: string | null } };

export type CreateApiKeyMutationVariables = Exact<{
  input: CreateApiKeyInput;
}>;

export type CreateApiKeyMutation = { createApiKey: { secret: string; apiKey: { id: string } } };

export type DeleteApiKeyMutationVariables = Exact<{
  id: string;
}>;

export type DeleteApiKeyMutation = { deleteApiKey: string };

export type CreateWebhookMutationVariables = Exact<{
  input: CreateWebhookInput;
}>;

export type CreateWebhookMutation = { createWebhook: { secret: string; webhook: { id: string } } };

export type DeleteWebhookMutationVariables = Exact<{
  id: string;
}>;

export type DeleteWebhookMutation = { deleteWebhook: string };

export type SetProviderMutationVariables = Exact<{
  input: SetProviderInput;
}>;

export type SetProviderMutation = { setProvider: { id: string } };

export type TestProviderMutationVariables = Exact<{
  key: string;
}>;

export type TestProviderMutation = {
  testProvider: { ok: boolean; message: string; model: string; durationMs: number };
};

export type DeleteProviderMutationVariables = Exact<{
  key: string;
}>;

export type DeleteProviderMutation = { deleteProvider: string };

export type ListedDocumentFragment = {
  id: string;
  name: string;
  bytes: number;
  pages: number | null;
  status: DocumentStatus;
  progress: number;
  error: string | null;
  warnings: Array<string>;
  createdAt: string;
};

export type DocumentsQueryVariables = Exact<{
  after?: string | null | undefined;
  language: string;
}>;

export type DocumentsQuery = {
  documents: {
    edges: Array<{
      node: {
        id: string;
        name: string;
        bytes: number;
        pages: number | null;
        status: DocumentStatus;
        progress: number;
        error: string | null;
        warnings: Array<string>;
        createdAt: string;
      };
    }>;
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
};

export type DocumentStorageQueryVariables = Exact<{ [key: string]: never }>;

export type DocumentStorageQuery = {
  documentStorage: { documents: number; bytes: number; maxDocuments: number; maxBytes: number };
};

export type DocumentProgressSubscriptionVariables = Exact<{
  id: string;
  language: string;
}>;

export type DocumentProgressSubscription = {
  documentProgress: {
    id: string;
    name: string;
    bytes: number;
    pages: number | null;
    status: DocumentStatus;
    progress: number;
    error: string | null;
    warnings: Array<string>;
    createdAt: string;
  };
};

export type DeleteDocumentMutationVariables = Exact<{
  id: string;
}>;

export type DeleteDocumentMutation = { deleteDocument: string };

export type SearchDocumentsQueryVariables = Exact<{
  query: string;
}>;

export type SearchDocumentsQuery = {
  searchDocuments: Array<{
    id: string;
    page: number | null;
    text: string;
    missing: Array<string>;
    document: { id: string; name: string };
  }>;
};

export type InboxQueryVariables = Exact<{ [key: string]: never }>;

export type InboxQuery = {
  pendingInputs: {
    edges: Array<{
      node:
        | {
            skill: string;
            arguments: unknown;
            reason: string | null;
            id: string;
            turnId: string;
            kind: PendingInputKind;
            status: PendingStatus;
            expiresAt: string;
            askedByName: string | null;
            askedIn: string | null;
          }
        | {
            callId: string;
            skill: string;
            arguments: unknown;
            id: string;
            turnId: string;
            kind: PendingInputKind;
            status: PendingStatus;
            expiresAt: string;
            askedByName: string | null;
            askedIn: string | null;
          }
        | {
            server: string;
            message: string;
            url: string | null;
            id: string;
            turnId: string;
            kind: PendingInputKind;
            status: PendingStatus;
            expiresAt: string;
            askedByName: string | null;
            askedIn: string | null;
            schema: unknown;
          }
        | {
            prompt: string;
            responseSchema: unknown;
            id: string;
            turnId: string;
            kind: PendingInputKind;
            status: PendingStatus;
            expiresAt: string;
            askedByName: string | null;
            askedIn: string | null;
          };
    }>;
  };
  notifications: {
    edges: Array<{
      node: {
        id: string;
        kind: string;
        title: string;
        body: string;
        readAt: string | null;
        createdAt: string;
        turn: { id: string; conversation: { id: string } } | null;
      };
    }>;
  };
};

export type MarkReadMutationVariables = Exact<{
  id: string;
}>;

export type MarkReadMutation = { markNotificationRead: { id: string; readAt: string | null } };

export type WaitingQueryVariables = Exact<{ [key: string]: never }>;

export type WaitingQuery = {
  pendingInputs: {
    edges: Array<{ node: { id: string } | { id: string } | { id: string } | { id: string } }>;
  };
};

export type NotificationAddedSubscriptionVariables = Exact<{ [key: string]: never }>;

export type NotificationAddedSubscription = { notificationAdded: { id: string; title: string } };

export type NotedMemoryFragment = {
  id: string;
  kind: MemoryKind;
  subject: string;
  content: string;
  shared: boolean;
  source: MemorySource;
  validFrom: string;
};

export type MemoriesQueryVariables = Exact<{
  kind?: MemoryKind | null | undefined;
  after?: string | null | undefined;
}>;

export type MemoriesQuery = {
  memories: {
    edges: Array<{
      node: {
        id: string;
        kind: MemoryKind;
        subject: string;
        content: string;
        shared: boolean;
        source: MemorySource;
        validFrom: string;
      };
    }>;
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
};

export type MemoryHistoryQueryVariables = Exact<{
  id: string;
}>;

export type MemoryHistoryQuery = {
  node:
    | {
        id: string;
        history: Array<{
          id: string;
          kind: MemoryKind;
          subject: string;
          content: string;
          shared: boolean;
          source: MemorySource;
          validFrom: string;
        }>;
      }
    | Record<PropertyKey, never>
    | null;
};

export type WhatWouldBeToldQueryVariables = Exact<{
  message: string;
}>;

export type WhatWouldBeToldQuery = {
  memoryContext: {
    tokens: number;
    budget: number;
    omitted: number;
    items: Array<{ section: ContextSection; text: string; tokens: number }>;
  };
};

export type RememberMutationVariables = Exact<{
  input: RememberInput;
}>;

export type RememberMutation = { remember: { id: string } };

export type CorrectMutationVariables = Exact<{
  id: string;
  content: string;
}>;

export type CorrectMutation = { updateMemory: { id: string } };

export type ForgetMutationVariables = Exact<{
  id: string;
}>;

export type ForgetMutation = { forget: string };

export type SchedulesQueryVariables = Exact<{
  after?: string | null | undefined;
  ofCompany?: boolean | null | undefined;
}>;

export type SchedulesQuery = {
  schedules: {
    edges: Array<{
      node: {
        id: string;
        status: ScheduleStatus;
        pausedReason: SchedulePausedReason | null;
        cron: string | null;
        at: string | null;
        timeZone: string;
        nextAt: string | null;
        message: string | null;
        memberId: string;
        missedRuns: MissedRuns;
        assistant: { id: string; name: string };
      };
    }>;
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
};

export type ScheduleRunsQueryVariables = Exact<{
  id: string;
}>;

export type ScheduleRunsQuery = {
  node:
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | {
        id: string;
        runs: {
          edges: Array<{
            cursor: string;
            node: {
              dueAt: string;
              outcome: ScheduleRunOutcome;
              reason: string | null;
              turn: { id: string; status: TurnStatus; conversation: { id: string } } | null;
            };
          }>;
        };
      }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | null;
};

export type CreateScheduleMutationVariables = Exact<{
  input: CreateScheduleInput;
}>;

export type CreateScheduleMutation = { createSchedule: { id: string } };

export type UpdateScheduleMutationVariables = Exact<{
  input: UpdateScheduleInput;
}>;

export type UpdateScheduleMutation = { updateSchedule: { id: string } };

export type SetScheduleActiveMutationVariables = Exact<{
  id: string;
  active: boolean;
}>;

export type SetScheduleActiveMutation = { setScheduleActive: { id: string } };

export type RunScheduleMutationVariables = Exact<{
  id: string;
}>;

export type RunScheduleMutation = {
  runSchedule:
    { message: string } | { message: string } | { conversation: { id: string } } | { message: string };
};

export type DeleteScheduleMutationVariables = Exact<{
  id: string;
}>;

export type DeleteScheduleMutation = { deleteSchedule: string };

export type ListedSkillFragment = {
  id: string;
  key: string;
  name: string;
  description: string;
  kind: SkillKind;
  category: string | null;
  own: boolean;
  active: boolean;
  available: boolean;
  unavailableReason: string | null;
  requiresApproval: boolean;
  exposed: boolean;
  changes: SkillChanges | null;
  leastRole: Role;
  assistants: Array<string> | null;
  warnings: Array<string>;
  inputSchema: unknown;
  lastWeek: { calls: number; failures: number } | null;
};

export type SkillsQueryVariables = Exact<{
  language: string;
}>;

export type SkillsQuery = {
  skills: Array<{
    id: string;
    key: string;
    name: string;
    description: string;
    kind: SkillKind;
    category: string | null;
    own: boolean;
    active: boolean;
    available: boolean;
    unavailableReason: string | null;
    requiresApproval: boolean;
    exposed: boolean;
    changes: SkillChanges | null;
    leastRole: Role;
    assistants: Array<string> | null;
    warnings: Array<string>;
    inputSchema: unknown;
    lastWeek: { calls: number; failures: number } | null;
  }>;
  assistants: Array<{ id: string; key: string; name: string }>;
};

export type SetSkillActiveMutationVariables = Exact<{
  key: string;
  active: boolean;
}>;

export type SetSkillActiveMutation = { setSkillActive: { id: string; active: boolean } };

export type SetSkillApprovalMutationVariables = Exact<{
  key: string;
  required: boolean;
}>;

export type SetSkillApprovalMutation = { setSkillApproval: { id: string; requiresApproval: boolean } };

export type SetSkillExposedMutationVariables = Exact<{
  key: string;
  exposed: boolean;
}>;

export type SetSkillExposedMutation = { setSkillExposed: { id: string; exposed: boolean } };

export type SetSkillAccessMutationVariables = Exact<{
  key: string;
  leastRole: Role;
  assistants?: Array<string> | string | null | undefined;
}>;

export type SetSkillAccessMutation = {
  setSkillAccess: { id: string; leastRole: Role; assistants: Array<string> | null };
};

export type DeleteHttpSkillMutationVariables = Exact<{
  key: string;
}>;

export type DeleteHttpSkillMutation = { deleteHttpSkill: string };

export type DeletePackMutationVariables = Exact<{
  key: string;
}>;

export type DeletePackMutation = { deletePack: string };

export type TryHttpSkillMutationVariables = Exact<{
  key: string;
  arguments: unknown;
}>;

export type TryHttpSkillMutation = {
  tryHttpSkill: {
    durationMs: number;
    error: string | null;
    result: unknown;
    request: { method: HttpMethod; url: string } | null;
    response: { status: number; mediaType: string; bytes: number; excerpt: string } | null;
  };
};

export type PreviewOpenApiMutationVariables = Exact<{
  input: OpenApiSourceInput;
}>;

export type PreviewOpenApiMutation = {
  previewOpenApiImport: {
    title: string;
    serverUrl: string | null;
    omitted: number;
    credentials: Array<{ name: string; in: HttpSecretPlace }>;
    operations: Array<{
      operationId: string;
      key: string;
      method: HttpMethod;
      path: string;
      summary: string;
      isImportable: boolean;
      problems: Array<string>;
    }>;
  };
};

export type ImportOpenApiMutationVariables = Exact<{
  input: ImportOpenApiInput;
}>;

export type ImportOpenApiMutation = {
  importOpenApiOperations: {
    skills: Array<{ id: string; name: string }>;
    refused: Array<{ operationId: string; reason: string }>;
  };
};

export type McpServersQueryVariables = Exact<{ [key: string]: never }>;

export type McpServersQuery = {
  mcpServersConnection: {
    edges: Array<{
      node: {
        id: string;
        key: string;
        url: string;
        checkedAt: string | null;
        failure: string | null;
        notes: Array<string>;
        authorization: McpAuthorization;
        grantedAt: string | null;
      };
    }>;
  };
  installedMcpServers: Array<{
    key: string;
    state: McpState;
    failure: string | null;
    notes: Array<string>;
    tools: number;
  }>;
};

export type RegisterMcpServerMutationVariables = Exact<{
  input: RegisterMcpServerInput;
}>;

export type RegisterMcpServerMutation = { registerMcpServer: { id: string; failure: string | null } };

export type RefreshMcpServerMutationVariables = Exact<{
  key: string;
}>;

export type RefreshMcpServerMutation = {
  refreshMcpServer: { id: string; checkedAt: string | null; failure: string | null; notes: Array<string> };
};

export type DeleteMcpServerMutationVariables = Exact<{
  key: string;
}>;

export type DeleteMcpServerMutation = { deleteMcpServer: string };

export type RefusedPacksQueryVariables = Exact<{ [key: string]: never }>;

export type RefusedPacksQuery = { refusedPacks: Array<{ path: string; reason: string }> };

export type CreateSkillUploadMutationVariables = Exact<{
  input: CreateSkillUploadInput;
}>;

export type CreateSkillUploadMutation = {
  createSkillUpload: { url: string; method: string; headers: unknown };
};

export type AuthorizeMcpServerMutationVariables = Exact<{
  input: AuthorizeMcpServerInput;
}>;

export type AuthorizeMcpServerMutation = {
  authorizeMcpServer: {
    url: string | null;
    server: { id: string; authorization: McpAuthorization; grantedAt: string | null; failure: string | null };
  };
};

export type DeauthorizeMcpServerMutationVariables = Exact<{
  key: string;
}>;

export type DeauthorizeMcpServerMutation = {
  deauthorizeMcpServer: { id: string; authorization: McpAuthorization; grantedAt: string | null };
};

export type TurnFiltersQueryVariables = Exact<{ [key: string]: never }>;

export type TurnFiltersQuery = {
  assistants: Array<{ id: string; key: string; name: string }>;
  members: { edges: Array<{ node: { id: string; name: string } }> };
};

export type TurnsQueryVariables = Exact<{
  filter?: TurnFilter | null | undefined;
  after?: string | null | undefined;
}>;

export type TurnsQuery = {
  turns: {
    edges: Array<{
      node: {
        id: string;
        status: TurnStatus;
        finishReason: FinishReason | null;
        createdAt: string;
        finishedAt: string | null;
        memberName: string | null;
        conversation: { id: string; assistant: { id: string; name: string } };
        error: { codeValue: TurnErrorCode } | null;
        usage: { costUsd: number | null };
      };
    }>;
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
};

export type TurnDetailsQueryVariables = Exact<{
  filter: TurnFilter;
}>;

export type TurnDetailsQuery = {
  turns: {
    edges: Array<{
      node: {
        id: string;
        status: TurnStatus;
        finishReason: FinishReason | null;
        createdAt: string;
        startedAt: string | null;
        finishedAt: string | null;
        memberName: string | null;
        conversation: { id: string; assistant: { id: string; name: string } };
        error: { codeValue: TurnErrorCode; message: string; retryable: boolean } | null;
        usage: {
          inputTokens: number;
          cachedInputTokens: number;
          outputTokens: number;
          modelCalls: number;
          skillCalls: number;
          costUsd: number | null;
        };
        modelCalls: Array<{
          id: string;
          at: string;
          durationMs: number;
          purpose: ModelCallPurpose;
          model: string;
          outcome: string;
          inputTokens: number;
          outputTokens: number;
          costUsd: number | null;
        }>;
        skillCalls: Array<{
          id: string;
          skill: string;
          status: SkillCallStatus;
          startedAt: string;
          finishedAt: string | null;
        }>;
      };
    }>;
  };
};

export type ShowTurnMutationVariables = Exact<{
  id: string;
  reason: string;
}>;

export type ShowTurnMutation = {
  showTurn: {
    question: string;
    answer: string | null;
    skillCalls: Array<{ id: string; skill: string; arguments: unknown; resultPreview: string | null }>;
    modelCalls: Array<{ id: string; purpose: ModelCallPurpose; model: string; messages: unknown }>;
  };
};

export type UsageOfQueryVariables = Exact<{
  from: string;
  to: string;
  groupBy: Array<UsageGroup> | UsageGroup;
}>;

export type UsageOfQuery = {
  usage: Array<{
    day: string | null;
    assistantKey: string | null;
    model: string | null;
    inputTokens: number;
    outputTokens: number;
    cachedInputTokens: number;
    modelCalls: number;
    estimatedCalls: number;
    unpricedCalls: number;
    costUsd: number;
    member: { id: string; name: string } | null;
  }>;
};

export type QuotasQueryVariables = Exact<{ [key: string]: never }>;

export type QuotasQuery = {
  quotas: Array<{
    subject: QuotaSubject;
    period: QuotaPeriod;
    provider: string | null;
    maxTokens: number | null;
    maxCostUsd: number | null;
    member: { id: string; name: string } | null;
  }>;
  providers: Array<{ id: string; key: string }>;
};

export type SetQuotaMutationVariables = Exact<{
  input: SetQuotaInput;
}>;

export type SetQuotaMutation = { setQuota: Array<{ subject: QuotaSubject }> };

export const ShownAttachmentFragmentDoc = {
  kind: 'Document',
  definitions: [
    {
      kind: 'FragmentDefinition',
      name: { kind: 'Name', value: 'ShownAttachment' },
      typeCondition: { kind: 'NamedType', name: { kind: 'Name', value: 'Attachment' } },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          { kind: 'Field', name: { kind: 'Name', value: 'id' } },
          { kind: 'Field', name: { kind: 'Name', value: 'kind' } },
          { kind: 'Field', name: { kind: 'Name', value: 'name' } },
          { kind: 'Field', name: { kind: 'Name', value: 'url' } },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'error' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'language' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
              },
            ],
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<ShownAttachmentFragment, unknown>;
export const ListedDocumentFragmentDoc = {
  kind: 'Document',
  definitions: [
    {
      kind: 'FragmentDefinition',
      name: { kind: 'Name', value: 'ListedDocument' },
      typeCondition: { kind: 'NamedType', name: { kind: 'Name', value: 'Document' } },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          { kind: 'Field', name: { kind: 'Name', value: 'id' } },
          { kind: 'Field', name: { kind: 'Name', value: 'name' } },
          { kind: 'Field', name: { kind: 'Name', value: 'bytes' } },
          { kind: 'Field', name: { kind: 'Name', value: 'pages' } },
          { kind: 'Field', name: { kind: 'Name', value: 'status' } },
          { kind: 'Field', name: { kind: 'Name', value: 'progress' } },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'error' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'language' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
              },
            ],
          },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'warnings' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'language' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
              },
            ],
          },
          { kind: 'Field', name: { kind: 'Name', value: 'createdAt' } },
        ],
      },
    },
  ],
} as unknown as DocumentNode<ListedDocumentFragment, unknown>;
export const NotedMemoryFragmentDoc = {
  kind: 'Document',
  definitions: [
    {
      kind: 'FragmentDefinition',
      name: { kind: 'Name', value: 'NotedMemory' },
      typeCondition: { kind: 'NamedType', name: { kind: 'Name', value: 'Memory' } },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          { kind: 'Field', name: { kind: 'Name', value: 'id' } },
          { kind: 'Field', name: { kind: 'Name', value: 'kind' } },
          { kind: 'Field', name: { kind: 'Name', value: 'subject' } },
          { kind: 'Field', name: { kind: 'Name', value: 'content' } },
          { kind: 'Field', name: { kind: 'Name', value: 'shared' } },
          { kind: 'Field', name: { kind: 'Name', value: 'source' } },
          { kind: 'Field', name: { kind: 'Name', value: 'validFrom' } },
        ],
      },
    },
  ],
} as unknown as DocumentNode<NotedMemoryFragment, unknown>;
export const ListedSkillFragmentDoc = {
  kind: 'Document',
  definitions: [
    {
      kind: 'FragmentDefinition',
      name: { kind: 'Name', value: 'ListedSkill' },
      typeCondition: { kind: 'NamedType', name: { kind: 'Name', value: 'Skill' } },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          { kind: 'Field', name: { kind: 'Name', value: 'id' } },
          { kind: 'Field', name: { kind: 'Name', value: 'key' } },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'name' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'language' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
              },
            ],
          },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'description' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'language' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
              },
            ],
          },
          { kind: 'Field', name: { kind: 'Name', value: 'kind' } },
          { kind: 'Field', name: { kind: 'Name', value: 'category' } },
          { kind: 'Field', name: { kind: 'Name', value: 'own' } },
          { kind: 'Field', name: { kind: 'Name', value: 'active' } },
          { kind: 'Field', name: { kind: 'Name', value: 'available' } },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'unavailableReason' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'language' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
              },
            ],
          },
          { kind: 'Field', name: { kind: 'Name', value: 'requiresApproval' } },
          { kind: 'Field', name: { kind: 'Name', value: 'exposed' } },
          { kind: 'Field', name: { kind: 'Name', value: 'changes' } },
          { kind: 'Field', name: { kind: 'Name', value: 'leastRole' } },
          { kind: 'Field', name: { kind: 'Name', value: 'assistants' } },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'warnings' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'language' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
              },
            ],
          },
          { kind: 'Field', name: { kind: 'Name', value: 'inputSchema' } },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'lastWeek' },
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'calls' } },
                { kind: 'Field', name: { kind: 'Name', value: 'failures' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<ListedSkillFragment, unknown>;
export const ViewerDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'Viewer' },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'viewer' },
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'name' } },
                { kind: 'Field', name: { kind: 'Name', value: 'email' } },
                { kind: 'Field', name: { kind: 'Name', value: 'role' } },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'company' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'name' } },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<ViewerQuery, ViewerQueryVariables>;
export const AssistantsScreenDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'AssistantsScreen' },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'assistants' },
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'key' } },
                { kind: 'Field', name: { kind: 'Name', value: 'name' } },
                { kind: 'Field', name: { kind: 'Name', value: 'language' } },
                { kind: 'Field', name: { kind: 'Name', value: 'strategy' } },
                { kind: 'Field', name: { kind: 'Name', value: 'model' } },
                { kind: 'Field', name: { kind: 'Name', value: 'archived' } },
                { kind: 'Field', name: { kind: 'Name', value: 'showsReasoning' } },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'budget' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'maxSteps' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'maxSeconds' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'maxOutputTokens' } },
                    ],
                  },
                },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'prompt' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'version' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'template' } },
                    ],
                  },
                },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'promptHistory' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'version' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'template' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'publishedAt' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'publishedBy' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'note' } },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<AssistantsScreenQuery, AssistantsScreenQueryVariables>;
export const CreateAssistantDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'CreateAssistant' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'CreateAssistantInput' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'createAssistant' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'input' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'key' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<CreateAssistantMutation, CreateAssistantMutationVariables>;
export const CopyAssistantDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'CopyAssistant' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'newKey' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'name' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'copyAssistant' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'key' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'newKey' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'newKey' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'name' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'name' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'key' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<CopyAssistantMutation, CopyAssistantMutationVariables>;
export const ArchiveAssistantDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'ArchiveAssistant' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'archived' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'Boolean' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'archiveAssistant' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'key' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'archived' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'archived' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'archived' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<ArchiveAssistantMutation, ArchiveAssistantMutationVariables>;
export const UpdateAssistantDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'UpdateAssistant' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'UpdateAssistantInput' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'updateAssistant' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'key' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'input' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [{ kind: 'Field', name: { kind: 'Name', value: 'id' } }],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<UpdateAssistantMutation, UpdateAssistantMutationVariables>;
export const PublishPromptDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'PublishPrompt' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'assistantKey' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'template' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'note' } },
          type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'publishPrompt' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'assistantKey' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'assistantKey' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'template' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'template' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'note' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'note' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [{ kind: 'Field', name: { kind: 'Name', value: 'version' } }],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<PublishPromptMutation, PublishPromptMutationVariables>;
export const RollbackPromptDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'RollbackPrompt' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'assistantKey' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'version' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'Int' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'rollbackPrompt' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'assistantKey' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'assistantKey' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'version' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'version' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [{ kind: 'Field', name: { kind: 'Name', value: 'version' } }],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<RollbackPromptMutation, RollbackPromptMutationVariables>;
export const ConversationListDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'ConversationList' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'first' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'Int' } } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'filter' } },
          type: { kind: 'NamedType', name: { kind: 'Name', value: 'ConversationFilter' } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'after' } },
          type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'conversations' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'first' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'first' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'filter' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'filter' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'after' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'after' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'edges' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      {
                        kind: 'Field',
                        name: { kind: 'Name', value: 'node' },
                        selectionSet: {
                          kind: 'SelectionSet',
                          selections: [
                            { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'title' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'updatedAt' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'pinned' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'archived' } },
                            {
                              kind: 'Field',
                              name: { kind: 'Name', value: 'assistant' },
                              selectionSet: {
                                kind: 'SelectionSet',
                                selections: [
                                  { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'name' } },
                                ],
                              },
                            },
                            {
                              kind: 'Field',
                              name: { kind: 'Name', value: 'activeTurn' },
                              selectionSet: {
                                kind: 'SelectionSet',
                                selections: [
                                  { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'status' } },
                                ],
                              },
                            },
                          ],
                        },
                      },
                    ],
                  },
                },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'pageInfo' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'hasNextPage' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'endCursor' } },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<ConversationListQuery, ConversationListQueryVariables>;
export const ConversationDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'Conversation' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'last' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'Int' } } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'before' } },
          type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'leaf' } },
          type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'conversation' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'id' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'title' } },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'assistant' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'key' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'name' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'language' } },
                    ],
                  },
                },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'messages' },
                  arguments: [
                    {
                      kind: 'Argument',
                      name: { kind: 'Name', value: 'last' },
                      value: { kind: 'Variable', name: { kind: 'Name', value: 'last' } },
                    },
                    {
                      kind: 'Argument',
                      name: { kind: 'Name', value: 'before' },
                      value: { kind: 'Variable', name: { kind: 'Name', value: 'before' } },
                    },
                    {
                      kind: 'Argument',
                      name: { kind: 'Name', value: 'leaf' },
                      value: { kind: 'Variable', name: { kind: 'Name', value: 'leaf' } },
                    },
                  ],
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      {
                        kind: 'Field',
                        name: { kind: 'Name', value: 'edges' },
                        selectionSet: {
                          kind: 'SelectionSet',
                          selections: [
                            {
                              kind: 'Field',
                              name: { kind: 'Name', value: 'node' },
                              selectionSet: {
                                kind: 'SelectionSet',
                                selections: [
                                  { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'role' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'status' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'text' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'createdAt' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'author' } },
                                  {
                                    kind: 'Field',
                                    name: { kind: 'Name', value: 'parts' },
                                    selectionSet: {
                                      kind: 'SelectionSet',
                                      selections: [
                                        { kind: 'Field', name: { kind: 'Name', value: '__typename' } },
                                        {
                                          kind: 'InlineFragment',
                                          typeCondition: {
                                            kind: 'NamedType',
                                            name: { kind: 'Name', value: 'ReasoningPart' },
                                          },
                                          selectionSet: {
                                            kind: 'SelectionSet',
                                            selections: [
                                              { kind: 'Field', name: { kind: 'Name', value: 'text' } },
                                            ],
                                          },
                                        },
                                        {
                                          kind: 'InlineFragment',
                                          typeCondition: {
                                            kind: 'NamedType',
                                            name: { kind: 'Name', value: 'ImagePart' },
                                          },
                                          selectionSet: {
                                            kind: 'SelectionSet',
                                            selections: [
                                              {
                                                kind: 'Field',
                                                name: { kind: 'Name', value: 'attachment' },
                                                selectionSet: {
                                                  kind: 'SelectionSet',
                                                  selections: [
                                                    {
                                                      kind: 'FragmentSpread',
                                                      name: { kind: 'Name', value: 'ShownAttachment' },
                                                    },
                                                  ],
                                                },
                                              },
                                            ],
                                          },
                                        },
                                        {
                                          kind: 'InlineFragment',
                                          typeCondition: {
                                            kind: 'NamedType',
                                            name: { kind: 'Name', value: 'FilePart' },
                                          },
                                          selectionSet: {
                                            kind: 'SelectionSet',
                                            selections: [
                                              {
                                                kind: 'Field',
                                                name: { kind: 'Name', value: 'attachment' },
                                                selectionSet: {
                                                  kind: 'SelectionSet',
                                                  selections: [
                                                    {
                                                      kind: 'FragmentSpread',
                                                      name: { kind: 'Name', value: 'ShownAttachment' },
                                                    },
                                                  ],
                                                },
                                              },
                                            ],
                                          },
                                        },
                                      ],
                                    },
                                  },
                                  {
                                    kind: 'Field',
                                    name: { kind: 'Name', value: 'versions' },
                                    selectionSet: {
                                      kind: 'SelectionSet',
                                      selections: [{ kind: 'Field', name: { kind: 'Name', value: 'id' } }],
                                    },
                                  },
                                  {
                                    kind: 'Field',
                                    name: { kind: 'Name', value: 'citations' },
                                    selectionSet: {
                                      kind: 'SelectionSet',
                                      selections: [
                                        { kind: 'Field', name: { kind: 'Name', value: 'marker' } },
                                        { kind: 'Field', name: { kind: 'Name', value: 'documentId' } },
                                        { kind: 'Field', name: { kind: 'Name', value: 'documentName' } },
                                        { kind: 'Field', name: { kind: 'Name', value: 'page' } },
                                        { kind: 'Field', name: { kind: 'Name', value: 'quote' } },
                                      ],
                                    },
                                  },
                                  { kind: 'Field', name: { kind: 'Name', value: 'trustedAddresses' } },
                                  {
                                    kind: 'Field',
                                    name: { kind: 'Name', value: 'turn' },
                                    selectionSet: {
                                      kind: 'SelectionSet',
                                      selections: [
                                        { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                                        { kind: 'Field', name: { kind: 'Name', value: 'status' } },
                                        { kind: 'Field', name: { kind: 'Name', value: 'finishReason' } },
                                        { kind: 'Field', name: { kind: 'Name', value: 'createdAt' } },
                                        { kind: 'Field', name: { kind: 'Name', value: 'finishedAt' } },
                                        {
                                          kind: 'Field',
                                          name: { kind: 'Name', value: 'error' },
                                          selectionSet: {
                                            kind: 'SelectionSet',
                                            selections: [
                                              { kind: 'Field', name: { kind: 'Name', value: 'code' } },
                                              { kind: 'Field', name: { kind: 'Name', value: 'message' } },
                                              { kind: 'Field', name: { kind: 'Name', value: 'retryable' } },
                                            ],
                                          },
                                        },
                                        {
                                          kind: 'Field',
                                          name: { kind: 'Name', value: 'skillCalls' },
                                          selectionSet: {
                                            kind: 'SelectionSet',
                                            selections: [
                                              { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                                              { kind: 'Field', name: { kind: 'Name', value: 'skill' } },
                                              { kind: 'Field', name: { kind: 'Name', value: 'arguments' } },
                                              { kind: 'Field', name: { kind: 'Name', value: 'status' } },
                                              {
                                                kind: 'Field',
                                                name: { kind: 'Name', value: 'resultPreview' },
                                              },
                                              { kind: 'Field', name: { kind: 'Name', value: 'startedAt' } },
                                              { kind: 'Field', name: { kind: 'Name', value: 'finishedAt' } },
                                            ],
                                          },
                                        },
                                        {
                                          kind: 'Field',
                                          name: { kind: 'Name', value: 'files' },
                                          selectionSet: {
                                            kind: 'SelectionSet',
                                            selections: [
                                              { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                                              { kind: 'Field', name: { kind: 'Name', value: 'name' } },
                                              { kind: 'Field', name: { kind: 'Name', value: 'bytes' } },
                                              { kind: 'Field', name: { kind: 'Name', value: 'url' } },
                                            ],
                                          },
                                        },
                                      ],
                                    },
                                  },
                                ],
                              },
                            },
                          ],
                        },
                      },
                      {
                        kind: 'Field',
                        name: { kind: 'Name', value: 'pageInfo' },
                        selectionSet: {
                          kind: 'SelectionSet',
                          selections: [
                            { kind: 'Field', name: { kind: 'Name', value: 'hasPreviousPage' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'startCursor' } },
                          ],
                        },
                      },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
    {
      kind: 'FragmentDefinition',
      name: { kind: 'Name', value: 'ShownAttachment' },
      typeCondition: { kind: 'NamedType', name: { kind: 'Name', value: 'Attachment' } },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          { kind: 'Field', name: { kind: 'Name', value: 'id' } },
          { kind: 'Field', name: { kind: 'Name', value: 'kind' } },
          { kind: 'Field', name: { kind: 'Name', value: 'name' } },
          { kind: 'Field', name: { kind: 'Name', value: 'url' } },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'error' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'language' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
              },
            ],
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<ConversationQuery, ConversationQueryVariables>;
export const AssistantsDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'Assistants' },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'assistants' },
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'key' } },
                { kind: 'Field', name: { kind: 'Name', value: 'name' } },
                { kind: 'Field', name: { kind: 'Name', value: 'language' } },
                { kind: 'Field', name: { kind: 'Name', value: 'strategy' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<AssistantsQuery, AssistantsQueryVariables>;
export const SkillNamesDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'SkillNames' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'skills' },
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'key' } },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'name' },
                  arguments: [
                    {
                      kind: 'Argument',
                      name: { kind: 'Name', value: 'language' },
                      value: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
                    },
                  ],
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<SkillNamesQuery, SkillNamesQueryVariables>;
export const UpdateConversationDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'UpdateConversation' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'UpdateConversationInput' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'updateConversation' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'input' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'title' } },
                { kind: 'Field', name: { kind: 'Name', value: 'pinned' } },
                { kind: 'Field', name: { kind: 'Name', value: 'archived' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<UpdateConversationMutation, UpdateConversationMutationVariables>;
export const ConversationsChangedDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'subscription',
      name: { kind: 'Name', value: 'ConversationsChanged' },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'conversationsChanged' },
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'updatedAt' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<ConversationsChangedSubscription, ConversationsChangedSubscriptionVariables>;
export const ConversationDeletedDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'subscription',
      name: { kind: 'Name', value: 'ConversationDeleted' },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [{ kind: 'Field', name: { kind: 'Name', value: 'conversationDeleted' } }],
      },
    },
  ],
} as unknown as DocumentNode<ConversationDeletedSubscription, ConversationDeletedSubscriptionVariables>;
export const ConversationChangedDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'subscription',
      name: { kind: 'Name', value: 'ConversationChanged' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'conversationChanged' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'id' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'updatedAt' } },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'head' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [{ kind: 'Field', name: { kind: 'Name', value: 'id' } }],
                  },
                },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'activeTurn' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'status' } },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<ConversationChangedSubscription, ConversationChangedSubscriptionVariables>;
export const DeleteConversationDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'DeleteConversation' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'deleteConversation' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'id' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
              },
            ],
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<DeleteConversationMutation, DeleteConversationMutationVariables>;
export const SelectMessageDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'SelectMessage' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'selectMessage' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'id' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [{ kind: 'Field', name: { kind: 'Name', value: 'id' } }],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<SelectMessageMutation, SelectMessageMutationVariables>;
export const DocumentLinkDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'DocumentLink' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'document' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'id' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'mediaType' } },
                { kind: 'Field', name: { kind: 'Name', value: 'url' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<DocumentLinkQuery, DocumentLinkQueryVariables>;
export const AttachmentErrorDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'AttachmentError' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'attachment' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'id' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'name' } },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'error' },
                  arguments: [
                    {
                      kind: 'Argument',
                      name: { kind: 'Name', value: 'language' },
                      value: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
                    },
                  ],
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<AttachmentErrorQuery, AttachmentErrorQueryVariables>;
export const CompanyScreenDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'CompanyScreen' },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'company' },
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'name' } },
                { kind: 'Field', name: { kind: 'Name', value: 'sector' } },
                { kind: 'Field', name: { kind: 'Name', value: 'country' } },
                { kind: 'Field', name: { kind: 'Name', value: 'city' } },
                { kind: 'Field', name: { kind: 'Name', value: 'headcount' } },
                { kind: 'Field', name: { kind: 'Name', value: 'language' } },
              ],
            },
          },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'members' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'first' },
                value: { kind: 'IntValue', value: '100' },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'edges' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      {
                        kind: 'Field',
                        name: { kind: 'Name', value: 'node' },
                        selectionSet: {
                          kind: 'SelectionSet',
                          selections: [
                            { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'name' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'email' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'role' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'deactivatedAt' } },
                          ],
                        },
                      },
                    ],
                  },
                },
              ],
            },
          },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'apiKeys' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'first' },
                value: { kind: 'IntValue', value: '100' },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'edges' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      {
                        kind: 'Field',
                        name: { kind: 'Name', value: 'node' },
                        selectionSet: {
                          kind: 'SelectionSet',
                          selections: [
                            { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'memberId' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'name' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'role' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'scopes' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'createdAt' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'expiresAt' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'lastUsedAt' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'pausedAt' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'revokedAt' } },
                            {
                              kind: 'Field',
                              name: { kind: 'Name', value: 'createdBy' },
                              selectionSet: {
                                kind: 'SelectionSet',
                                selections: [
                                  { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'name' } },
                                ],
                              },
                            },
                          ],
                        },
                      },
                    ],
                  },
                },
              ],
            },
          },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'webhooks' },
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'url' } },
                { kind: 'Field', name: { kind: 'Name', value: 'kinds' } },
                { kind: 'Field', name: { kind: 'Name', value: 'disabledAt' } },
                { kind: 'Field', name: { kind: 'Name', value: 'lastFailure' } },
                { kind: 'Field', name: { kind: 'Name', value: 'lastSuccessAt' } },
              ],
            },
          },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'providers' },
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'key' } },
                { kind: 'Field', name: { kind: 'Name', value: 'baseUrl' } },
                { kind: 'Field', name: { kind: 'Name', value: 'api' } },
                { kind: 'Field', name: { kind: 'Name', value: 'hasApiKey' } },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'models' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [{ kind: 'Field', name: { kind: 'Name', value: 'name' } }],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<CompanyScreenQuery, CompanyScreenQueryVariables>;
export const AuditDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'Audit' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'filter' } },
          type: { kind: 'NamedType', name: { kind: 'Name', value: 'AuditFilter' } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'after' } },
          type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'auditEntries' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'first' },
                value: { kind: 'IntValue', value: '30' },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'after' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'after' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'filter' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'filter' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'edges' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      {
                        kind: 'Field',
                        name: { kind: 'Name', value: 'node' },
                        selectionSet: {
                          kind: 'SelectionSet',
                          selections: [
                            { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'action' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'subject' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'memberName' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'createdAt' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'details' } },
                          ],
                        },
                      },
                    ],
                  },
                },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'pageInfo' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'hasNextPage' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'endCursor' } },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<AuditQuery, AuditQueryVariables>;
export const UpdateCompanyDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'UpdateCompany' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'UpdateCompanyInput' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'updateCompany' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'input' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [{ kind: 'Field', name: { kind: 'Name', value: 'id' } }],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<UpdateCompanyMutation, UpdateCompanyMutationVariables>;
export const DeactivateMemberDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'DeactivateMember' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'deactivateMember' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'id' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'deactivatedAt' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<DeactivateMemberMutation, DeactivateMemberMutationVariables>;
export const ReactivateMemberDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'ReactivateMember' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'reactivateMember' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'id' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'deactivatedAt' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<ReactivateMemberMutation, ReactivateMemberMutationVariables>;
export const CreateApiKeyDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'CreateApiKey' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'CreateApiKeyInput' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'createApiKey' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'input' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'secret' } },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'apiKey' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [{ kind: 'Field', name: { kind: 'Name', value: 'id' } }],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<CreateApiKeyMutation, CreateApiKeyMutationVariables>;
export const DeleteApiKeyDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'DeleteApiKey' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'deleteApiKey' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'id' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
              },
            ],
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<DeleteApiKeyMutation, DeleteApiKeyMutationVariables>;
export const CreateWebhookDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'CreateWebhook' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'CreateWebhookInput' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'createWebhook' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'input' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'secret' } },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'webhook' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [{ kind: 'Field', name: { kind: 'Name', value: 'id' } }],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<CreateWebhookMutation, CreateWebhookMutationVariables>;
export const DeleteWebhookDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'DeleteWebhook' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'deleteWebhook' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'id' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
              },
            ],
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<DeleteWebhookMutation, DeleteWebhookMutationVariables>;
export const SetProviderDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'SetProvider' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'SetProviderInput' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'setProvider' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'input' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [{ kind: 'Field', name: { kind: 'Name', value: 'id' } }],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<SetProviderMutation, SetProviderMutationVariables>;
export const TestProviderDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'TestProvider' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'testProvider' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'key' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'ok' } },
                { kind: 'Field', name: { kind: 'Name', value: 'message' } },
                { kind: 'Field', name: { kind: 'Name', value: 'model' } },
                { kind: 'Field', name: { kind: 'Name', value: 'durationMs' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<TestProviderMutation, TestProviderMutationVariables>;
export const DeleteProviderDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'DeleteProvider' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'deleteProvider' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'key' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
              },
            ],
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<DeleteProviderMutation, DeleteProviderMutationVariables>;
export const DocumentsDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'Documents' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'after' } },
          type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'documents' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'first' },
                value: { kind: 'IntValue', value: '30' },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'after' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'after' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'edges' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      {
                        kind: 'Field',
                        name: { kind: 'Name', value: 'node' },
                        selectionSet: {
                          kind: 'SelectionSet',
                          selections: [
                            { kind: 'FragmentSpread', name: { kind: 'Name', value: 'ListedDocument' } },
                          ],
                        },
                      },
                    ],
                  },
                },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'pageInfo' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'hasNextPage' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'endCursor' } },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
    {
      kind: 'FragmentDefinition',
      name: { kind: 'Name', value: 'ListedDocument' },
      typeCondition: { kind: 'NamedType', name: { kind: 'Name', value: 'Document' } },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          { kind: 'Field', name: { kind: 'Name', value: 'id' } },
          { kind: 'Field', name: { kind: 'Name', value: 'name' } },
          { kind: 'Field', name: { kind: 'Name', value: 'bytes' } },
          { kind: 'Field', name: { kind: 'Name', value: 'pages' } },
          { kind: 'Field', name: { kind: 'Name', value: 'status' } },
          { kind: 'Field', name: { kind: 'Name', value: 'progress' } },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'error' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'language' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
              },
            ],
          },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'warnings' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'language' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
              },
            ],
          },
          { kind: 'Field', name: { kind: 'Name', value: 'createdAt' } },
        ],
      },
    },
  ],
} as unknown as DocumentNode<DocumentsQuery, DocumentsQueryVariables>;
export const DocumentStorageDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'DocumentStorage' },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'documentStorage' },
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'documents' } },
                { kind: 'Field', name: { kind: 'Name', value: 'bytes' } },
                { kind: 'Field', name: { kind: 'Name', value: 'maxDocuments' } },
                { kind: 'Field', name: { kind: 'Name', value: 'maxBytes' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<DocumentStorageQuery, DocumentStorageQueryVariables>;
export const DocumentProgressDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'subscription',
      name: { kind: 'Name', value: 'DocumentProgress' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'documentProgress' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'documentId' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [{ kind: 'FragmentSpread', name: { kind: 'Name', value: 'ListedDocument' } }],
            },
          },
        ],
      },
    },
    {
      kind: 'FragmentDefinition',
      name: { kind: 'Name', value: 'ListedDocument' },
      typeCondition: { kind: 'NamedType', name: { kind: 'Name', value: 'Document' } },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          { kind: 'Field', name: { kind: 'Name', value: 'id' } },
          { kind: 'Field', name: { kind: 'Name', value: 'name' } },
          { kind: 'Field', name: { kind: 'Name', value: 'bytes' } },
          { kind: 'Field', name: { kind: 'Name', value: 'pages' } },
          { kind: 'Field', name: { kind: 'Name', value: 'status' } },
          { kind: 'Field', name: { kind: 'Name', value: 'progress' } },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'error' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'language' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
              },
            ],
          },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'warnings' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'language' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
              },
            ],
          },
          { kind: 'Field', name: { kind: 'Name', value: 'createdAt' } },
        ],
      },
    },
  ],
} as unknown as DocumentNode<DocumentProgressSubscription, DocumentProgressSubscriptionVariables>;
export const DeleteDocumentDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'DeleteDocument' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'deleteDocument' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'id' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
              },
            ],
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<DeleteDocumentMutation, DeleteDocumentMutationVariables>;
export const SearchDocumentsDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'SearchDocuments' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'query' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'searchDocuments' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'query' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'query' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'first' },
                value: { kind: 'IntValue', value: '10' },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'page' } },
                { kind: 'Field', name: { kind: 'Name', value: 'text' } },
                { kind: 'Field', name: { kind: 'Name', value: 'missing' } },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'document' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'name' } },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<SearchDocumentsQuery, SearchDocumentsQueryVariables>;
export const InboxDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'Inbox' },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'pendingInputs' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'first' },
                value: { kind: 'IntValue', value: '100' },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'edges' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      {
                        kind: 'Field',
                        name: { kind: 'Name', value: 'node' },
                        selectionSet: {
                          kind: 'SelectionSet',
                          selections: [
                            { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'turnId' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'kind' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'status' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'expiresAt' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'askedByName' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'askedIn' } },
                            {
                              kind: 'InlineFragment',
                              typeCondition: { kind: 'NamedType', name: { kind: 'Name', value: 'Approval' } },
                              selectionSet: {
                                kind: 'SelectionSet',
                                selections: [
                                  { kind: 'Field', name: { kind: 'Name', value: 'skill' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'arguments' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'reason' } },
                                ],
                              },
                            },
                            {
                              kind: 'InlineFragment',
                              typeCondition: { kind: 'NamedType', name: { kind: 'Name', value: 'Question' } },
                              selectionSet: {
                                kind: 'SelectionSet',
                                selections: [
                                  { kind: 'Field', name: { kind: 'Name', value: 'prompt' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'responseSchema' } },
                                ],
                              },
                            },
                            {
                              kind: 'InlineFragment',
                              typeCondition: {
                                kind: 'NamedType',
                                name: { kind: 'Name', value: 'ClientSkillCall' },
                              },
                              selectionSet: {
                                kind: 'SelectionSet',
                                selections: [
                                  { kind: 'Field', name: { kind: 'Name', value: 'callId' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'skill' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'arguments' } },
                                ],
                              },
                            },
                            {
                              kind: 'InlineFragment',
                              typeCondition: {
                                kind: 'NamedType',
                                name: { kind: 'Name', value: 'McpInputRequest' },
                              },
                              selectionSet: {
                                kind: 'SelectionSet',
                                selections: [
                                  { kind: 'Field', name: { kind: 'Name', value: 'server' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'message' } },
                                  {
                                    kind: 'Field',
                                    alias: { kind: 'Name', value: 'schema' },
                                    name: { kind: 'Name', value: 'responseSchema' },
                                  },
                                  { kind: 'Field', name: { kind: 'Name', value: 'url' } },
                                ],
                              },
                            },
                          ],
                        },
                      },
                    ],
                  },
                },
              ],
            },
          },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'notifications' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'first' },
                value: { kind: 'IntValue', value: '50' },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'edges' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      {
                        kind: 'Field',
                        name: { kind: 'Name', value: 'node' },
                        selectionSet: {
                          kind: 'SelectionSet',
                          selections: [
                            { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'kind' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'title' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'body' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'readAt' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'createdAt' } },
                            {
                              kind: 'Field',
                              name: { kind: 'Name', value: 'turn' },
                              selectionSet: {
                                kind: 'SelectionSet',
                                selections: [
                                  { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                                  {
                                    kind: 'Field',
                                    name: { kind: 'Name', value: 'conversation' },
                                    selectionSet: {
                                      kind: 'SelectionSet',
                                      selections: [{ kind: 'Field', name: { kind: 'Name', value: 'id' } }],
                                    },
                                  },
                                ],
                              },
                            },
                          ],
                        },
                      },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<InboxQuery, InboxQueryVariables>;
export const MarkReadDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'MarkRead' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'markNotificationRead' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'id' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'readAt' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<MarkReadMutation, MarkReadMutationVariables>;
export const WaitingDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'Waiting' },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'pendingInputs' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'first' },
                value: { kind: 'IntValue', value: '100' },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'edges' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      {
                        kind: 'Field',
                        name: { kind: 'Name', value: 'node' },
                        selectionSet: {
                          kind: 'SelectionSet',
                          selections: [{ kind: 'Field', name: { kind: 'Name', value: 'id' } }],
                        },
                      },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<WaitingQuery, WaitingQueryVariables>;
export const NotificationAddedDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'subscription',
      name: { kind: 'Name', value: 'NotificationAdded' },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'notificationAdded' },
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'title' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<NotificationAddedSubscription, NotificationAddedSubscriptionVariables>;
export const MemoriesDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'Memories' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'kind' } },
          type: { kind: 'NamedType', name: { kind: 'Name', value: 'MemoryKind' } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'after' } },
          type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'memories' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'kind' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'kind' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'active' },
                value: { kind: 'BooleanValue', value: true },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'first' },
                value: { kind: 'IntValue', value: '30' },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'after' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'after' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'edges' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      {
                        kind: 'Field',
                        name: { kind: 'Name', value: 'node' },
                        selectionSet: {
                          kind: 'SelectionSet',
                          selections: [
                            { kind: 'FragmentSpread', name: { kind: 'Name', value: 'NotedMemory' } },
                          ],
                        },
                      },
                    ],
                  },
                },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'pageInfo' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'hasNextPage' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'endCursor' } },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
    {
      kind: 'FragmentDefinition',
      name: { kind: 'Name', value: 'NotedMemory' },
      typeCondition: { kind: 'NamedType', name: { kind: 'Name', value: 'Memory' } },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          { kind: 'Field', name: { kind: 'Name', value: 'id' } },
          { kind: 'Field', name: { kind: 'Name', value: 'kind' } },
          { kind: 'Field', name: { kind: 'Name', value: 'subject' } },
          { kind: 'Field', name: { kind: 'Name', value: 'content' } },
          { kind: 'Field', name: { kind: 'Name', value: 'shared' } },
          { kind: 'Field', name: { kind: 'Name', value: 'source' } },
          { kind: 'Field', name: { kind: 'Name', value: 'validFrom' } },
        ],
      },
    },
  ],
} as unknown as DocumentNode<MemoriesQuery, MemoriesQueryVariables>;
export const MemoryHistoryDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'MemoryHistory' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'node' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'id' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                {
                  kind: 'InlineFragment',
                  typeCondition: { kind: 'NamedType', name: { kind: 'Name', value: 'Memory' } },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                      {
                        kind: 'Field',
                        name: { kind: 'Name', value: 'history' },
                        selectionSet: {
                          kind: 'SelectionSet',
                          selections: [
                            { kind: 'FragmentSpread', name: { kind: 'Name', value: 'NotedMemory' } },
                          ],
                        },
                      },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
    {
      kind: 'FragmentDefinition',
      name: { kind: 'Name', value: 'NotedMemory' },
      typeCondition: { kind: 'NamedType', name: { kind: 'Name', value: 'Memory' } },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          { kind: 'Field', name: { kind: 'Name', value: 'id' } },
          { kind: 'Field', name: { kind: 'Name', value: 'kind' } },
          { kind: 'Field', name: { kind: 'Name', value: 'subject' } },
          { kind: 'Field', name: { kind: 'Name', value: 'content' } },
          { kind: 'Field', name: { kind: 'Name', value: 'shared' } },
          { kind: 'Field', name: { kind: 'Name', value: 'source' } },
          { kind: 'Field', name: { kind: 'Name', value: 'validFrom' } },
        ],
      },
    },
  ],
} as unknown as DocumentNode<MemoryHistoryQuery, MemoryHistoryQueryVariables>;
export const WhatWouldBeToldDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'WhatWouldBeTold' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'message' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'memoryContext' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'message' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'message' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'tokens' } },
                { kind: 'Field', name: { kind: 'Name', value: 'budget' } },
                { kind: 'Field', name: { kind: 'Name', value: 'omitted' } },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'items' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'section' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'text' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'tokens' } },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<WhatWouldBeToldQuery, WhatWouldBeToldQueryVariables>;
export const RememberDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'Remember' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'RememberInput' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'remember' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'input' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [{ kind: 'Field', name: { kind: 'Name', value: 'id' } }],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<RememberMutation, RememberMutationVariables>;
export const CorrectDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'Correct' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'content' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'updateMemory' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'id' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'content' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'content' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [{ kind: 'Field', name: { kind: 'Name', value: 'id' } }],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<CorrectMutation, CorrectMutationVariables>;
export const ForgetDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'Forget' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'forget' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'id' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
              },
            ],
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<ForgetMutation, ForgetMutationVariables>;
export const SchedulesDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'Schedules' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'after' } },
          type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'ofCompany' } },
          type: { kind: 'NamedType', name: { kind: 'Name', value: 'Boolean' } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'schedules' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'first' },
                value: { kind: 'IntValue', value: '20' },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'after' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'after' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'ofCompany' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'ofCompany' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'edges' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      {
                        kind: 'Field',
                        name: { kind: 'Name', value: 'node' },
                        selectionSet: {
                          kind: 'SelectionSet',
                          selections: [
                            { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'status' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'pausedReason' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'cron' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'at' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'timeZone' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'nextAt' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'message' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'memberId' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'missedRuns' } },
                            {
                              kind: 'Field',
                              name: { kind: 'Name', value: 'assistant' },
                              selectionSet: {
                                kind: 'SelectionSet',
                                selections: [
                                  { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'name' } },
                                ],
                              },
                            },
                          ],
                        },
                      },
                    ],
                  },
                },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'pageInfo' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'hasNextPage' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'endCursor' } },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<SchedulesQuery, SchedulesQueryVariables>;
export const ScheduleRunsDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'ScheduleRuns' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'node' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'id' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                {
                  kind: 'InlineFragment',
                  typeCondition: { kind: 'NamedType', name: { kind: 'Name', value: 'Schedule' } },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      {
                        kind: 'Field',
                        name: { kind: 'Name', value: 'runs' },
                        arguments: [
                          {
                            kind: 'Argument',
                            name: { kind: 'Name', value: 'first' },
                            value: { kind: 'IntValue', value: '50' },
                          },
                        ],
                        selectionSet: {
                          kind: 'SelectionSet',
                          selections: [
                            {
                              kind: 'Field',
                              name: { kind: 'Name', value: 'edges' },
                              selectionSet: {
                                kind: 'SelectionSet',
                                selections: [
                                  { kind: 'Field', name: { kind: 'Name', value: 'cursor' } },
                                  {
                                    kind: 'Field',
                                    name: { kind: 'Name', value: 'node' },
                                    selectionSet: {
                                      kind: 'SelectionSet',
                                      selections: [
                                        { kind: 'Field', name: { kind: 'Name', value: 'dueAt' } },
                                        { kind: 'Field', name: { kind: 'Name', value: 'outcome' } },
                                        { kind: 'Field', name: { kind: 'Name', value: 'reason' } },
                                        {
                                          kind: 'Field',
                                          name: { kind: 'Name', value: 'turn' },
                                          selectionSet: {
                                            kind: 'SelectionSet',
                                            selections: [
                                              { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                                              { kind: 'Field', name: { kind: 'Name', value: 'status' } },
                                              {
                                                kind: 'Field',
                                                name: { kind: 'Name', value: 'conversation' },
                                                selectionSet: {
                                                  kind: 'SelectionSet',
                                                  selections: [
                                                    { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                                                  ],
                                                },
                                              },
                                            ],
                                          },
                                        },
                                      ],
                                    },
                                  },
                                ],
                              },
                            },
                          ],
                        },
                      },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<ScheduleRunsQuery, ScheduleRunsQueryVariables>;
export const CreateScheduleDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'CreateSchedule' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'CreateScheduleInput' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'createSchedule' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'input' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [{ kind: 'Field', name: { kind: 'Name', value: 'id' } }],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<CreateScheduleMutation, CreateScheduleMutationVariables>;
export const UpdateScheduleDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'UpdateSchedule' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'UpdateScheduleInput' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'updateSchedule' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'input' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [{ kind: 'Field', name: { kind: 'Name', value: 'id' } }],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<UpdateScheduleMutation, UpdateScheduleMutationVariables>;
export const SetScheduleActiveDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'SetScheduleActive' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'active' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'Boolean' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'setScheduleActive' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'id' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'active' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'active' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [{ kind: 'Field', name: { kind: 'Name', value: 'id' } }],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<SetScheduleActiveMutation, SetScheduleActiveMutationVariables>;
export const RunScheduleDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'RunSchedule' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'runSchedule' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'id' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                {
                  kind: 'InlineFragment',
                  typeCondition: { kind: 'NamedType', name: { kind: 'Name', value: 'TurnAccepted' } },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      {
                        kind: 'Field',
                        name: { kind: 'Name', value: 'conversation' },
                        selectionSet: {
                          kind: 'SelectionSet',
                          selections: [{ kind: 'Field', name: { kind: 'Name', value: 'id' } }],
                        },
                      },
                    ],
                  },
                },
                {
                  kind: 'InlineFragment',
                  typeCondition: { kind: 'NamedType', name: { kind: 'Name', value: 'Refusal' } },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [{ kind: 'Field', name: { kind: 'Name', value: 'message' } }],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<RunScheduleMutation, RunScheduleMutationVariables>;
export const DeleteScheduleDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'DeleteSchedule' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'deleteSchedule' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'id' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
              },
            ],
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<DeleteScheduleMutation, DeleteScheduleMutationVariables>;
export const SkillsDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'Skills' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'skills' },
            selectionSet: {
              kind: 'SelectionSet',
              selections: [{ kind: 'FragmentSpread', name: { kind: 'Name', value: 'ListedSkill' } }],
            },
          },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'assistants' },
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'key' } },
                { kind: 'Field', name: { kind: 'Name', value: 'name' } },
              ],
            },
          },
        ],
      },
    },
    {
      kind: 'FragmentDefinition',
      name: { kind: 'Name', value: 'ListedSkill' },
      typeCondition: { kind: 'NamedType', name: { kind: 'Name', value: 'Skill' } },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          { kind: 'Field', name: { kind: 'Name', value: 'id' } },
          { kind: 'Field', name: { kind: 'Name', value: 'key' } },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'name' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'language' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
              },
            ],
          },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'description' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'language' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
              },
            ],
          },
          { kind: 'Field', name: { kind: 'Name', value: 'kind' } },
          { kind: 'Field', name: { kind: 'Name', value: 'category' } },
          { kind: 'Field', name: { kind: 'Name', value: 'own' } },
          { kind: 'Field', name: { kind: 'Name', value: 'active' } },
          { kind: 'Field', name: { kind: 'Name', value: 'available' } },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'unavailableReason' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'language' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
              },
            ],
          },
          { kind: 'Field', name: { kind: 'Name', value: 'requiresApproval' } },
          { kind: 'Field', name: { kind: 'Name', value: 'exposed' } },
          { kind: 'Field', name: { kind: 'Name', value: 'changes' } },
          { kind: 'Field', name: { kind: 'Name', value: 'leastRole' } },
          { kind: 'Field', name: { kind: 'Name', value: 'assistants' } },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'warnings' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'language' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'language' } },
              },
            ],
          },
          { kind: 'Field', name: { kind: 'Name', value: 'inputSchema' } },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'lastWeek' },
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'calls' } },
                { kind: 'Field', name: { kind: 'Name', value: 'failures' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<SkillsQuery, SkillsQueryVariables>;
export const SetSkillActiveDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'SetSkillActive' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'active' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'Boolean' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'setSkillActive' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'key' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'active' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'active' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'active' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<SetSkillActiveMutation, SetSkillActiveMutationVariables>;
export const SetSkillApprovalDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'SetSkillApproval' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'required' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'Boolean' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'setSkillApproval' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'key' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'required' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'required' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'requiresApproval' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<SetSkillApprovalMutation, SetSkillApprovalMutationVariables>;
export const SetSkillExposedDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'SetSkillExposed' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'exposed' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'Boolean' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'setSkillExposed' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'key' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'exposed' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'exposed' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'exposed' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<SetSkillExposedMutation, SetSkillExposedMutationVariables>;
export const SetSkillAccessDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'SetSkillAccess' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'leastRole' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'Role' } } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'assistants' } },
          type: {
            kind: 'ListType',
            type: {
              kind: 'NonNullType',
              type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } },
            },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'setSkillAccess' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'key' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'leastRole' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'leastRole' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'assistants' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'assistants' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'leastRole' } },
                { kind: 'Field', name: { kind: 'Name', value: 'assistants' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<SetSkillAccessMutation, SetSkillAccessMutationVariables>;
export const DeleteHttpSkillDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'DeleteHttpSkill' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'deleteHttpSkill' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'key' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
              },
            ],
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<DeleteHttpSkillMutation, DeleteHttpSkillMutationVariables>;
export const DeletePackDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'DeletePack' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'deletePack' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'key' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
              },
            ],
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<DeletePackMutation, DeletePackMutationVariables>;
export const TryHttpSkillDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'TryHttpSkill' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'arguments' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'JSON' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'tryHttpSkill' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'key' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'arguments' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'arguments' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'durationMs' } },
                { kind: 'Field', name: { kind: 'Name', value: 'error' } },
                { kind: 'Field', name: { kind: 'Name', value: 'result' } },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'request' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'method' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'url' } },
                    ],
                  },
                },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'response' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'status' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'mediaType' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'bytes' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'excerpt' } },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<TryHttpSkillMutation, TryHttpSkillMutationVariables>;
export const PreviewOpenApiDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'PreviewOpenApi' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'OpenApiSourceInput' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'previewOpenApiImport' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'input' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'title' } },
                { kind: 'Field', name: { kind: 'Name', value: 'serverUrl' } },
                { kind: 'Field', name: { kind: 'Name', value: 'omitted' } },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'credentials' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'name' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'in' } },
                    ],
                  },
                },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'operations' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'operationId' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'key' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'method' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'path' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'summary' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'isImportable' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'problems' } },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<PreviewOpenApiMutation, PreviewOpenApiMutationVariables>;
export const ImportOpenApiDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'ImportOpenApi' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'ImportOpenApiInput' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'importOpenApiOperations' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'input' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'skills' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'name' } },
                    ],
                  },
                },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'refused' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'operationId' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'reason' } },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<ImportOpenApiMutation, ImportOpenApiMutationVariables>;
export const McpServersDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'McpServers' },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'mcpServersConnection' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'first' },
                value: { kind: 'IntValue', value: '100' },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'edges' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      {
                        kind: 'Field',
                        name: { kind: 'Name', value: 'node' },
                        selectionSet: {
                          kind: 'SelectionSet',
                          selections: [
                            { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'key' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'url' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'checkedAt' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'failure' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'notes' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'authorization' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'grantedAt' } },
                          ],
                        },
                      },
                    ],
                  },
                },
              ],
            },
          },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'installedMcpServers' },
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'key' } },
                { kind: 'Field', name: { kind: 'Name', value: 'state' } },
                { kind: 'Field', name: { kind: 'Name', value: 'failure' } },
                { kind: 'Field', name: { kind: 'Name', value: 'notes' } },
                { kind: 'Field', name: { kind: 'Name', value: 'tools' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<McpServersQuery, McpServersQueryVariables>;
export const RegisterMcpServerDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'RegisterMcpServer' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'RegisterMcpServerInput' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'registerMcpServer' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'input' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'failure' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<RegisterMcpServerMutation, RegisterMcpServerMutationVariables>;
export const RefreshMcpServerDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'RefreshMcpServer' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'refreshMcpServer' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'key' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'checkedAt' } },
                { kind: 'Field', name: { kind: 'Name', value: 'failure' } },
                { kind: 'Field', name: { kind: 'Name', value: 'notes' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<RefreshMcpServerMutation, RefreshMcpServerMutationVariables>;
export const DeleteMcpServerDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'DeleteMcpServer' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'deleteMcpServer' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'key' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
              },
            ],
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<DeleteMcpServerMutation, DeleteMcpServerMutationVariables>;
export const RefusedPacksDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'RefusedPacks' },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'refusedPacks' },
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'path' } },
                { kind: 'Field', name: { kind: 'Name', value: 'reason' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<RefusedPacksQuery, RefusedPacksQueryVariables>;
export const CreateSkillUploadDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'CreateSkillUpload' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'CreateSkillUploadInput' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'createSkillUpload' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'input' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'url' } },
                { kind: 'Field', name: { kind: 'Name', value: 'method' } },
                { kind: 'Field', name: { kind: 'Name', value: 'headers' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<CreateSkillUploadMutation, CreateSkillUploadMutationVariables>;
export const AuthorizeMcpServerDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'AuthorizeMcpServer' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'AuthorizeMcpServerInput' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'authorizeMcpServer' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'input' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'url' } },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'server' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'authorization' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'grantedAt' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'failure' } },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<AuthorizeMcpServerMutation, AuthorizeMcpServerMutationVariables>;
export const DeauthorizeMcpServerDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'DeauthorizeMcpServer' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'deauthorizeMcpServer' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'key' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'key' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'authorization' } },
                { kind: 'Field', name: { kind: 'Name', value: 'grantedAt' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<DeauthorizeMcpServerMutation, DeauthorizeMcpServerMutationVariables>;
export const TurnFiltersDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'TurnFilters' },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'assistants' },
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'key' } },
                { kind: 'Field', name: { kind: 'Name', value: 'name' } },
              ],
            },
          },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'members' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'first' },
                value: { kind: 'IntValue', value: '100' },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'edges' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      {
                        kind: 'Field',
                        name: { kind: 'Name', value: 'node' },
                        selectionSet: {
                          kind: 'SelectionSet',
                          selections: [
                            { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'name' } },
                          ],
                        },
                      },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<TurnFiltersQuery, TurnFiltersQueryVariables>;
export const TurnsDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'Turns' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'filter' } },
          type: { kind: 'NamedType', name: { kind: 'Name', value: 'TurnFilter' } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'after' } },
          type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'turns' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'first' },
                value: { kind: 'IntValue', value: '20' },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'filter' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'filter' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'after' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'after' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'edges' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      {
                        kind: 'Field',
                        name: { kind: 'Name', value: 'node' },
                        selectionSet: {
                          kind: 'SelectionSet',
                          selections: [
                            { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'status' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'finishReason' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'createdAt' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'finishedAt' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'memberName' } },
                            {
                              kind: 'Field',
                              name: { kind: 'Name', value: 'conversation' },
                              selectionSet: {
                                kind: 'SelectionSet',
                                selections: [
                                  { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                                  {
                                    kind: 'Field',
                                    name: { kind: 'Name', value: 'assistant' },
                                    selectionSet: {
                                      kind: 'SelectionSet',
                                      selections: [
                                        { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                                        { kind: 'Field', name: { kind: 'Name', value: 'name' } },
                                      ],
                                    },
                                  },
                                ],
                              },
                            },
                            {
                              kind: 'Field',
                              name: { kind: 'Name', value: 'error' },
                              selectionSet: {
                                kind: 'SelectionSet',
                                selections: [{ kind: 'Field', name: { kind: 'Name', value: 'codeValue' } }],
                              },
                            },
                            {
                              kind: 'Field',
                              name: { kind: 'Name', value: 'usage' },
                              selectionSet: {
                                kind: 'SelectionSet',
                                selections: [{ kind: 'Field', name: { kind: 'Name', value: 'costUsd' } }],
                              },
                            },
                          ],
                        },
                      },
                    ],
                  },
                },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'pageInfo' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'hasNextPage' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'endCursor' } },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<TurnsQuery, TurnsQueryVariables>;
export const TurnDetailsDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'TurnDetails' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'filter' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'TurnFilter' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'turns' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'first' },
                value: { kind: 'IntValue', value: '20' },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'filter' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'filter' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'edges' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      {
                        kind: 'Field',
                        name: { kind: 'Name', value: 'node' },
                        selectionSet: {
                          kind: 'SelectionSet',
                          selections: [
                            { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'status' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'finishReason' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'createdAt' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'startedAt' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'finishedAt' } },
                            { kind: 'Field', name: { kind: 'Name', value: 'memberName' } },
                            {
                              kind: 'Field',
                              name: { kind: 'Name', value: 'conversation' },
                              selectionSet: {
                                kind: 'SelectionSet',
                                selections: [
                                  { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                                  {
                                    kind: 'Field',
                                    name: { kind: 'Name', value: 'assistant' },
                                    selectionSet: {
                                      kind: 'SelectionSet',
                                      selections: [
                                        { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                                        { kind: 'Field', name: { kind: 'Name', value: 'name' } },
                                      ],
                                    },
                                  },
                                ],
                              },
                            },
                            {
                              kind: 'Field',
                              name: { kind: 'Name', value: 'error' },
                              selectionSet: {
                                kind: 'SelectionSet',
                                selections: [
                                  { kind: 'Field', name: { kind: 'Name', value: 'codeValue' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'message' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'retryable' } },
                                ],
                              },
                            },
                            {
                              kind: 'Field',
                              name: { kind: 'Name', value: 'usage' },
                              selectionSet: {
                                kind: 'SelectionSet',
                                selections: [
                                  { kind: 'Field', name: { kind: 'Name', value: 'inputTokens' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'cachedInputTokens' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'outputTokens' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'modelCalls' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'skillCalls' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'costUsd' } },
                                ],
                              },
                            },
                            {
                              kind: 'Field',
                              name: { kind: 'Name', value: 'modelCalls' },
                              selectionSet: {
                                kind: 'SelectionSet',
                                selections: [
                                  { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'at' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'durationMs' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'purpose' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'model' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'outcome' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'inputTokens' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'outputTokens' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'costUsd' } },
                                ],
                              },
                            },
                            {
                              kind: 'Field',
                              name: { kind: 'Name', value: 'skillCalls' },
                              selectionSet: {
                                kind: 'SelectionSet',
                                selections: [
                                  { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'skill' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'status' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'startedAt' } },
                                  { kind: 'Field', name: { kind: 'Name', value: 'finishedAt' } },
                                ],
                              },
                            },
                          ],
                        },
                      },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<TurnDetailsQuery, TurnDetailsQueryVariables>;
export const ShowTurnDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'ShowTurn' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'ID' } } },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'reason' } },
          type: { kind: 'NonNullType', type: { kind: 'NamedType', name: { kind: 'Name', value: 'String' } } },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'showTurn' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'id' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'id' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'reason' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'reason' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'question' } },
                { kind: 'Field', name: { kind: 'Name', value: 'answer' } },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'skillCalls' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'skill' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'arguments' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'resultPreview' } },
                    ],
                  },
                },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'modelCalls' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'purpose' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'model' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'messages' } },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<ShowTurnMutation, ShowTurnMutationVariables>;
export const UsageOfDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'UsageOf' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'from' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'LocalDate' } },
          },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'to' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'LocalDate' } },
          },
        },
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'groupBy' } },
          type: {
            kind: 'NonNullType',
            type: {
              kind: 'ListType',
              type: {
                kind: 'NonNullType',
                type: { kind: 'NamedType', name: { kind: 'Name', value: 'UsageGroup' } },
              },
            },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'usage' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'from' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'from' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'to' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'to' } },
              },
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'groupBy' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'groupBy' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'day' } },
                { kind: 'Field', name: { kind: 'Name', value: 'assistantKey' } },
                { kind: 'Field', name: { kind: 'Name', value: 'model' } },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'member' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'name' } },
                    ],
                  },
                },
                { kind: 'Field', name: { kind: 'Name', value: 'inputTokens' } },
                { kind: 'Field', name: { kind: 'Name', value: 'outputTokens' } },
                { kind: 'Field', name: { kind: 'Name', value: 'cachedInputTokens' } },
                { kind: 'Field', name: { kind: 'Name', value: 'modelCalls' } },
                { kind: 'Field', name: { kind: 'Name', value: 'estimatedCalls' } },
                { kind: 'Field', name: { kind: 'Name', value: 'unpricedCalls' } },
                { kind: 'Field', name: { kind: 'Name', value: 'costUsd' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<UsageOfQuery, UsageOfQueryVariables>;
export const QuotasDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      name: { kind: 'Name', value: 'Quotas' },
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'quotas' },
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'subject' } },
                { kind: 'Field', name: { kind: 'Name', value: 'period' } },
                { kind: 'Field', name: { kind: 'Name', value: 'provider' } },
                { kind: 'Field', name: { kind: 'Name', value: 'maxTokens' } },
                { kind: 'Field', name: { kind: 'Name', value: 'maxCostUsd' } },
                {
                  kind: 'Field',
                  name: { kind: 'Name', value: 'member' },
                  selectionSet: {
                    kind: 'SelectionSet',
                    selections: [
                      { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                      { kind: 'Field', name: { kind: 'Name', value: 'name' } },
                    ],
                  },
                },
              ],
            },
          },
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'providers' },
            selectionSet: {
              kind: 'SelectionSet',
              selections: [
                { kind: 'Field', name: { kind: 'Name', value: 'id' } },
                { kind: 'Field', name: { kind: 'Name', value: 'key' } },
              ],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<QuotasQuery, QuotasQueryVariables>;
export const SetQuotaDocument = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'mutation',
      name: { kind: 'Name', value: 'SetQuota' },
      variableDefinitions: [
        {
          kind: 'VariableDefinition',
          variable: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
          type: {
            kind: 'NonNullType',
            type: { kind: 'NamedType', name: { kind: 'Name', value: 'SetQuotaInput' } },
          },
        },
      ],
      selectionSet: {
        kind: 'SelectionSet',
        selections: [
          {
            kind: 'Field',
            name: { kind: 'Name', value: 'setQuota' },
            arguments: [
              {
                kind: 'Argument',
                name: { kind: 'Name', value: 'input' },
                value: { kind: 'Variable', name: { kind: 'Name', value: 'input' } },
              },
            ],
            selectionSet: {
              kind: 'SelectionSet',
              selections: [{ kind: 'Field', name: { kind: 'Name', value: 'subject' } }],
            },
          },
        ],
      },
    },
  ],
} as unknown as DocumentNode<SetQuotaMutation, SetQuotaMutationVariables>;
