import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { JsonObject } from '@palabre/json';

import { timeOf } from '../../common/ids.js';
import type { Assistant } from '../../companies/assistants/assistant.repository.js';
import { AssistantsService } from '../../companies/assistants/assistants.service.js';
import { OPENAI_PATH } from '../door-paths.js';
import { type DoorRoute, Doors } from '../doors.service.js';
import { errorBody } from './openai-errors.js';
import { Responses } from './responses.service.js';

/** The assistants, as models. */
@Injectable()
export class ModelsDoor implements OnModuleInit {
  constructor(
    private readonly doors: Doors,
    private readonly assistants: AssistantsService,
    private readonly responses: Responses,
  ) {}

  onModuleInit(): void {
    this.route('', async (viewer) => {
      const all = await this.assistants.list(viewer);
      return { object: 'list', data: all.filter(({ archived }) => !archived).map(modelOf) };
    });
    this.route('/:key', async (viewer, request) =>
      modelOf(await this.responses.assistantOf(viewer, keyIn(request))),
    );
  }

  private route(path: string, handler: DoorRoute['handler']): void {
    const url = `${OPENAI_PATH}/models${path}`;
    this.doors.route({ door: 'openai', method: 'GET', url, scopes: ['READ', 'TURNS'], errorBody, handler });
  }
}

function keyIn({ params }: FastifyRequest): string {
  return (params as { key: string }).key;
}

function modelOf({ id, key, name }: Assistant): JsonObject {
  return { id: key, object: 'model', created: Math.floor(timeOf(id) / 1000), owned_by: 'palabre', name };
}
