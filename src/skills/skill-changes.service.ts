import { Injectable } from '@nestjs/common';

import { CompanyChanges } from '../platform/pubsub/company-changes.js';
import { PubSub } from '../platform/pubsub/pub-sub.js';

@Injectable()
export class SkillChanges extends CompanyChanges {
  constructor(pubSub: PubSub) {
    super(pubSub, 'skills');
  }
}
