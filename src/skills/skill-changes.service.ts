import { Injectable } from '@nestjs/common';

import { CompanyChanges, PubSub } from '../platform/pubsub/pub-sub.js';

@Injectable()
export class SkillChanges extends CompanyChanges {
  constructor(pubSub: PubSub) {
    super(pubSub, 'skills');
  }
}
