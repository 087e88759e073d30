import { type DynamicModule, Global, Module } from '@nestjs/common';

import { AgentModule } from './agent/agent.module.js';
import { TokenVerifier } from './auth/token-verifier.js';
import { Calendar } from './common/calendar.js';
import { Clock } from './common/clock.js';
import { LOGGER, type Logger } from './common/process/logger.js';
import { Config, type ServerRole } from './config/config.js';
import { Database } from './database/database.js';
import { FilesModule } from './files/files.module.js';
import { ApiModule } from './graphql/graphql.module.js';
import { HealthModule } from './graphql/health/health.module.js';
import { JobQueue } from './jobs/job-queue.js';
import { ChatModel } from './llm/chat-model.js';
import { Embedder } from './llm/embedder.js';
import { ModelCircuits } from './llm/guard/model-circuits.js';
import { ModelFacts } from './llm/facts/model-facts.js';
import { Tokenizer } from './llm/tokens/tokenizer.js';
import { Metrics } from './metrics/metrics.js';
import { NotificationsModule } from './notifications/notifications.module.js';
import { OutboundHttp } from './outbound/outbound-http.js';
import { PubSub } from './pubsub/pub-sub.js';
import { Secrets } from './secrets/secrets.js';
import { FileStorage } from './storage/file-storage.js';

/** What is opened before the application is put together, and closed after it. */
export interface Resources {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  clock: Clock;
  database: Database;
  jobs: JobQueue;
  pubSub: PubSub;
  model: ChatModel;
  modelFacts: ModelFacts;
  modelCircuits: ModelCircuits;
  tokenizer: Tokenizer;
  /** Null: none is configured. */
  embedder: Embedder | null;
  outbound: OutboundHttp;
  storage: FileStorage;
  tokens: TokenVerifier;
  secrets: Secrets;
}

/** The ports, for every module: which adapter stands behind each was decided when the resources were opened. */
@Global()
@Module({})
class PortsModule {
  static of(resources: Resources): DynamicModule {
    const providers = [
      { provide: Config, useValue: resources.config },
      { provide: LOGGER, useValue: resources.logger },
      { provide: Metrics, useValue: resources.metrics },
      { provide: Clock, useValue: resources.clock },
      { provide: Calendar, useValue: new Calendar(resources.config.timeZone) },
      { provide: Database, useValue: resources.database },
      { provide: JobQueue, useValue: resources.jobs },
      { provide: PubSub, useValue: resources.pubSub },
      { provide: ChatModel, useValue: resources.model },
      { provide: ModelFacts, useValue: resources.modelFacts },
      { provide: ModelCircuits, useValue: resources.modelCircuits },
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

/** What a process of each role is made of: one takes questions and shows answers, the other finds them. */
const modulesOf = {
  all: [ApiModule, AgentModule, FilesModule, NotificationsModule],
  api: [ApiModule, FilesModule, NotificationsModule],
  worker: [AgentModule, FilesModule, NotificationsModule],
} as const satisfies Record<ServerRole, readonly object[]>;

/** The only list of modules. */
@Module({})
export class AppModule {
  static of(resources: Resources): DynamicModule {
    const modules = modulesOf[resources.config.role];
    return { module: AppModule, imports: [PortsModule.of(resources), HealthModule, ...modules] };
  }
}
