import { Injectable } from '@nestjs/common';

import { CompanyChanges, PubSub } from '../../platform/pubsub/pub-sub.js';

/** Changes of what a company's turns are told from the search index: of memories and messages. */
@Injectable()
export class SearchChanges extends CompanyChanges {
  constructor(pubSub: PubSub) {
    super(pubSub, 'search');
  }
}
