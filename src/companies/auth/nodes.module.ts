import { Module } from '@nestjs/common';

import { NodeFinders } from './node-finders.js';

@Module({ providers: [NodeFinders], exports: [NodeFinders] })
export class NodesModule {}
