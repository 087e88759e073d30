import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { OPENAI_PATH } from '../door-paths.js';
import { Doors } from '../doors.service.js';
import { errorBody, refusal } from './openai-errors.js';

/** Refuses unsupported OpenAI routes in OpenAI's form, so that SDKs show the reason. */
@Injectable()
export class UnknownRoutes implements OnModuleInit {
  constructor(private readonly doors: Doors) {}

  onModuleInit(): void {
    this.doors.route({
      door: 'openai',
      method: ['DELETE', 'GET', 'POST'],
      url: `${OPENAI_PATH}/*`,
      scopes: ['READ', 'TURNS'],
      errorBody,
      // Before the body is read: uploads are forms, which no route accepts.
      check: refuse,
      handler: (_viewer, request) => refuse(request),
    });
  }
}

function refuse({ method, url }: FastifyRequest): never {
  const [path = ''] = url.split('?', 1);
  throw refusal('NOT_FOUND', `There is no ${method} ${path.slice(0, 100)} here.`, { code: 'unknown_url' });
}
