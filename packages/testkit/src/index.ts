export { adminOf, startAdmin } from './admin.js';
export { CERTIFICATE } from './certificate.js';
export { type Command, freePort, type Running, startChild } from './child.js';
export { type DockerEngine, hasDocker, startDocker, startEmptyDocker } from './docker.js';
export { type ProviderBehaviour, type FakeProvider, fakeProvider, type RecordedRequest } from './fake-provider.js';
export { startKafka, hasKms, type Kms, startKms, hasRedis, type RedisServer, startRedis } from './servers.js';
export {
  newSecrets,
  readLogs,
  type Built,
  type Product,
  SHAPES,
  type Shape,
  startDrawbridge,
  type StartOptions,
} from './start-drawbridge.js';
export { processorTime, processorTimeOf } from './processor-time.js';
export { type NameServer, startNameServer } from './name-server.js';
export { openServiceDatabase, startDatabaseServer, temporaryDatabase } from './temporary-database.js';
