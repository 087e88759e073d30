import { Module } from '@nestjs/common';

import { SearchModule } from '../../search/search.module.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';

/** What every process answers, whatever its role. */
@Module({ imports: [SearchModule], controllers: [HealthController, MetricsController] })
export class HealthModule {}
