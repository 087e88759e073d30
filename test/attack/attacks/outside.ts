import type { Attack, Attacker } from '../attacker.js';
import { scripted } from './turns.js';

const REGISTER = `mutation ($input: RegisterHttpSkillInput!) { registerHttpSkill(input: $input) { key } }`;
const TRY =
  'mutation ($key: String!, $arguments: JSON!) { tryHttpSkill(key: $key, arguments: $arguments) { __typename } }';
const SERVER = `mutation ($input: RegisterMcpServerInput!) { registerMcpServer(input: $input) { failure } }`;
const PREVIEW = `mutation ($input: OpenApiSourceInput!) { previewOpenApiImport(input: $input) { title } }`;
const WEBHOOK = `mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }`;
const TEST = 'mutation ($id: ID!) { testWebhook(id: $id) { status } }';
const START = `mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }`;

function skill(attacker: Attacker, path: string, parameters: object = { type: 'object' }): object {
  return {
    key: 'outside',
    name: 'Outside',
    description: 'Asks somebody outside.',
    method: 'GET',
    url: `${attacker.site}${path}`,
    parameters,
    timeoutSeconds: 2,
    replace: true,
  };
}

function trying(path: string) {
  return async (attacker: Attacker): Promise<void> => {
    await attacker.ask(REGISTER, { input: skill(attacker, path) });
    await attacker.storm(8, () => attacker.ask(TRY, { key: 'outside', arguments: {} }));
  };
}

function serving(path: string) {
  return (attacker: Attacker): Promise<void> =>
    attacker.storm(4, (count) =>
      attacker.ask(SERVER, {
        input: { key: `s${count % 4}`, url: `${attacker.site}${path}`, timeoutSeconds: 2 },
      }),
    );
}

function previewing(inputOf: (attacker: Attacker) => object) {
  return (attacker: Attacker): Promise<void> =>
    attacker.storm(4, () => attacker.ask(PREVIEW, { input: inputOf(attacker) }));
}

function telling(path: string) {
  return async (attacker: Attacker): Promise<void> => {
    const { createWebhook } = await attacker.ask<{ createWebhook: { webhook: { id: string } } }>(WEBHOOK, {
      input: { url: `${attacker.site}${path}` },
    });
    await attacker.storm(8, () => attacker.ask(TEST, { id: createWebhook.webhook.id }));
  };
}

/** The model has a page read, or a skill called, in many turns at once. */
function turning(name: string, argumentsOf: (attacker: Attacker) => object, path?: string) {
  return async (attacker: Attacker): Promise<void> => {
    if (path !== undefined) await attacker.ask(REGISTER, { input: skill(attacker, path) });
    const message = `${JSON.stringify(argumentsOf(attacker))} ${scripted({ calls: [{ name, arguments: argumentsOf(attacker) }] })}`;
    await attacker.storm(4, () => attacker.ask(START, { input: { assistantKey: 'mefali', message } }));
  };
}

/** Many calls of one skill at once, in many turns at once. */
function turningWithMany(path: string) {
  return async (attacker: Attacker): Promise<void> => {
    const parameters = { type: 'object', properties: { n: { type: 'integer' } } };
    await attacker.ask(REGISTER, { input: skill(attacker, path, parameters) });
    const calls = Array.from({ length: 16 }, (_, n) => ({ name: 'outside', arguments: { n } }));
    const message = scripted({ calls });
    await attacker.storm(8, () => attacker.ask(START, { input: { assistantKey: 'mefali', message } }));
  };
}

/** Nine lists, each of nine times the one before. */
const YAML_BOMB = `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 9 }, (_, index) => `a${index + 1}: &a${index + 1} [${Array(9).fill(`*a${index}`).join(',')}]`).join('\n')}`;

const HOSTILE_SCHEMA = {
  type: 'object',
  properties: { text: { type: 'string', pattern: '^((a+)+)+$' } },
};

async function patterns(attacker: Attacker): Promise<void> {
  await attacker.ask(REGISTER, { input: skill(attacker, '/hang', HOSTILE_SCHEMA) });
  const given = { text: `${'a'.repeat(5_000)}!` };
  await attacker.storm(4, () => attacker.ask(TRY, { key: 'outside', arguments: given }));
}

/** Of which each of many values lacks, or is not, each of many. */
const DEAR_SCHEMAS = {
  names: { type: 'object', required: Array.from({ length: 5_000 }, (_, index) => `x${index}`) },
  choices: { anyOf: Array.from({ length: 450 }, (_, index) => ({ const: `x${index}` })) },
  lists: { enum: Array.from({ length: 3_000 }, (_, index) => [index, [index]]) },
};

function checking(items: object, values: readonly unknown[]) {
  return async (attacker: Attacker): Promise<void> => {
    const parameters = { type: 'object', properties: { values: { type: 'array', items } } };
    await attacker.ask(REGISTER, { input: skill(attacker, '/hang', parameters) });
    await attacker.storm(2, () => attacker.ask(TRY, { key: 'outside', arguments: { values } }));
  };
}

function schemaOfPattern(pattern: string): object {
  return { type: 'object', properties: { a: { type: 'string', pattern } } };
}

/** References to references, each to two others. */
function schemaOf(levels: number): object {
  return {
    type: 'object',
    properties: { a: { $ref: '#/$defs/d0' } },
    $defs: Object.fromEntries(
      Array.from({ length: levels }, (_, level) => [
        `d${level}`,
        level === levels - 1
          ? { type: 'string' }
          : { anyOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] },
      ]),
    ),
  };
}

/** Another one each time: what was compiled once is known. */
function schemaOfPatterns(count: number): object {
  const pattern = (index: number): string => `^(${count}|${index}|(a|b){1,50}[^x]{1,50}){1,20}$`;
  const properties = Array.from({ length: 1_000 }, (_, index) => [
    `p${index}`,
    { type: 'string', pattern: pattern(index) },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

const API_OF_PATTERNS = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'a', version: '1' },
  paths: Object.fromEntries(
    Array.from({ length: 40 }, (_, path) => [
      `/p${path}`,
      {
        get: {
          operationId: `o${path}`,
          parameters: Array.from({ length: 490 }, (__, index) => ({
            in: 'query',
            name: `q${index}`,
            schema: { type: 'string', pattern: `(.{0,30}${path}x${index}){0,30}` },
          })),
          responses: { 200: { description: 'ok' } },
        },
      },
    ]),
  ),
});

/** Places outside that are slow, endless or hostile: skills, MCP servers, webhooks, pages, descriptions of APIs. */
export const outsideAttacks: Attack[] = [
  { name: 'HTTP skills that hang', run: trying('/hang') },
  { name: 'HTTP skills that answer without an end', isQuick: true, run: trying('/flood') },
  { name: 'HTTP skills that answer a byte at a time', run: trying('/drip') },
  { name: 'HTTP skills that answer with deep JSON', run: trying('/deep') },
  { name: 'HTTP skills whose answers unpack to 500 MB', run: trying('/bomb') },
  { name: 'HTTP skills that answer with 600,000 objects', run: trying('/objects') },
  { name: 'HTTP skills that answer with long numbers', run: trying('/numbers') },
  { name: 'HTTP skills that redirect to themselves', run: trying('/around') },
  { name: 'HTTP skills that announce an answer again and again', run: trying('/hints') },
  { name: 'HTTP skills that answer with 900 headers', run: trying('/headers') },
  { name: 'turns with HTTP skills that hang', run: turning('outside', () => ({}), '/hang') },
  {
    name: 'turns with HTTP skills that answer without an end',
    run: turning('outside', () => ({}), '/flood'),
  },
  { name: 'turns with HTTP skills that answer as much as is read', run: turningWithMany('/largest') },
  {
    name: 'turns with HTTP skills that answer as many long numbers as are read',
    run: turningWithMany('/largest-numbers'),
  },
  {
    name: 'turns that read hostile pages',
    run: turning('read_webpage', ({ site }) => ({ url: `${site}/page` })),
  },
  { name: 'MCP servers that hang', run: serving('/hang') },
  { name: 'MCP servers that answer without an end', run: serving('/flood') },
  { name: 'MCP servers that stream a byte at a time', run: serving('/drip') },
  { name: 'MCP servers with 5,000 tools', run: serving('/mcp') },
  { name: 'MCP servers that answer with a million lists', run: serving('/mcp-objects') },
  { name: 'webhooks to places that redirect to themselves', run: telling('/around') },
  { name: 'webhooks to places that hang', run: telling('/hang') },
  { name: 'webhooks to places that answer without an end', run: telling('/flood') },
  {
    name: 'descriptions of APIs without an end',
    isQuick: true,
    run: previewing(({ site }) => ({ url: `${site}/flood` })),
  },
  { name: 'descriptions of APIs that multiply', run: previewing(() => ({ document: YAML_BOMB })) },
  {
    name: 'descriptions of APIs of 900 KB',
    run: previewing(() => ({
      document: JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'a', version: '1' },
        paths: Object.fromEntries(
          Array.from({ length: 8_000 }, (_, index) => [
            `/p${index}`,
            { get: { responses: { 200: { description: 'ok' } } } },
          ]),
        ),
      }),
    })),
  },
  { name: 'patterns without an end', run: patterns },
  {
    name: 'arguments of which each lacks 5,000 names',
    isQuick: true,
    run: checking(
      DEAR_SCHEMAS.names,
      Array.from({ length: 14_000 }, () => ({})),
    ),
  },
  {
    name: 'arguments with 450 choices each',
    run: checking(
      DEAR_SCHEMAS.choices,
      Array.from({ length: 14_000 }, (_, index) => index),
    ),
  },
  {
    name: 'arguments that are in none of 3,000 lists',
    run: checking(
      DEAR_SCHEMAS.lists,
      Array.from({ length: 5_000 }, (_, index) => [-index, [index]]),
    ),
  },
  {
    name: 'patterns that repeat what repeats',
    run: (attacker) =>
      attacker.storm(4, (count) =>
        attacker.ask(REGISTER, {
          input: skill(attacker, '/hang', schemaOfPattern(`${'.{0,1000}'.repeat(100)}${count}$`)),
        }),
      ),
  },
  {
    name: 'descriptions of APIs of 20,000 patterns',
    run: previewing(() => ({ document: API_OF_PATTERNS })),
  },
  { name: 'webhooks to places that redirect inside', run: telling('/inside') },
  {
    name: 'pages that redirect inside',
    run: turning('read_webpage', ({ site }) => ({ url: `${site}/inside` })),
  },
  {
    name: 'descriptions of APIs that unpack to 500 MB',
    run: previewing(({ site }) => ({ url: `${site}/bomb` })),
  },
  {
    name: 'schemas of 1,000 patterns',
    run: (attacker) =>
      attacker.storm(4, (count) =>
        attacker.ask(REGISTER, { input: skill(attacker, '/hang', schemaOfPatterns(count)) }),
      ),
  },
  {
    name: 'schemas that double',
    run: (attacker) =>
      attacker.storm(4, () => attacker.ask(REGISTER, { input: skill(attacker, '/hang', schemaOf(60)) })),
  },
];
