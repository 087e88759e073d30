import { Injectable } from '@nestjs/common';
import { fromJsonSchema, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import type { JsonObject } from '@palabre/json';

import { Config } from '../../common/config/config.js';
import { newId, NIL_ID } from '../../common/ids.js';
import { InputNeeded, type Pack, type Skill } from '../../skills/skill.js';
import { type SkillResult, SkillRunner } from '../../skills/skill-runner.service.js';
import { type CallableSkill, SkillsInUse } from '../../skills/skills-in-use.service.js';
import { Doors } from '../doors.service.js';
import { addTool, type Caller, failedResult, MAX_LISTED, may } from './mcp-caller.js';

/** Packs that a member may use, as prompts, and skills that the operator or an admin selected, as tools. */
@Injectable()
export class SkillOffer {
  constructor(
    private readonly doors: Doors,
    private readonly config: Config,
    private readonly skills: SkillsInUse,
    private readonly runner: SkillRunner,
  ) {}

  async addTo(server: McpServer, caller: Caller): Promise<void> {
    const user = { ...caller.viewer, assistantKey: null, skills: null };
    const { packs, callable, company } = await this.skills.listUsable(user);
    if (may(caller, 'TURNS', 'READ', 'SKILLS'))
      for (const pack of packs.slice(0, MAX_LISTED)) addPack(server, pack);
    if (!may(caller, 'TURNS')) return;
    const exposed = company.rows.filter((row) => row.exposed).map(({ key }) => key);
    const asTools = new Set<string>([...this.config.skills.asTools, ...exposed]);
    const tools = callable.filter((one) => asTools.has(one.skill.key) && isHarmless(one));
    for (const { skill } of tools.slice(0, MAX_LISTED)) this.addSkill(server, caller, skill);
  }

  private addSkill(server: McpServer, caller: Caller, skill: Skill): void {
    const { key, name, description, parameters, idempotent, effect } = skill;
    const annotations = { readOnlyHint: true, idempotentHint: idempotent, openWorldHint: effect.isForeign };
    const inputSchema = fromJsonSchema<JsonObject>(parameters);
    const tool = { title: name, description, inputSchema, annotations };
    addTool(server, this.doors, `use_${key}`, tool, (input, context) =>
      this.run(caller, skill, input, context),
    );
  }

  /** Runs outside a turn, so nothing is stored. */
  private async run({ viewer }: Caller, skill: Skill, input: JsonObject, { mcpReq }: ServerContext) {
    const { id: memberId, companyId, role } = viewer;
    const call = this.runner.run(skill, skill.key, JSON.stringify(input), {
      companyId,
      memberId,
      role,
      conversationId: NIL_ID,
      turnId: NIL_ID,
      questionId: NIL_ID,
      documentIds: [],
      callId: newId(),
      language: 'en',
      assistantKey: '',
      signal: mcpReq.signal,
      progress: () => undefined,
    });
    const { status, result, cause } = await call.catch(askedNobody);
    if (cause !== undefined) this.doors.describe(cause);
    return status === 'SUCCEEDED'
      ? { content: [{ type: 'text' as const, text: result }] }
      : failedResult(result);
  }
}

/** It changes nothing and needs no approval, which nobody could give outside a turn. */
function isHarmless({ skill, approval }: CallableSkill): boolean {
  return skill.effect.changes === 'NOTHING' && approval.required !== true;
}

/** Another server's tool may ask its user something, which needs a turn. */
function askedNobody(error: unknown): SkillResult {
  if (!(error instanceof InputNeeded)) throw error;
  const result = 'It asks its user something, which is possible in a turn alone: have an assistant use it.';
  return { status: 'FAILED', result, preview: '' };
}

function addPack(server: McpServer, { key, name, description, ...pack }: Pack): void {
  server.registerPrompt(key, { title: name, description }, async ({ mcpReq }) => ({
    description,
    messages: [{ role: 'user', content: { type: 'text', text: await pack.readBody(mcpReq.signal) } }],
  }));
}
