import { Injectable, type OnModuleInit } from '@nestjs/common';

import { MemberData } from '../../companies/member-data/member-data.js';
import { PromptVersionRepository } from './prompt-version.repository.js';

/** Takes the names of members who leave from the prompts that they published. */
@Injectable()
export class PublishedPrompts implements OnModuleInit {
  constructor(
    private readonly data: MemberData,
    private readonly prompts: PromptVersionRepository,
  ) {}

  onModuleInit(): void {
    this.data.onLeaving((tx, memberId) => this.prompts.leave(tx, memberId));
  }
}
