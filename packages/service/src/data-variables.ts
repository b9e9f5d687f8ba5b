import { brokers, databaseUrl, type Variables } from '@drawbridge/rpc';

/** What every service with a database reads. */
export const DATA_VARIABLES = {
  DATABASE_URL: {
    ...databaseUrl({
      default: '',
      desc: 'A PostgreSQL database; one schema per service is made in it. Default: an embedded server.',
    }),
    isSecret: true,
    isRequired: true,
  },
  KAFKA_BROKERS: brokers({
    default: '',
    desc: 'Comma list; with it events go through Kafka. Default: the in-process bus.',
  }),
} satisfies Variables;
