import { Field, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';

import { Node } from '../../common/schema/node.model.js';
import { DateTime } from '../../common/schema/scalars.js';
import type { McpState as McpStateName } from './client/mcp-connection.js';

@ObjectType('McpServer', {
  implements: () => [Node],
  description: 'A Model Context Protocol server of the company’s: its tools are skills.',
})
export class McpServerModel extends Node {
  @Field(() => String, { description: 'What the keys of its skills begin with, before two underscores.' })
  key!: string;

  @Field(() => String, { description: 'Its Streamable HTTP address.' })
  url!: string;

  @Field(() => [String], {
    description: 'The names of the headers that it is sent; their values are never shown.',
  })
  headerNames!: string[];

  @Field(() => Boolean, {
    description: 'Whether it is believed when it says that a tool may be called again without harm.',
  })
  trustAnnotations!: boolean;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When it was last asked for its tools; null: never.',
  })
  checkedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why it could not be asked, at checkedAt; null when it could.',
  })
  failure!: string | null;

  @Field(() => [String], { description: 'Which of its tools are not used, and why.' })
  notes!: string[];
}

export const McpState = {
  CONNECTED: 'CONNECTED',
  CONNECTING: 'CONNECTING',
  FAILED: 'FAILED',
  CLOSED: 'CLOSED',
} as const satisfies Record<McpStateName, McpStateName>;

registerEnumType(McpState, {
  name: 'McpState',
  description: 'How a process stands with an MCP server.',
  valuesMap: {
    CONNECTED: { description: 'Its tools can be called.' },
    CONNECTING: { description: 'It is being asked.' },
    FAILED: { description: 'It cannot be reached, and is tried again.' },
    CLOSED: { description: 'Nobody has needed it.' },
  },
});

@ObjectType('InstalledMcpServer', {
  description: 'An MCP server that the operator has connected for all companies.',
})
export class InstalledMcpServerModel {
  @Field(() => String, { description: 'What the keys of its skills begin with, before two underscores.' })
  key!: string;

  @Field(() => McpState, { description: 'How this process stands with it.' })
  state!: McpStateName;

  @Field(() => String, { nullable: true, description: 'Why it cannot be used; null when it can.' })
  failure!: string | null;

  @Field(() => Int, { description: 'How many of its tools are skills.' })
  tools!: number;

  @Field(() => [String], { description: 'Which of its tools are not used, and why.' })
  notes!: readonly string[];
}

@InputType({ description: 'A header that an MCP server is sent.' })
export class McpHeaderInput {
  @Field(() => String, { description: 'Such as Authorization.' })
  name!: string;

  @Field(() => String, { description: 'Stored encrypted and never shown again.' })
  value!: string;
}

@InputType({ description: 'An MCP server to be connected.' })
export class RegisterMcpServerInput {
  @Field(() => String, {
    description:
      'At most 30 letters and digits, with single - or _ between them. A server of this key is changed.',
  })
  key!: string;

  @Field(() => String, {
    description: 'Its Streamable HTTP address, on a public network. It is shown: secrets belong in headers.',
  })
  url!: string;

  @Field(() => [McpHeaderInput], {
    nullable: true,
    description: 'All the headers that it needs, at most 20; those from before are forgotten.',
  })
  headers?: McpHeaderInput[] | null;

  @Field(() => Int, {
    nullable: true,
    description: 'How long one call of a tool may take, from 1 to 600; 60 when left out.',
  })
  timeoutSeconds?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether to believe it when it says that a tool may be called again without harm, as after a crash; false when left out.',
  })
  trustAnnotations?: boolean | null;
}
