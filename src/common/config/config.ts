import type { Settings } from './read-config.js';

export type { DoorName, Introspection, ServerRole } from './variables.js';

/** The server's settings, checked. The class is both the type and the injection token. */
// oxlint-disable-next-line typescript/no-extraneous-class, typescript/no-unsafe-declaration-merging -- readConfig makes them.
export abstract class Config {}
export interface Config extends Settings {}

export type EmbeddingConfig = NonNullable<Config['embedding']>;
export type OidcConfig = NonNullable<Config['oidc']>;
export type ModelConfig = Config['model'];
export type TracingConfig = NonNullable<Config['tracing']>;
export type StorageConfig = Config['storage'];
export type S3Config = NonNullable<StorageConfig['s3']>;
