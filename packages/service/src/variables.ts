import { readdirSync } from 'node:fs';
import { brokers, databaseUrl, kafkaPrefix, text, type Variables } from '@drawbridge/rpc';

/** The variables that every service with a database reads. */
export const DATA_VARIABLES = {
  DATABASE_URL: {
    ...databaseUrl({
      default: '',
      desc: 'A PostgreSQL database, with one schema per service. Default: an embedded server.',
    }),
    isSecret: true,
    isRequired: true,
  },
  // Required for a separate process: with the in-process bus, there would be no subscribers and published events would be lost.
  KAFKA_BROKERS: {
    ...brokers({
      default: '',
      desc: 'Comma-separated list of Kafka brokers for events. Optional only in all-in-one.',
    }),
    isRequired: true,
  },
  KAFKA_PREFIX: kafkaPrefix({
    default: '',
    desc: 'Prefix of topics and groups, such as `staging.`, for installations that share a Kafka cluster.',
  }),
} satisfies Variables;

/** The variables that every service that uses pieces reads. */
export const PIECES_VARIABLES = {
  INTEGRATIONS_DIR: {
    ...text({
      default: '',
      desc: 'Folder of extra pieces, loaded at the start: `<name>.js`, `<name>.mjs`, `<name>/index.js`.',
    }),
    check: requireReadable,
  },
} satisfies Variables;

function requireReadable(folder: string): void {
  try {
    readdirSync(folder);
  } catch (cause) {
    throw new Error('must be a readable folder', { cause });
  }
}
