import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';

import { Calendar } from '../../common/calendar.js';
import type { JsonObject } from '../../common/json.js';
import type { SkillDefinition, SkillKind } from '../skill.entity.js';
import { type SkillMaker, SkillMakers } from '../skill-makers.service.js';
import type { Skill } from '../skill.js';
import { CompanyMcpConnections } from './company-mcp-connections.service.js';
import type { ToolSettings } from './mcp-tool-store.service.js';
import { skillOf } from './tool-skill.js';

const Settings = z.object({
  serverId: z.uuid(),
  tool: z.string().min(1),
  outputSchema: z.custom<JsonObject | null>(),
  readOnly: z.literal(true).optional(),
  gone: z.literal(true).optional(),
}) satisfies z.ZodType<ToolSettings>;

/** Makes skills of the tools of companies' servers. */
@Injectable()
export class McpSkillMaker implements SkillMaker, OnModuleInit {
  readonly kind: SkillKind = 'MCP';

  constructor(
    private readonly makers: SkillMakers,
    private readonly connections: CompanyMcpConnections,
    private readonly calendar: Calendar,
  ) {}

  onModuleInit(): void {
    this.makers.register(this);
  }

  make(key: string, definition: SkillDefinition): Skill {
    const { serverId, tool, outputSchema, readOnly = false, gone } = Settings.parse(definition.settings);
    const { name: title, description, timeoutMs, idempotent } = definition;
    const parameters = definition.parameters ?? { type: 'object' };
    const call = { tool, parameters, outputSchema, timeoutMs, idempotent };
    const skill = skillOf(
      key,
      { title, description, parameters },
      {
        timeoutMs,
        idempotent,
        // Read-only implies idempotent; rows of earlier versions have only `readOnly`.
        readOnly: readOnly && idempotent,
        call: (input, context) => this.connections.call(serverId, call, input, context),
        failure: () => this.connections.failureOf(serverId),
      },
    );
    if (!gone) return skill;
    return { ...skill, unavailableReason: () => removedReason(this.calendar.dayOf(definition.updatedAt)) };
  }
}

function removedReason(day: string): string {
  return (
    `Its server has not listed it since ${day}, or not so that it can be used: see the ` +
    "server's notes, or ask whoever runs it. It will be back as it is set here."
  );
}
