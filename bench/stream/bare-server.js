/**
 * What Palabre is measured against: a turn as a team writes it quickly, with the same libraries. The subscription's
 * async generator reads the SDK's stream and runs the skill in process; nothing is stored, nobody has to sign in.
 */
import 'reflect-metadata';

import { randomUUID } from 'node:crypto';

import { ApolloDriver } from '@nestjs/apollo';
import { NestFactory } from '@nestjs/core';
import { Args, GraphQLModule, Mutation, Resolver, Subscription } from '@nestjs/graphql';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import OpenAI from 'openai';

const typeDefs = /* GraphQL */ `
  input StartTurnInput {
    assistantKey: String
    message: String!
  }
  type Turn {
    id: ID!
  }
  type TurnAccepted {
    turn: Turn!
  }
  interface TurnEvent {
    sequence: Int!
  }
  type SkillStarted implements TurnEvent {
    sequence: Int!
    callId: ID!
    skill: String!
  }
  type SkillFinished implements TurnEvent {
    sequence: Int!
    callId: ID!
    resultPreview: String!
  }
  type TextDelta implements TurnEvent {
    sequence: Int!
    text: String!
  }
  type TurnDone implements TurnEvent {
    sequence: Int!
    status: String!
    finishReason: String!
  }
  type Query {
    ready: Boolean
  }
  type Mutation {
    startTurn(input: StartTurnInput!): TurnAccepted!
  }
  type Subscription {
    turnEvents(turnId: ID!): TurnEvent!
  }
`;

const client = new OpenAI({ baseURL: process.env.LLM_BASE_URL, apiKey: 'none', maxRetries: 0 });

const tool = {
  type: 'function',
  function: {
    name: 'get_company_profile',
    description: "What is known of the user's company.",
    parameters: { type: 'object', properties: {} },
  },
};

function companyProfile() {
  return JSON.stringify({ name: 'Démo', country: 'SN', sector: 'énergie', headcount: 40 });
}

/** Adds what a chunk brings to the skill calls known so far. */
function collect(calls, deltas) {
  for (const { index, id, function: called } of deltas) {
    calls[index] ??= { id, type: 'function', function: { name: called.name, arguments: '' } };
    calls[index].function.arguments += called.arguments ?? '';
  }
}

async function* answer(message) {
  const messages = [
    { role: 'system', content: 'You advise companies on their carbon footprint.' },
    { role: 'user', content: message },
  ];
  for (;;) {
    const request = { model: 'mock', messages, tools: [tool], stream: true };
    const calls = [];
    for await (const { choices } of await client.chat.completions.create(request)) {
      const delta = choices[0]?.delta;
      if (delta?.content) yield { __typename: 'TextDelta', text: delta.content };
      if (delta?.tool_calls) collect(calls, delta.tool_calls);
    }
    if (calls.length === 0) break;
    messages.push({ role: 'assistant', content: null, tool_calls: calls });
    for (const { id, function: called } of calls) {
      yield { __typename: 'SkillStarted', callId: id, skill: called.name };
      const content = companyProfile();
      messages.push({ role: 'tool', tool_call_id: id, content });
      yield { __typename: 'SkillFinished', callId: id, resultPreview: content };
    }
  }
  yield { __typename: 'TurnDone', status: 'COMPLETED', finishReason: 'ANSWERED' };
}

class Turns {
  questions = new Map();

  startTurn({ message }) {
    const id = randomUUID();
    this.questions.set(id, message);
    return { turn: { id } };
  }

  async *turnEvents(turnId) {
    const message = this.questions.get(turnId);
    this.questions.delete(turnId);
    let sequence = 0;
    for await (const event of answer(message)) {
      sequence += 1;
      yield { turnEvents: { sequence, ...event } };
    }
  }
}

/** Decorators by hand, for this is plain JavaScript. */
function decorate(method, argument, decorator) {
  Args(argument)(Turns.prototype, method, 0);
  decorator(Turns.prototype, method, Object.getOwnPropertyDescriptor(Turns.prototype, method));
}
decorate('startTurn', 'input', Mutation());
decorate('turnEvents', 'turnId', Subscription());
Resolver()(Turns);

const graphql = GraphQLModule.forRoot({
  driver: ApolloDriver,
  typeDefs,
  subscriptions: { 'graphql-ws': true },
  graphiql: false,
});

const app = await NestFactory.create(
  { module: Turns, imports: [graphql], providers: [Turns] },
  new FastifyAdapter(),
  { logger: ['error', 'warn'] },
);
await app.listen(0, '127.0.0.1');
process.on('SIGTERM', () => process.exit());
console.log(`GraphQL ${await app.getUrl()}/graphql`);
