import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { signToken } from '../../src/companies/auth/token-signer.js';
import { newId } from '../../src/common/ids.js';
import { createLogger } from '../../src/common/process/logger.js';
import { ManualClock } from '../../src/common/manual-clock.double.js';
import { createCompany } from '../../src/companies/create-company.js';
import { readConfig } from '../../src/common/config/read-config.js';
import { StoredFilesService } from '../../src/companies/files/stored-files.service.js';
import { UploadReceivers } from '../../src/companies/files/uploads.service.js';
import { UploadTickets } from '../../src/companies/files/upload-tickets.service.js';
import { openResources, type OpenResources } from '../../src/app/resources.js';
import { createApp } from '../../src/app/server.js';
import { MemoryFileStorage } from '../../src/platform/storage/memory-file-storage.double.js';
import { SECRET } from './start-app.js';
import { TestClient } from './test-client.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/** Somebody with a token, and who that is. */
export interface Person {
  client: TestClient;
  id: string;
  companyId: string;
  /** The company's slug. */
  company: string;
}

/** The product as it is put together for users, with its services in reach, files in memory and a clock that stands still. */
export class FilesApp implements AsyncDisposable {
  private constructor(
    readonly nest: NestFastifyApplication,
    readonly resources: OpenResources,
    readonly storage: MemoryFileStorage,
    readonly clock: ManualClock,
    private readonly testDatabase: TestDatabase,
  ) {}

  static async start(settings: Record<string, string> = {}): Promise<FilesApp> {
    const testDatabase = await createTestDatabase();
    const storage = new MemoryFileStorage();
    // Rows are as old as their ids, which the machine's clock makes.
    const clock = new ManualClock(new Date());
    const resources = await openResources(
      readConfig({ AUTH_SECRET: SECRET, OFFLINE_MODEL_TOKENS_PER_SECOND: '0', ...settings }),
      createLogger({ level: 'silent', pretty: false }),
      { location: testDatabase.location, clock, storage },
    );
    const nest = await createApp(resources);
    await nest.listen(0, '127.0.0.1');
    return new FilesApp(nest, resources, storage, clock, testDatabase);
  }

  get url(): string {
    const { port } = this.nest.getHttpServer().address() as { port: number };
    return `http://127.0.0.1:${port}`;
  }

  get files(): StoredFilesService {
    return this.nest.get(StoredFilesService, { strict: false });
  }

  get tickets(): UploadTickets {
    return this.nest.get(UploadTickets, { strict: false });
  }

  get receivers(): UploadReceivers {
    return this.nest.get(UploadReceivers, { strict: false });
  }

  /** An address that the product gives, at the port where it listens here. */
  here(url: string): string {
    return `${this.url}${new URL(url).pathname}`;
  }

  async person(sub: string, company = 'demo', role: 'ADMIN' | 'MEMBER' = 'ADMIN'): Promise<Person> {
    const token = await signToken(SECRET, { sub, company, role, name: sub }, 3600);
    const client = new TestClient(this.url, token);
    const { viewer } = await client.get<{ viewer: { id: string; company: { id: string } } }>(
      '{ viewer { id company { id } } }',
    );
    return { client, id: viewer.id, companyId: viewer.company.id, company };
  }

  async company(): Promise<string> {
    const slug = `c-${newId()}`;
    await createCompany(this.resources.database, { slug, name: slug });
    return slug;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.nest.close();
    await this.resources.close();
    await this.testDatabase[Symbol.asyncDispose]();
  }
}
