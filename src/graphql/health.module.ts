import { Module } from '@nestjs/common';

import { HealthController } from './health.controller.js';

/** What every process answers, whatever its role. */
@Module({ controllers: [HealthController] })
export class HealthModule {}
