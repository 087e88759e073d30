/**
 * Loaded before the server (`node --import`): what the conformance suite calls is offered besides what Palabre offers.
 * The door, its sign-in and what it does to requests and answers are the product's.
 */
import {
  acceptedContent,
  completable,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

import { McpOffer } from '../../dist/doors/mcp/mcp-offer.service.js';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const states = createRequestStateCodec({ key: 'a key for the conformance suite alone' });

function text(words) {
  return { type: 'text', text: words };
}
function embedded(uri, mimeType, words) {
  return { type: 'resource', resource: { uri, mimeType, text: words } };
}
function said(...content) {
  return () => ({ content });
}
function form(message, properties) {
  const requestedSchema = { type: 'object', properties, required: Object.keys(properties) };
  return inputRequired.elicit({ message, requestedSchema });
}
function sampled(words, maxTokens) {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: text(words) }],
    maxTokens,
  });
}

const name = { name: { type: 'string' } };
const string = { type: 'string' };

/** What is asked for, until all of it has been given. */
function asking(requests, { state } = {}) {
  return async (_input, context) => {
    const given = context.mcpReq.inputResponses ?? {};
    const known = context.mcpReq.requestState();
    const isGiven = Object.entries(requests).every(([key, { method }]) =>
      method === 'elicitation/create' ? acceptedContent(given, key) : given[key],
    );
    if (isGiven && (!state || known !== undefined))
      return { content: [text(`state-ok ${JSON.stringify(given)}`)] };
    return inputRequired({
      inputRequests: requests,
      ...(state && { requestState: await states.mint({ state }, context) }),
    });
  };
}

async function manyRounds(_input, context) {
  const { inputResponses: given = {} } = context.mcpReq;
  const { step = 0 } = context.mcpReq.requestState() ?? {};
  const next = step + (step === 0 || acceptedContent(given, `step${step}`) ? 1 : 0);
  if (next === 3) return { content: [text('Both steps are done.')] };
  const inputRequests =
    next === 1
      ? { step1: form('Step 1: What is your name?', name) }
      : { step2: form('Step 2: What is your favorite color?', { color: string }) };
  return inputRequired({ inputRequests, requestState: await states.mint({ step: next }, context) });
}

async function progressing(_input, { mcpReq }) {
  const progressToken = mcpReq._meta?.progressToken;
  for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
    await mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress, total: 100 },
    });
  }
  return { content: [text('Done.')] };
}

const greeting = { user_name: form('What is your name?', name) };
const tools = {
  test_simple_text: said(text('This is a simple text response for testing.')),
  test_image_content: said(image),
  test_audio_content: said({ type: 'audio', data: WAV, mimeType: 'audio/wav' }),
  test_embedded_resource: said(
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ),
  test_multiple_content_types: said(
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ),
  test_error_handling: () => {
    throw new Error('This tool intentionally returns an error for testing');
  },
  test_tool_with_progress: progressing,
  test_logging_tool: said(text('Nothing is logged.')),
  test_streaming_elicitation: asking(greeting),
  test_missing_capability: asking({ sample: sampled('Hello?', 10) }),
  test_input_required_result_elicitation: asking(greeting),
  test_input_required_result_sampling: asking({
    capital_question: sampled('What is the capital of France?', 100),
  }),
  test_input_required_result_list_roots: asking({ client_roots: inputRequired.listRoots() }),
  test_input_required_result_request_state: asking(
    { confirm: form('Please confirm', { ok: { type: 'boolean' } }) },
    { state: 'confirm' },
  ),
  test_input_required_result_multiple_inputs: asking(
    { ...greeting, greeting: sampled('Generate a greeting', 50), client_roots: inputRequired.listRoots() },
    { state: 'all' },
  ),
  test_input_required_result_multi_round: manyRounds,
  test_input_required_result_tampered_state: asking(
    { confirm: form('Please confirm', { ok: { type: 'boolean' } }) },
    { state: 'tampered' },
  ),
  /** Asks for no more than the client can give. */
  test_input_required_result_capabilities: (input, context) => {
    const can = context.mcpReq.envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? {};
    const all = {
      ...(can.elicitation && greeting),
      ...(can.sampling && { greeting: sampled('Generate a greeting', 50) }),
      ...(can.roots && { client_roots: inputRequired.listRoots() }),
    };
    return asking(all)(input, context);
  },
};

const keywords = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: string, city: string },
    },
  },
  properties: {
    name: string,
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: string,
    email: string,
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // eslint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

function addResources(server) {
  const described = { description: 'A fixture.' };
  const plain = { ...described, mimeType: 'text/plain' };
  server.registerResource('static-text', 'test://static-text', plain, () => ({
    contents: [
      {
        uri: 'test://static-text',
        mimeType: 'text/plain',
        text: 'This is the content of the static text resource.',
      },
    ],
  }));
  server.registerResource('static-binary', 'test://static-binary', described, () => ({
    contents: [{ uri: 'test://static-binary', mimeType: 'image/png', blob: PNG }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, described, (uri, { id }) => {
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri: uri.href, mimeType: 'application/json', text: data }] };
  });
}

function addPrompts(server) {
  const prompt = (...content) => ({ messages: content.map((one) => ({ role: 'user', content: one })) });
  const described = { description: 'A fixture.' };
  server.registerPrompt('test_simple_prompt', described, () =>
    prompt(text('This is a simple prompt for testing.')),
  );
  const two = z.object({
    arg1: completable(z.string(), () => ['paris', 'park', 'party']),
    arg2: z.string(),
  });
  server.registerPrompt('test_prompt_with_arguments', { ...described, argsSchema: two }, ({ arg1, arg2 }) =>
    prompt(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  const one = z.object({ resourceUri: z.string() });
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { ...described, argsSchema: one },
    ({ resourceUri }) =>
      prompt(
        embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
        text('Please process the embedded resource above.'),
      ),
  );
  server.registerPrompt('test_prompt_with_image', described, () =>
    prompt(image, text('Please analyze the image above.')),
  );
  server.registerPrompt('test_input_required_result_prompt', described, (context) => {
    const given = acceptedContent(context.mcpReq.inputResponses, 'user_context');
    if (given) return prompt(text(`Use the context ${given.context}.`));
    const user_context = form('What context should the prompt use?', { context: string });
    return inputRequired({ inputRequests: { user_context } });
  });
}

const { serverFor } = McpOffer.prototype;
McpOffer.prototype.checkState = (_viewer, state) => states.verify(state, {});
McpOffer.prototype.serverFor = async function withFixtures(...caller) {
  const server = await serverFor.apply(this, caller);
  for (const [key, run] of Object.entries(tools)) {
    server.registerTool(key, { description: 'A fixture.', inputSchema: z.object({}) }, run);
  }
  const inputSchema = fromJsonSchema(keywords);
  const description = 'A fixture.';
  server.registerTool('json_schema_2020_12_tool', { description, inputSchema }, said(text('Fine.')));
  addResources(server);
  addPrompts(server);
  return server;
};
