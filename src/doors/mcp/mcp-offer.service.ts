import { Injectable } from '@nestjs/common';
import { type McpRequestContext, McpServer } from '@modelcontextprotocol/server';

import type { Viewer } from '../../companies/auth/viewer.js';
import { TurnsService } from '../../conversations/turns/turns.service.js';
import { product } from '../../common/product.js';
import { AssistantTools } from './assistant-tools.service.js';
import { DocumentResources } from './document-resources.service.js';
import { SkillOffer } from './skill-offer.service.js';

const INSTRUCTIONS =
  'Assistants of a company, each behind a tool ask_…, and the company’s documents. An answer has a conversationId: give it ' +
  'with the next question to go on. An answer that takes long is waited for with get_answer. Send an idempotencyKey, and ' +
  'the same call can be repeated after a broken connection without being asked twice.';

/** Assistants, skills and documents rarely change. Lists are private to a member. */
const lists = { ttlMs: 60_000, cacheScope: 'private' } as const;
const fresh = { ttlMs: 0, cacheScope: 'private' } as const;

/** Offers a caller what they may use otherwise too. */
@Injectable()
export class McpOffer {
  constructor(
    private readonly assistants: AssistantTools,
    private readonly documents: DocumentResources,
    private readonly skills: SkillOffer,
    private readonly turns: TurnsService,
  ) {}

  /**
   * A client that returns its user's answer includes the turn's id. Resolves without a value, because the library would
   * use one in place of the state.
   */
  async checkState(viewer: Viewer, state: string): Promise<void> {
    await this.turns.get(viewer, state);
  }

  /** Answers one request. The tools are always in the same order. */
  async serverFor(viewer: Viewer, era: McpRequestContext['era']): Promise<McpServer> {
    const { name, version } = product;
    const server = new McpServer(
      { name: name.toLowerCase(), title: name, version },
      {
        instructions: INSTRUCTIONS,
        // Clients reread lists when they expire. There are no change notifications.
        capabilities: { tools: { listChanged: false }, resources: {}, prompts: { listChanged: false } },
        cacheHints: {
          'server/discover': lists,
          'tools/list': lists,
          'prompts/list': lists,
          'resources/templates/list': lists,
          'resources/list': fresh,
          'resources/read': fresh,
        },
        inputRequired: { legacyShim: false },
        requestState: { verify: (state) => this.checkState(viewer, state) },
      },
    );
    const capabilities = () => (era === 'modern' && server.server.getClientCapabilities()) || null;
    const caller = { viewer, capabilities };
    await this.assistants.addTo(server, caller);
    this.documents.addTo(server, caller);
    await this.skills.addTo(server, caller);
    return server;
  }
}
