import { Injectable, type OnModuleInit } from '@nestjs/common';

import { OutboundHttp } from '../../outbound/outbound-http.js';
import type { SkillDefinition } from '../definitions/skill-definition.entity.js';
import { SkillDefinitions } from '../definitions/skill-definitions.service.js';
import { type SkillMaker, SkillMakers } from '../definitions/skill-maker.js';
import { type HttpSkill, makeHttpSkill } from './http-skill.js';

/** Makes HTTP skills out of their rows. */
@Injectable()
export class HttpSkillMaker implements SkillMaker, OnModuleInit {
  readonly kind = 'HTTP';

  constructor(
    private readonly makers: SkillMakers,
    private readonly definitions: SkillDefinitions,
    private readonly outbound: OutboundHttp,
  ) {}

  onModuleInit(): void {
    this.makers.register(this);
  }

  make(key: string, definition: SkillDefinition): HttpSkill {
    return makeHttpSkill(key, definition, this.definitions.secretsOf(definition), this.outbound);
  }
}
