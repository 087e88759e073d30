import { readFileSync } from 'node:fs';
import { MAX_PARTS, MAX_SCHEMA_CHARACTERS, MAX_SCHEMA_DEPTH } from '@palabre/json-schema';

import { MAX_PAGE } from '../src/common/schema/page.js';
import { MAX_COST } from '../src/common/schema/cost.js';
import * as company from '../src/companies/company-input.js';
import * as assistants from '../src/companies/assistants/assistant-changes.js';
import { MAX_ASSISTANTS } from '../src/companies/assistants/assistant-settings.service.js';
import { MAX_NOTE_CHARACTERS, maxTemplateLength } from '../src/companies/assistants/prompt-template.js';
import { MAX_SHOWN } from '../src/companies/assistants/prompts.service.js';
import { MAX_API_KEYS } from '../src/companies/api-keys/api-keys.service.js';
import { MAX_TOKEN_CHARACTERS } from '../src/companies/auth/token-verifier.js';
import { MAX_FILE_NAME_CHARACTERS } from '../src/companies/files/file-input.js';
import * as webhooks from '../src/companies/notifications/webhooks/webhook-input.js';
import * as providers from '../src/companies/providers/provider-input.js';
import { MAX_DAYS, MAX_ROWS } from '../src/companies/usage/usage.service.js';
import { MAX_AUTHOR_CHARACTERS, MAX_IMPORTED_MESSAGES } from '../src/conversations/imported-conversation.js';
import { MAX_BRANCHES } from '../src/conversations/message-tree.service.js';
import * as messageSearch from '../src/conversations/recall/message-search.service.js';
import { KEPT_RUNS } from '../src/conversations/schedules/schedule.repository.js';
import {
  MAX_CRON_CHARACTERS,
  MAX_SCHEDULED_CHARACTERS,
} from '../src/conversations/schedules/schedules.service.js';
import { MAX_TITLE_CHARACTERS } from '../src/conversations/title.js';
import * as answers from '../src/conversations/turns/inputs/input-answers.js';
import { MAX_REASON_CHARACTERS } from '../src/conversations/turns/list/turn-list.service.js';
import * as clientSkills from '../src/conversations/turns/start/client-skills.js';
import * as startTurn from '../src/conversations/turns/start/start-turn.js';
import { MAX_DELETED } from '../src/conversations/turns/turns.service.js';
import { MAX_IMAGE_BYTES } from '../src/documents/attachments/image.js';
import * as documentSearch from '../src/documents/search/searches.service.js';
import { MAX_MESSAGES, MAX_TOOLS } from '../src/doors/client-tools.js';
import { MAX_LISTED as LISTED_BY_MCP } from '../src/doors/mcp/mcp-caller.js';
import * as waits from '../src/doors/mcp/turn-waits.service.js';
import { MAX_INSTRUCTIONS } from '../src/doors/openai/asks.service.js';
import { MAX_ITEMS } from '../src/doors/openai/response-request.js';
import { MAX_ENTITIES } from '../src/graphql/federation.js';
import { MAX_ALIASES, MAX_DEPTH, MAX_TOKENS } from '../src/graphql/limits/operation-limits.js';
import { MAX_KEYS, MAX_NESTING, MAX_VALUES } from '../src/graphql/limits/json-limits.js';
import { MAX_MEMORIES } from '../src/memory/memory-writer.service.js';
import * as memories from '../src/memory/memory-input.js';
import * as httpSkills from '../src/skills/http/http-skill-input.js';
import * as openApi from '../src/skills/http/openapi/openapi-imports.service.js';
import * as mcp from '../src/skills/mcp/mcp-server-input.js';
import { MAX_LISTED as LISTED_SKILLS } from '../src/skills/skill.model.js';
import { MAX_OWN_SKILLS } from '../src/skills/skill.repository.js';

const page = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8');
const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));

it.each<[what: string, ...limits: number[]]>([
  ['a message', startTurn.MAX_MESSAGE_CHARACTERS],
  ['an import', MAX_IMPORTED_MESSAGES],
  ["values in a body or a socket's message: texts, numbers, lists, …", MAX_VALUES],
  ['keys of one object in either', MAX_KEYS],
  ['lists and objects inside each other, in the same', MAX_NESTING],
  ["skills of a company's own", MAX_OWN_SKILLS],
  ['MCP servers of a company', mcp.MAX_SERVERS],
  ['a query: depth', MAX_DEPTH],
  ["a query: aliases, a fragment's at each of its places", MAX_ALIASES],
  ['a query: tokens', MAX_TOKENS],
  ['a query: cost, counted as told below', MAX_COST],
  ['a page: items', MAX_PAGE],
  ['a message of a schedule', MAX_SCHEDULED_CHARACTERS],
  ['its cron expression', MAX_CRON_CHARACTERS],
  ['runs of a schedule that are kept', KEPT_RUNS],
  ['attachments of a question', startTurn.MAX_ATTACHMENTS],
  ['documents that a question names', startTurn.MAX_DOCUMENTS],
  [
    'skills that a front end carries out for a turn',
    clientSkills.MAX_CLIENT_SKILLS,
    clientSkills.MAX_CLIENT_SKILLS_CHARACTERS,
  ],
  ['the description of one of these', clientSkills.MAX_DESCRIPTION_CHARACTERS],
  [
    'time for the front end to answer a call of one',
    clientSkills.MAX_CLIENT_SKILL_SECONDS,
    clientSkills.DEFAULT_CLIENT_SKILL_SECONDS,
  ],
  ['an idempotency key', startTurn.MAX_IDEMPOTENCY_KEY_CHARACTERS],
  [
    'JSON Schemas: of answers, of arguments of HTTP and client skills',
    MAX_SCHEMA_CHARACTERS,
    MAX_PARTS,
    MAX_SCHEMA_DEPTH,
  ],
  ['an answer to a question of the model, arguments that an approval changes', answers.MAX_VALUE_CHARACTERS],
  ['the result of a client skill', answers.MAX_RESULT_CHARACTERS],
  ['a comment on an approval, why a client skill failed', answers.MAX_COMMENT_CHARACTERS],
  ["a conversation's title", MAX_TITLE_CHARACTERS],
  ["an imported author's name", MAX_AUTHOR_CHARACTERS],
  ['branches of a conversation', MAX_BRANCHES],
  ['conversations that are deleted at a time', MAX_DELETED],
  ['what messages are searched for', messageSearch.MAX_QUERY_CHARACTERS],
  ['messages that are found', messageSearch.MAX_FOUND],
  ['why an admin looks at a turn', MAX_REASON_CHARACTERS],
  ['memories in force of a member, of a company', MAX_MEMORIES],
  ["a memory's subject", memories.MAX_SUBJECT_CHARACTERS],
  ["a memory's content", memories.MAX_CONTENT_CHARACTERS],
  ["a memory's attributes", memories.attributeLimits.keys, memories.attributeLimits.characters],
  ['an image', MAX_IMAGE_BYTES / 1_000_000],
  ["a file's name, its media type", MAX_FILE_NAME_CHARACTERS],
  ['what documents are searched for', documentSearch.MAX_QUERY_CHARACTERS],
  ['passages that are found', documentSearch.MAX_FIRST, documentSearch.DEFAULT_FIRST],
  ['its practices, its goals', company.MAX_POINTS, company.MAX_POINT_CHARACTERS],
  ['its attributes', company.MAX_ATTRIBUTES_CHARACTERS, company.MAX_ATTRIBUTES_DEPTH],
  ['assistants', MAX_ASSISTANTS],
  ["an assistant's prompt", maxTemplateLength],
  ['the note of a version of it', MAX_NOTE_CHARACTERS],
  ['versions of it that are listed', MAX_SHOWN],
  ['skills that an assistant is restricted to', assistants.MAX_SKILLS],
  ['a token', MAX_TOKEN_CHARACTERS],
  ['API keys in force', MAX_API_KEYS],
  ['webhooks', webhooks.MAX_WEBHOOKS],
  ["a webhook's address", webhooks.MAX_ADDRESS_CHARACTERS],
  ['providers of models', providers.MAX_PROVIDERS],
  ['models of a provider', providers.MAX_MODELS],
  ['days that `usage` adds up', MAX_DAYS],
  ['its rows', MAX_ROWS],
  ['quotas that are listed', MAX_ROWS],
  ['the description of an HTTP skill', httpSkills.MAX_DESCRIPTION_CHARACTERS],
  ['its headers, its secrets', httpSkills.MAX_HEADERS],
  ['places of its arguments', httpSkills.MAX_PLACEMENTS],
  ['time for its call', httpSkills.MAX_TIMEOUT_SECONDS, httpSkills.DEFAULT_TIMEOUT_SECONDS],
  ['operations of an import from OpenAPI', openApi.MAX_IMPORTED],
  ['the document that they are in', openApi.MAX_DOCUMENT_BYTES / 1_000_000],
  ['headers of an MCP server', mcp.MAX_HEADERS],
  ['time for a call of its tool', mcp.MAX_TIMEOUT_SECONDS, mcp.DEFAULT_TIMEOUT_SECONDS],
  ['skills that `skills` lists', LISTED_SKILLS],
  ['tools of a front end, by any door', MAX_TOOLS],
  ['messages of a history: AG-UI, AI SDK', MAX_MESSAGES],
  ['items or messages of a request: OpenAI', MAX_ITEMS],
  ['instructions of a request: OpenAI', MAX_INSTRUCTIONS],
  ['assistants and skills listed by MCP', LISTED_BY_MCP],
  ['time that an MCP tool waits for an answer', waits.MAX_WAIT_SECONDS, waits.DEFAULT_WAIT_SECONDS],
  ['entities of a federated query', MAX_ENTITIES],
])('the page of limits has those in force for %s', (what, ...limits) => {
  const said = rows.find((cells) => cells[1] === what)?.[2] ?? '';
  const figures = said.match(/\d[\d,]*/g)?.map((figure) => figure.replace(/,$/, ''));
  expect(figures).toEqual(expect.arrayContaining(limits.map((limit) => limit.toLocaleString('en'))));
});
