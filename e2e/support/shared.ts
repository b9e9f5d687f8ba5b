import { type Shape } from '@drawbridge/testkit';

/** What the run's set-up tells every test file about the product that it started; one for each of jest's workers, or one for all. */
export interface Shared {
  shape: Shape;
  /** In the shape `processes`, where they are bundled. */
  services?: string;
  /** In the other shapes: all in one as one file, from which a file's own product starts. */
  cli?: string;
  baseUrl: string;
  /** One for each gateway: two in the shape `processes`. */
  baseUrls: string[];
  databaseUrl: string;
  /** Makes organizations; see admin-server.js. */
  adminUrl: string;
  /** '' where events stay in the process. */
  kafkaBrokers: string;
  logFolder: string;
  /** Where ORIGIN_MAP sends https://api.github.com and https://api.example.com; see provider.ts. */
  providerPort: number;
}

export const VARIABLE = 'DRAWBRIDGE_E2E';

export function shared(): Shared {
  const text = process.env[VARIABLE];
  if (!text)
    throw new Error(`${VARIABLE} is not set: run these tests with e2e/jest.config.js, whose set-up starts the product`);
  const all = JSON.parse(text) as Shared[];
  return all[(Number(process.env['JEST_WORKER_ID']) - 1) % all.length]!;
}
