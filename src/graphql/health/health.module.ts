import { Module } from '@nestjs/common';

import { SearchModule } from '../../documents/search-index/search.module.js';
import { TurnsModule } from '../../conversations/turns/turns.module.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';

/** The endpoints of every process, whatever its role. */
@Module({ imports: [SearchModule, TurnsModule], controllers: [HealthController, MetricsController] })
export class HealthModule {}
