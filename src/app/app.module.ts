import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Embedder, Tokenizer } from '@palabre/llm-client';
import { OutboundHttp } from '@palabre/outbound';

import { AgentModule } from '../agent/agent.module.js';
import { TokenVerifier } from '../companies/auth/token-verifier.js';
import { Calendar } from '../common/calendar.js';
import { Clock } from '../common/clock.js';
import { Plugins } from '../common/plugins.js';
import { LOGGER, type Logger } from '../common/process/logger.js';
import { Config, type ServerRole } from '../common/config/config.js';
import { Database } from '../platform/database/database.js';
import { DoorsModule } from '../doors/doors.module.js';
import { FilesModule } from '../companies/files/files.module.js';
import { ApiModule } from '../graphql/graphql.module.js';
import { HealthModule } from '../graphql/health/health.controller.js';
import { DomainEvents } from '../platform/events/domain-events.js';
import { JobQueue } from '../platform/jobs/job-queue.js';
import { ModelProviders } from '../llm/model-providers.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { SchedulesModule } from '../conversations/schedules/schedules.module.js';
import { NotificationsModule } from '../companies/notifications/notifications.module.js';
import { PubSub } from '../platform/pubsub/pub-sub.js';
import { Secrets } from '../platform/secrets.js';
import { FileStorage } from '../platform/storage/file-storage.js';
import { Tracing } from '../platform/tracing/tracing.js';

/** Everything that is opened before the application starts, and closed after it has stopped. */
export interface Resources {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
  clock: Clock;
  plugins: Plugins;
  database: Database;
  jobs: JobQueue;
  pubSub: PubSub;
  models: ModelProviders;
  tokenizer: Tokenizer;
  /** Null: none is configured. */
  embedder: Embedder | null;
  outbound: OutboundHttp;
  storage: FileStorage;
  tokens: TokenVerifier;
  secrets: Secrets;
}

/** Provides the ports to every module. The adapters were chosen when the resources were opened. */
@Global()
@Module({})
class PortsModule {
  static of(resources: Resources): DynamicModule {
    const providers = [
      { provide: Config, useValue: resources.config },
      { provide: LOGGER, useValue: resources.logger },
      { provide: Metrics, useValue: resources.metrics },
      { provide: Tracing, useValue: resources.tracing },
      { provide: Clock, useValue: resources.clock },
      { provide: Plugins, useValue: resources.plugins },
      { provide: Calendar, useValue: new Calendar(resources.config.timeZone) },
      { provide: Database, useValue: resources.database },
      { provide: DomainEvents, useValue: new DomainEvents() },
      { provide: JobQueue, useValue: resources.jobs },
      { provide: PubSub, useValue: resources.pubSub },
      { provide: ModelProviders, useValue: resources.models },
      { provide: Tokenizer, useValue: resources.tokenizer },
      { provide: Embedder, useValue: resources.embedder },
      { provide: OutboundHttp, useValue: resources.outbound },
      { provide: FileStorage, useValue: resources.storage },
      { provide: TokenVerifier, useValue: resources.tokens },
      { provide: Secrets, useValue: resources.secrets },
    ];
    return { module: PortsModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}

/** The modules of a process by role: an api takes questions and shows answers, a worker produces them. */
const modulesOf = {
  all: [ApiModule, DoorsModule, AgentModule, FilesModule, NotificationsModule, SchedulesModule],
  api: [ApiModule, DoorsModule, FilesModule, NotificationsModule, SchedulesModule],
  worker: [AgentModule, FilesModule, NotificationsModule, SchedulesModule],
} as const satisfies Record<ServerRole, readonly object[]>;

@Module({})
export class AppModule {
  static of(resources: Resources): DynamicModule {
    const modules = modulesOf[resources.config.role];
    return { module: AppModule, imports: [PortsModule.of(resources), HealthModule, ...modules] };
  }
}
